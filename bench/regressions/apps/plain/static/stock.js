/** The back office's stock: counting, deleting, and sales as they come. */
import { announce, api, byId, createStore, el } from "/lib.js";
import { session, signedIn } from "/frame.js";

const LOW = 5;

const stock = createStore("stock", { products: [] });
let doomed = null;
let feed = null;

function show() {
  const { products } = stock.getState();
  byId("rows").replaceChildren(...products.map(row));
  byId("role").value = session.getState().role;
  byId("low").textContent = `${products.filter((one) => one.stock < LOW).length} running low`;
}

function row(product) {
  const field = el("input", { type: "number", min: 0, "aria-label": `Stock of ${product.name}`, value: product.stock });
  const save = el("button", { on: { click: () => count(product, Number(field.value)) } }, `Save ${product.name}`);
  const erase = el("button", { on: { click: () => ask(product) } }, `Delete ${product.name}`);
  return el(
    "tr", { "data-testid": `product-${product.id}` },
    el("td", {}, product.name),
    el("td", {}, field),
    el("td", {}, save),
    el("td", {}, ...(session.getState().role === "admin" ? [erase] : [])),
  );
}

const put = (changed) =>
  stock.setState({ products: stock.getState().products.map((one) => (one.id === changed.id ? { ...one, ...changed } : one)) });

async function count(product, number) {
  try {
    put(await api("PUT", `/api/stock/${product.id}`, { stock: number }));
    announce(`Stock of ${product.name} is ${number}`);
  } catch (error) {
    if (error.status !== 409) throw error;
    put({ id: product.id, stock: error.body.stock });
    announce(error.message, { kind: "alert" });
  }
}

function ask(product) {
  doomed = product;
  byId("sure-title").textContent = `Delete ${product.name}?`;
  byId("sure").showModal();
}

async function erase() {
  const { id, name } = doomed;
  await api("DELETE", `/api/stock/${id}`);
  stock.setState({ products: stock.getState().products.filter((one) => one.id !== id) });
  byId("sure").close();
  announce(`${name} was deleted`);
}

async function actAs(event) {
  session.setState(await api("PUT", "/api/session", { role: event.target.value }));
}

function follow() {
  byId("follow").setAttribute("aria-pressed", String(feed === null));
  if (feed) {
    feed.close();
    feed = null;
    return;
  }
  feed = new EventSource("/api/sales");
  feed.addEventListener("sale", (event) => {
    const sale = JSON.parse(event.data);
    put({ id: sale.id, stock: sale.left });
    byId("sales").prepend(el("li", {}, `${sale.name} sold, ${sale.left} left`));
  });
}

stock.subscribe(show);
session.subscribe(show);
byId("role").addEventListener("change", actAs);
byId("follow").addEventListener("click", follow);
byId("keep").addEventListener("click", () => byId("sure").close());
byId("delete").addEventListener("click", erase);
signedIn.then(async () => stock.setState({ products: await api("GET", "/api/stock") }));
