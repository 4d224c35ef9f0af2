/** The cart that cart and checkout show; `?again=1003` fills it from a former order. */
import { api, createStore } from "/lib.js";

export const cart = createStore("cart", { lines: [], count: 0, cents: 0, discount: 0, shipping: 0, due: 0 });

export async function openCart() {
  const again = new URLSearchParams(location.search).get("again");
  if (again) {
    history.replaceState(null, "", location.pathname);
    cart.setState(await api("POST", "/api/cart/again", { order: again }));
  } else {
    cart.setState(await api("GET", "/api/cart"));
  }
}
