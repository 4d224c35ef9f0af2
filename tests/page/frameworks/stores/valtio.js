// docs: Valtio
import { proxy, snapshot, subscribe } from "valtio/vanilla";

const cart = proxy({ items: [] });
window.reticle?.registerStore("cart", cart, { snapshot, subscribe });
// end

document.querySelector("#change").onclick = () => cart.items.push({ name: "pear", price: 3 });
