/* How React 18 and 19 show something. */
import { createRoot } from "react-dom/client";

export function mount(node, place) {
  createRoot(place).render(node);
}
