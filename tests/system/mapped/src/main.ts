import { send, settle } from "./till";

const order = { total: 12 };

/** What React 19 keeps of the call that made an element. */
const madeHere = (): Error => new Error("react-stack-top-frame");

const button = (name: string, act: () => void): void => {
  const made = document.createElement("button");
  made.textContent = name;
  made.addEventListener("click", act);
  Object.assign(made, { __reactFiber$mapped: { _debugStack: madeHere() } });
  document.body.append(made);
};

button("Settle", () => settle(order));
button("Note", () => console.error(new Error(`noted ${order.total}`)));
button("Forward", () => void send(order));
