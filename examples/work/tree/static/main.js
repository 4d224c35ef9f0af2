import { add, lines, total } from "/static/cart.js";
import { matching } from "/static/search.js";

const at = (id) => document.getElementById(id);
const shelf = await (await fetch("/api/shelf")).json();

function showShelf() {
  const found = matching(shelf, at("search").value);
  at("shown").textContent = `${found.length} of ${shelf.length} shown`;
  at("shelf").replaceChildren(...found.map((each) => {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = `Add ${each.name}`;
    button.addEventListener("click", () => { add(each); showTotal(); });
    row.append(`${each.name} ${(each.cents / 100).toFixed(2)} `, button);
    return row;
  }));
}

function showTotal() {
  at("total").textContent = `Total ${(total() / 100).toFixed(2)}`;
}

async function showOrders() {
  const orders = await (await fetch("/api/orders")).json();
  at("orders").replaceChildren(...orders.map((each) => {
    const row = document.createElement("li");
    row.textContent = `Order ${each.number}`;
    return row;
  }));
}

at("search").addEventListener("input", showShelf);
at("order").addEventListener("click", async () => {
  const sent = await fetch("/api/orders", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ lines: lines() }),
  });
  const order = await sent.json();
  at("said").textContent = `Thank you for order ${order.number}`;
  await showOrders();
});
showShelf();
showTotal();
await showOrders();
