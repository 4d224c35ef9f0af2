/** The shop: searching, sorting, leafing, favourites, and adding to the cart. */
import { announce, api, byId, createStore, debounced, el } from "/lib.js";
import { showCount, signedIn } from "/frame.js";
import { money, t } from "/settings.js";

const address = new URLSearchParams(location.search);
const asked = { q: address.get("q") ?? "", sort: "name", page: 1 };
const cart = createStore("cart", { lines: [], count: 0, cents: 0 });
const favourites = createStore("favourites", { ids: [] });
let shown = { items: [], page: 1, pages: 1, total: 0 };
let latest = 0;

cart.subscribe((state) => {
  showCount(state.count);
  byId("total").textContent = money(state.cents);
});

async function load() {
  const mine = ++latest;
  const found = await api("GET", `/api/products?${new URLSearchParams(asked)}`);
  if (mine !== latest) return;
  shown = found;
  show();
}

function show() {
  byId("products").replaceChildren(...shown.items.map(row));
  byId("found").textContent = t("products", { n: shown.total });
  byId("page").textContent = t("page", shown);
  byId("previous").disabled = shown.page <= 1;
  byId("next").disabled = shown.page >= shown.pages;
  byId("total").textContent = money(cart.getState().cents);
}

function row(product) {
  const heart = el("button", {
    "aria-label": t("favourite", product),
    "aria-pressed": String(product.favourite),
    on: { click: () => favour(product, heart) },
  }, "♥");
  return el(
    "li", {},
    el("strong", {}, product.name),
    el("span", { "data-testid": `price-${product.id}` }, money(product.cents)),
    el("button", { on: { click: () => addToCart(product) } }, t("add", product)),
    heart,
  );
}

async function addToCart(product) {
  try {
    cart.setState(await api("POST", "/api/cart", { product: product.id }));
    announce(t("added", product));
  } catch (error) {
    if (error.status !== 409) throw error;
    announce(t("soldOut", product), { kind: "alert" });
  }
}

/** Shown at once; taken back when the server does not want it. */
async function favour(product, heart) {
  const before = favourites.getState().ids;
  const on = !product.favourite;
  const mark = (marked, ids) => {
    product.favourite = marked;
    heart.setAttribute("aria-pressed", String(marked));
    favourites.setState({ ids });
  };
  mark(on, on ? [...before, product.id] : before.filter((id) => id !== product.id));
  try {
    await api("PUT", `/api/favourites/${product.id}`, { on });
  } catch (error) {
    mark(!on, before);
    announce(error.message, { kind: "alert" });
  }
}

const search = debounced((words) => {
  Object.assign(asked, { q: words, page: 1 });
  history.replaceState(null, "", words ? `/shop?q=${encodeURIComponent(words)}` : "/shop");
  load();
}, 250);

function leaf(pages) {
  asked.page += pages;
  load();
}

byId("search").value = asked.q;
byId("search").addEventListener("input", (event) => search(event.target.value.trim()));
byId("sort").addEventListener("change", (event) => {
  Object.assign(asked, { sort: event.target.value, page: 1 });
  load();
});
byId("previous").addEventListener("click", () => leaf(-1));
byId("next").addEventListener("click", () => leaf(1));
addEventListener("currencychange", show);
addEventListener("languagechange", show);

load();
signedIn.then((found) => cart.setState(found));
