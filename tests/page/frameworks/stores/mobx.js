// docs: MobX
import { autorun, makeAutoObservable } from "mobx";

class Cart {
  items = [];
  constructor() {
    makeAutoObservable(this);
  }
  get total() {
    return this.items.reduce((sum, item) => sum + item.price, 0);
  }
  add(item) {
    this.items.push(item);
  }
}
const cart = new Cart();
window.reticle?.registerStore("cart", cart, { autorun });
// end

import { configure } from "mobx";

configure({ observableRequiresReaction: true, computedRequiresReaction: true });
let runs = 0;
autorun(() => {
  runs += 1;
  // inside of a reaction of the app's: our reading must not become its own
  if (runs === 1) window.reticle.registerStore("late", cart, { autorun });
});
document.querySelector("#change").onclick = () => {
  cart.add({ name: "pear", price: 3 });
  setTimeout(() => console.log(`runs ${runs}`), 100);
};
