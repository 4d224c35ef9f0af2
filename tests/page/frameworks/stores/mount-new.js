import { createRoot } from "react-dom/client";

export const mount = (element, container) => createRoot(container).render(element);
