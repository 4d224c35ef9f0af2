import { createApp } from "vue";
import Cart from "./Cart.vue";

createApp(Cart).mount("#app");
