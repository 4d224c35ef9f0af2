// docs: Alpine
import Alpine from "alpinejs";

window.Alpine = Alpine;
Alpine.store("cart", { items: [] });
window.reticle?.registerStore("basket", Alpine.store("cart"), { watch: Alpine.watch });
// end

Alpine.store("theme", { dark: false });
Alpine.data("menu", () => ({ open: false, password: "hunter22", toggle() { this.open = !this.open; } }));
Alpine.start();
document.querySelector("#change").onclick = () => Alpine.store("cart").items.push({ name: "pear", price: 3 });
