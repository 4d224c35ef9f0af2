import { send, settle } from "./till";

const order = { total: 12 };

const button = (name: string, act: () => void): void => {
  const made = document.createElement("button");
  made.textContent = name;
  made.addEventListener("click", act);
  document.body.append(made);
};

button("Settle", () => settle(order));
button("Note", () => console.error(new Error(`noted ${order.total}`)));
button("Forward", () => void send(order));
