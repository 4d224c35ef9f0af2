// docs: Pinia
import { createPinia, defineStore } from "pinia";
import { createApp, h } from "vue";

const useCart = defineStore("cart", {
  state: () => ({ items: [], note: "" }),
  getters: { count: (state) => state.items.length },
  actions: {
    add(item) {
      this.items.push(item);
    },
  },
});
const pinia = createPinia();
window.reticle?.registerStore("app", pinia); // all stores by their ids: app.cart, app.user, …
window.reticle?.registerStore("cart", useCart(pinia)); // or one of them
// end

let renders = 0;
const App = {
  render() {
    renders += 1;
    // an effect of the app's runs here: what we do in it must not tie it to the store
    if (renders === 1) window.reticle.registerStore("late", useCart());
    return h("p", "shop");
  },
};
createApp(App).use(pinia).mount("#app");
const useLater = defineStore("later", () => ({ made: true }));
document.querySelector("#change").onclick = () => {
  useCart().add({ name: "pear", price: 3 });
  useLater();
  setTimeout(() => console.log(`renders ${renders}`), 100);
};
document.querySelector("#other").onclick = () => window.reticle.unregisterStore("cart");
