// docs: Svelte stores
import { derived, writable } from "svelte/store";

const items = writable([]);
const count = derived(items, (all) => all.length);
window.reticle?.registerStore("items", items);
window.reticle?.registerStore("count", count);
// end

document.querySelector("#change").onclick = () => items.update((all) => [...all, { name: "pear", price: 3 }]);
