"use strict";

/** Variants that thank the customer whatever the server said. */
const CARELESS = new Set(["silent-500", "accepted-only", "job-fails", "session-expired"]);

function thank(order) {
  if (variant === "console-error") console.error("analytics: cannot read the order's currency");
  if (variant === "late-crash") setTimeout(() => window.confetti.start(), 150);
  const total = variant === "store-lies" ? order.total - SHIPPING : order.total;
  cart.setState({ lines: [], total: 0, order: { id: order.id, total, refunded: 0 } });
  byId("order-number").textContent = `no. ${order.id}`;
  byId("order-total").textContent = euros(order.total);
  signal("order.placed", { id: order.id, total });
  toast("Order placed");
  if (variant === "short-toast") setTimeout(() => toast(""), 250);
  go("/thanks");
}

async function placeOrder(form) {
  const { lines, total } = cart.getState();
  const order = {
    lines: lines.map(({ id, quantity }) => ({ product: id, quantity })),
    name: form.elements.name.value,
    address: form.elements.address.value,
  };
  complain("checkout-error", "");
  byId("placing").hidden = false;
  if (variant === "never-answered") thank({ id: 1, total });
  let { ok, status, answer } = await ask("POST", "/api/orders", order);
  if (status === 503) ({ ok, status, answer } = await ask("POST", "/api/orders", order));
  byId("placing").hidden = true;
  if (variant === "late-duplicate") setTimeout(() => ask("POST", "/api/orders", order), 250);
  if (variant === "job-fails") await ask("GET", `/api/jobs/${answer.job}`);
  if (CARELESS.has(variant)) return thank({ id: 1, total });
  if (variant === "lying-toast" || variant === "lying-toast-200") return toast("Order placed");
  if (!ok) {
    form.elements[answer.field]?.setAttribute("aria-invalid", "true");
    return complain("checkout-error", answer.error);
  }
  thank(answer);
}

byId("checkout-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (variant === "dead-button") return;
  placeOrder(event.target);
});
if (variant === "double-submit") {
  byId("place-order").addEventListener("click", () => placeOrder(byId("checkout-form")));
}

/** Ask for the order as the server has it, and send back all that was paid. */
byId("refund").addEventListener("click", async () => {
  const { order } = cart.getState();
  const { answer: paid } = await ask("GET", `/api/orders/${order.id}`);
  const amount = variant === "refund-in-euros" ? paid.total / 100 : paid.total;
  const { ok, answer } = await ask("POST", `/api/orders/${order.id}/refund`, { amount });
  complain("refund-error", ok ? "" : answer.error);
  if (!ok) return;
  cart.setState({ order: { ...order, refunded: answer.refunded } });
  byId("refunded").hidden = false;
});
