// The page of every example: what it shows comes from the server's answers alone.

const said = document.getElementById("said");
const failed = document.getElementById("failed");

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The desk could not do that (${answer.status})`);
  return answer.json();
}

function list(id, rows, fill) {
  document.getElementById(id).replaceChildren(
    ...rows.map((row) => {
      const item = document.createElement("li");
      fill(item, row);
      return item;
    }),
  );
}

function button(words, act) {
  const made = document.createElement("button");
  made.textContent = words;
  made.addEventListener("click", () => attempt(act));
  return made;
}

async function show() {
  const desk = await ask("GET", "/desk");
  list("orders", desk.orders, (item, order) => {
    item.append(`Order ${order.id}: ${order.quantity} × ${order.product}, ${order.state} `);
    if (order.state === "open") item.append(button(`Cancel order ${order.id}`, () => cancel(order.id)));
  });
  list("stock", desk.stock.filter((row) => ["Mug", "Bowl"].includes(row.product)), (item, row) => {
    item.append(`${row.product}: ${row.stock} in stock `, button(`Restock ${row.product}`, () => restock(row.product)));
  });
}

async function attempt(act) {
  said.textContent = failed.textContent = "";
  try {
    said.textContent = await act();
  } catch (error) {
    failed.textContent = error.message;
  }
}

async function place(form) {
  const wish = Object.fromEntries(new FormData(form));
  const order = await ask("POST", "/orders", { ...wish, quantity: Number(wish.quantity) });
  fetch(`/orders/${order.id}/receipt`, { method: "POST" });
  await show();
  return `Order ${order.id} placed`;
}

async function cancel(id) {
  const order = await ask("POST", `/orders/${id}/cancel`);
  await show();
  return `Order ${order.id} is ${order.state}`;
}

async function restock(product) {
  const row = await ask("POST", "/stock", { product, add: 5 });
  return `${row.product}: now ${row.stock}`;
}

async function report() {
  const rows = await ask("GET", "/report");
  list("report", rows, (item, row) => item.append(`${row.product}: ${row.ordered} ordered`));
  return "Report made";
}

document.getElementById("place").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(() => place(event.target));
});
document.getElementById("ask").addEventListener("click", () => attempt(report));
attempt(async () => {
  await show();
  return "";
});
