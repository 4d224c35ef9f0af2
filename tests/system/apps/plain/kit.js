/*
 * The published kit as the app's owner would bundle it for a page without a build.
 */
import { registerStore, reticle } from "@reticlehq/browser";

export function connect(daemon) {
  registerStore("orders", () => orders);
  reticle.describe({ signals: ["order:saved"], stores: ["orders"] });
  reticle.connect({ url: `ws://localhost:${daemon}/reticle`, projectId: "plain-app" });
  orders.onSaved = (name) => reticle.signal("order:saved", { name });
}
