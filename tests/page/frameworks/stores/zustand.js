// docs: Zustand
import { createStore } from "zustand/vanilla";
import { create } from "zustand";

const cart = createStore((set) => ({
  items: [],
  add: (item) => set((state) => ({ items: [...state.items, item] })),
}));
const useTheme = create(() => ({ dark: false }));
window.reticle?.registerStore("cart", cart);
window.reticle?.registerStore("theme", useTheme); // the hook itself
// end

document.querySelector("#change").onclick = () => {
  cart.getState().add({ name: "pear", price: 3 });
  useTheme.setState({ dark: true });
};
