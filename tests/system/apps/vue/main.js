/*
 * Orders in Vue. The published kit connects where the address asks for it, as a development build would.
 */
import { createApp, toRaw, watch } from "vue";
import Orders from "./Orders.vue";
import { orders } from "./store.js";

const daemon = new URLSearchParams(window.location.search).get("kit");
if (daemon) {
  const { registerStore, reticle } = await import("@reticlehq/browser");
  registerStore("orders", () => toRaw(orders));
  reticle.describe({ signals: ["order:saved"], stores: ["orders"] });
  reticle.connect({ url: `ws://localhost:${daemon}/reticle`, projectId: "vue-app" });
  orders.onSaved = (name) => reticle.signal("order:saved", { name });
} else if (window.reticle) {
  window.reticle.registerStore("orders", {
    get: () => toRaw(orders),
    subscribe: (tell) => watch(orders, tell, { deep: true, flush: "sync" }),
  });
}

createApp(Orders).mount("#root");
