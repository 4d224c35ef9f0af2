"use strict";

const SHIPPING = 490;
const fault = document.body.dataset.fault;
const byId = (id) => document.getElementById(id);
const euros = (cents) => `€\u00a0${(cents / 100).toFixed(2)}`;
const totalOf = (lines) => lines.reduce((sum, line) => sum + line.price * line.quantity, SHIPPING);

const cart = createStore({ user: null, lines: [], total: 0, order: null });

// Optional: with these two lines an agent can read the store and name its events.
window.reticle?.registerStore("cart", cart);
const signal = (name, data) => window.reticle?.signal(name, data);

async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  return { ok: response.ok, status: response.status, answer: await response.json() };
}

function show(path) {
  const views = { "/": "shop", "/login": "login", "/checkout": "checkout", "/thanks": "thanks" };
  for (const id of Object.values(views)) byId(id).hidden = id !== (views[path] ?? "shop");
}

function go(path) {
  if (location.pathname !== path) history.pushState(null, "", path + location.search);
  show(path);
}

function toast(text) {
  byId("toast").textContent = text;
}

function complain(id, text) {
  byId(id).textContent = text;
  byId(id).hidden = !text;
}

// --- the list, with live stock --------------------------------------------------------------------

function renderProduct(product) {
  const tile = byId("product").content.cloneNode(true).firstElementChild;
  tile.dataset.product = product.id;
  tile.querySelector("use").setAttribute("href", `#${product.id}`);
  tile.querySelector("h2").textContent = product.name;
  tile.querySelector(".blurb").textContent = product.blurb;
  tile.querySelector(".price strong").textContent = euros(product.price);
  const button = tile.querySelector("button");
  button.dataset.testid = `add-${product.id}`;
  button.setAttribute("aria-label", `Add ${product.name} to cart`);
  button.addEventListener("click", () => add(product.id));
  byId("products").append(tile);
}

function showStock(id, stock) {
  const tile = document.querySelector(`[data-product="${id}"]`);
  if (!tile) return;
  tile.querySelector(".stock").textContent = stock ? `${stock} in stock` : "sold out";
  tile.querySelector("button").disabled = stock === 0;
}

function listenForStock() {
  new EventSource("/events").addEventListener("stock", (event) => {
    for (const [id, stock] of Object.entries(JSON.parse(event.data))) showStock(id, stock);
  });
}

// --- the cart -------------------------------------------------------------------------------------

async function setQuantity(id, quantity) {
  const { ok, answer } = await ask("POST", "/api/cart", { product: id, quantity });
  if (!ok) return toast(answer.error);
  cart.setState({ lines: answer.lines, total: totalOf(answer.lines) });
}

async function add(id) {
  const line = cart.getState().lines.find((each) => each.id === id);
  await setQuantity(id, (line?.quantity ?? 0) + 1);
  signal("cart.added", { product: id });
}

function renderLines(list, lines, removable) {
  list.replaceChildren(
    ...lines.map((line) => {
      const item = byId("line").content.cloneNode(true).firstElementChild;
      item.querySelector(".amount").textContent = `${line.quantity} ×`;
      item.querySelector(".name").textContent = line.name;
      item.querySelector(".cost").textContent = euros(line.price * line.quantity);
      const button = item.querySelector("button");
      button.dataset.testid = `take-out-${line.id}`;
      button.setAttribute("aria-label", `Take ${line.name} out`);
      button.addEventListener("click", () => setQuantity(line.id, 0));
      if (!removable) button.remove();
      return item;
    }),
  );
}

cart.subscribe(({ user, lines, order }) => {
  byId("who").hidden = !user;
  byId("who").textContent = user ? `Logged in as ${user}` : "";
  renderLines(byId("cart-lines"), lines, true);
  renderLines(byId("checkout-lines"), lines, false);
  byId("cart-empty").hidden = lines.length > 0;
  byId("cart-sum").hidden = lines.length === 0;
  byId("cart-total").textContent = byId("checkout-total").textContent = euros(totalOf(lines));
  byId("to-checkout").disabled = lines.length === 0;
  if (order) {
    byId("order-number").textContent = `no. ${order.id}`;
    byId("order-total").textContent = euros(order.charged);
  }
});

// --- the order ------------------------------------------------------------------------------------

function thank(order) {
  if (fault === "console-error") console.error("analytics: cannot read the order's currency");
  const total = fault === "store-lies" ? order.total - SHIPPING : order.total;
  cart.setState({ lines: [], total: 0, order: { id: order.id, total, charged: order.total } });
  signal("order.placed", { id: order.id, total });
  toast("Order placed");
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
  const { ok, answer } = await ask("POST", "/api/orders", order);
  if (fault === "silent-500") return thank({ id: 1, total });
  if (fault === "lying-toast" || fault === "lying-toast-200") return toast("Order placed");
  if (!ok) return complain("checkout-error", answer.error);
  thank(answer);
}

byId("checkout-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (fault === "dead-button") return;
  placeOrder(event.target);
});
if (fault === "double-submit") {
  byId("place-order").addEventListener("click", () => placeOrder(byId("checkout-form")));
}

// --- getting in -----------------------------------------------------------------------------------

byId("login-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password } = event.target.elements;
  const { ok, answer } = await ask("POST", "/api/login", { name: name.value, password: password.value });
  complain("login-error", ok ? "" : answer.error);
  if (!ok) return;
  event.target.reset();
  cart.setState({ user: answer.user });
  go("/");
});

byId("to-checkout").addEventListener("click", () => go("/checkout"));
for (const link of document.querySelectorAll("[data-view]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(cart.getState().user ? link.dataset.view : "/login");
  });
}
window.addEventListener("popstate", () => show(cart.getState().user ? location.pathname : "/login"));

async function start() {
  const [listed, mine] = await Promise.all([ask("GET", "/api/products"), ask("GET", "/api/cart")]);
  for (const product of listed.answer.products) {
    renderProduct(product);
    showStock(product.id, product.stock);
  }
  const { user, lines } = mine.answer;
  cart.setState({ user, lines, total: totalOf(lines) });
  go(user ? location.pathname : "/login");
  listenForStock();
}

start();
