// docs: Vue
import { reactive, ref, watch } from "vue";

const cart = reactive({ items: [] });
const total = ref(0);
window.reticle?.registerStore("cart", cart, { watch });
window.reticle?.registerStore("total", total, { watch });
// end

document.querySelector("#change").onclick = () => {
  cart.items.push({ name: "pear", price: 3 });
  total.value += 3;
};
