const byId = (id) => document.getElementById(id);

const money = (cents) => `$${(cents / 100).toFixed(2)}`;

function showCart(cart) {
  byId("count").textContent = String(cart.count);
  byId("total").textContent = money(cart.cents);
}

async function addToCart(product) {
  const answer = await fetch("/api/cart", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id: product.id }),
  });
  if (!answer.ok) {
    byId("status").textContent = `${product.name} is not in stock`;
    return;
  }
  showCart(await answer.json());
  byId("status").textContent = `${product.name} was added`;
}

async function start() {
  const products = await (await fetch("/api/products")).json();
  showCart(await (await fetch("/api/cart")).json());
  for (const product of products) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = `Add ${product.name}`;
    button.addEventListener("click", () => addToCart(product));
    item.append(`${product.name} ${money(product.cents)} `, button);
    byId("products").append(item);
  }
}

start();
