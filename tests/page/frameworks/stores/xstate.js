// docs: XState
import { assign, createActor, createMachine } from "xstate";

const checkout = createMachine({
  id: "checkout",
  initial: "cart",
  context: { items: [] },
  states: {
    cart: { on: { add: { actions: assign({ items: ({ context, event }) => [...context.items, event.item] }) }, pay: "paying" } },
    paying: { on: { paid: "done" } },
    done: { type: "final" },
  },
});
const actor = createActor(checkout).start();
window.reticle?.registerStore("checkout", actor); // checkout.value, checkout.context.items, checkout.status
// end

document.querySelector("#change").onclick = () => {
  actor.send({ type: "add", item: { name: "pear", price: 3 } });
  actor.send({ type: "pay" });
};
document.querySelector("#other").onclick = () => actor.send({ type: "paid" });
