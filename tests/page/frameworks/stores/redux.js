// docs: Redux
import { legacy_createStore as createStore } from "redux";

const start = { items: [] };
const reduce = (state = start, action) => (action.type === "added" ? { ...state, items: [...state.items, action.item] } : state);
const store = createStore(reduce);
window.reticle?.registerStore("cart", store);
// end

window.reticle.registerStore("session", createStore(() => ({ accessToken: "s3cr3t-value" })));
document.querySelector("#change").onclick = () => store.dispatch({ type: "added", item: { name: "pear", price: 3 } });
