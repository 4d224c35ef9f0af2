"use strict";

const SHIPPING = 490;
const variant = document.body.dataset.variant;
const RESTLESS = new Set(["restless", "restless-blank-route", "polls-by-post"]);
const byId = (id) => document.getElementById(id);
const euros = (cents) => `€\u00a0${(cents / 100).toFixed(2)}`;
const totalOf = (lines) => lines.reduce((sum, line) => sum + line.price * line.quantity, SHIPPING);

const cart = createStore({ user: null, lines: [], total: 0, order: null });
const products = new Map();

// Optional: with these two lines an agent can read the store and name its events.
window.reticle?.registerStore("cart", cart);
const signal = (name, data) => window.reticle?.signal(name, data);

async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  return { ok: response.ok, status: response.status, answer };
}

function show(path) {
  const views = { "/": "shop", "/login": "login", "/checkout": "checkout", "/thanks": "thanks" };
  for (const id of Object.values(views)) byId(id).hidden = id !== (views[path] ?? "shop");
}

function go(path) {
  if (location.pathname !== path) history.pushState(null, "", path + location.search);
  if (!variant.endsWith("blank-route") || path !== "/checkout") show(path);
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

function showProducts(list) {
  byId("products").replaceChildren();
  for (const product of list) {
    products.set(product.id, product);
    renderProduct(product);
    showStock(product.id, product.stock);
  }
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

async function countViewers() {
  const byPost = variant === "polls-by-post";
  const { answer } = await (byPost ? ask("POST", "/graphql", { query: "{ viewers }" }) : ask("GET", "/api/viewers"));
  complain("viewers", `${(answer.data ?? answer).viewers} people are looking`);
}

// --- the cart -------------------------------------------------------------------------------------

function putLines(lines) {
  cart.setState({ lines, total: totalOf(lines) });
}

/** Show the change at once; what the server answers then replaces it, and a refusal takes it back. */
async function setQuantity(id, quantity) {
  const before = cart.getState().lines;
  const { name, price } = products.get(id);
  const others = before.filter((line) => line.id !== id);
  putLines(quantity ? [...others, { id, name, price, quantity }] : others);
  const { ok, answer } = await ask("POST", "/api/cart", { product: id, quantity });
  putLines(ok ? answer.lines : before);
  complain("cart-error", ok ? "" : answer.error);
  return ok;
}

async function add(id) {
  const line = cart.getState().lines.find((each) => each.id === id);
  if (await setQuantity(id, (line?.quantity ?? 0) + 1)) signal("cart.added", { product: id });
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

cart.subscribe(({ user, lines }) => {
  byId("who").hidden = !user;
  byId("who-name").textContent = user ? `Logged in as ${user}` : "";
  renderLines(byId("cart-lines"), lines, true);
  renderLines(byId("checkout-lines"), lines, false);
  byId("cart-empty").hidden = lines.length > 0;
  byId("cart-sum").hidden = lines.length === 0;
  byId("cart-total").textContent = byId("checkout-total").textContent = euros(totalOf(lines));
  byId("to-checkout").disabled = lines.length === 0;
});

byId("add-set").addEventListener("click", async () => {
  await add("teapot");
  await add("cup");
});
byId("to-checkout").addEventListener("click", () => go("/checkout"));

// --- getting in -----------------------------------------------------------------------------------

byId("login-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password } = event.target.elements;
  const { ok, answer } = await ask("POST", "/api/login", { name: name.value, password: password.value });
  const refused = variant === "blames-the-user" ? "Wrong name or password." : answer.error;
  complain("login-error", ok ? "" : refused);
  if (!ok) return;
  event.target.reset();
  cart.setState({ user: answer.user });
  go("/");
});

for (const link of document.querySelectorAll("[data-view]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(cart.getState().user ? link.dataset.view : "/login");
  });
}
window.addEventListener("popstate", () => show(cart.getState().user ? location.pathname : "/login"));

async function start() {
  const [listed, mine] = await Promise.all([ask("GET", "/api/products"), ask("GET", "/api/cart")]);
  showProducts(listed.answer.products);
  const { user, lines } = mine.answer;
  cart.setState({ user });
  putLines(lines);
  if (!user) go("/login");
  else go(location.pathname === "/checkout" ? "/checkout" : "/");
  listenForStock();
  if (RESTLESS.has(variant)) setInterval(countViewers, 300);
}

start();
