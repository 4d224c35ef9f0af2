import { createPinia, defineStore } from "pinia";
import { createApp, h } from "vue";

const useCart = defineStore("cart", { state: () => ({ items: [{ name: "pear" }] }), getters: { count: (state) => state.items.length } });
createApp({ setup: () => () => h("p", useCart().count) }).use(createPinia()).mount("#app");
