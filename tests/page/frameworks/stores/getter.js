// docs: Anything else
const listeners = new Set();
let cart = { items: [] };

window.reticle?.registerStore("cart", {
  get: () => cart,
  subscribe(tell) {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
});
window.reticle?.registerStore("viewport", () => ({ wide: innerWidth > 800 })); // read, and never told of changes
// end

document.querySelector("#change").onclick = () => {
  cart = { items: [...cart.items, { name: "pear", price: 3 }] };
  for (const tell of listeners) tell();
};
document.querySelector("#other").onclick = () => window.reticle.unregisterStore("cart");
window.reticle.registerStore("size", { get: () => listeners.size, subscribe: () => () => {} });
