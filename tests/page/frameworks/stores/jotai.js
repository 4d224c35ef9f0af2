// docs: Jotai
import { atom, createStore } from "jotai";

const itemsAtom = atom([]);
const countAtom = atom((get) => get(itemsAtom).length);
const store = createStore();
window.reticle?.registerStore("cart", store, { atoms: { items: itemsAtom, count: countAtom } });
// end

window.reticle.registerStore("bare", store);
document.querySelector("#change").onclick = () => store.set(itemsAtom, (all) => [...all, { name: "pear", price: 3 }]);
