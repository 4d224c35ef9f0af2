/*
 * Orders in React. The published kit connects where the address asks for it, as a development build would.
 */
import { createRoot } from "react-dom/client";
import { Orders } from "./orders.jsx";
import { orders } from "./store.js";

const daemon = new URLSearchParams(window.location.search).get("kit");
if (daemon) {
  const { install, registerStore, reticle } = await import("@reticlehq/react");
  install();
  registerStore("orders", () => orders.get());
  reticle.describe({ signals: ["order:saved"], stores: ["orders"] });
  reticle.connect({ url: `ws://localhost:${daemon}/reticle`, projectId: "react-app" });
  orders.onSaved = (name) => reticle.signal("order:saved", { name });
} else if (window.reticle) {
  window.reticle.registerStore("orders", orders);
}

createRoot(document.getElementById("root")).render(<Orders />);
