/** The list of orders: statuses, pages, archiving, exporting. */
import { announce, api, byId, createStore, el } from "/lib.js";
import "/frame.js";
import { money } from "/settings.js";
import { setZone, shownTime, zone } from "/times.js";
import { closeDetail, openDetail } from "/order-detail.js";

const STATUSES = { "": "All", open: "Open", shipped: "Shipped", cancelled: "Cancelled" };

export const orders = createStore("orders", { items: [], page: 1, pages: 1, total: 0, selected: [] });

const asked = () => {
  const query = new URLSearchParams(location.search);
  return { status: query.get("status") ?? "", page: Number(query.get("page") ?? 1) };
};

function go(path) {
  history.pushState(null, "", path);
  arrive();
}

async function arrive() {
  const number = location.pathname.match(/^\/orders\/(\d+)$/)?.[1];
  await load();
  if (number) openDetail(Number(number));
  else closeDetail();
}

export async function load() {
  const found = await api("GET", `/api/orders?${new URLSearchParams(asked())}`);
  orders.setState({ ...found, selected: [] });
}

function show({ items, page, pages, total, selected }) {
  const { status } = asked();
  byId("statuses").replaceChildren(...Object.entries(STATUSES).map(([value, words]) => statusLink(value, words, status)));
  byId("rows").replaceChildren(...items.map((order) => row(order, selected)));
  byId("found").textContent = total === 1 ? "1 order" : `${total} orders`;
  byId("page").textContent = `Page ${page} of ${pages}`;
  byId("newer").disabled = page <= 1;
  byId("older").disabled = page >= pages;
  byId("archive").disabled = selected.length === 0;
}

function statusLink(value, words, status) {
  const href = value ? `/orders?status=${value}` : "/orders";
  const follow = (event) => {
    event.preventDefault();
    go(href);
  };
  return el("a", { href, "aria-current": value === status ? "page" : false, on: { click: follow } }, words);
}

function row(order, selected) {
  const chosen = el("input", { type: "checkbox", "aria-label": `Select ${order.id}`, on: { change: () => select(order.id, chosen.checked) } });
  chosen.checked = selected.includes(order.id);
  return el(
    "tr", { "data-testid": `order-${order.id}` },
    el("td", {}, chosen),
    el("td", {}, String(order.id)),
    el("td", {}, order.customer),
    el("td", { "data-testid": `placed-${order.id}` }, shownTime(order.at)),
    el("td", { "data-testid": `status-${order.id}` }, order.status),
    el("td", {}, money(order.cents)),
    el("td", {}, el("button", { on: { click: () => go(`/orders/${order.id}${location.search}`) } }, `Open ${order.id}`)),
  );
}

function select(id, on) {
  const { selected } = orders.getState();
  orders.setState({ selected: on ? [...selected, id] : selected.filter((one) => one !== id) });
}

async function archive() {
  const { selected } = orders.getState();
  const { archived } = await api("POST", "/api/orders/archive", { ids: selected });
  await load();
  announce(archived === 1 ? "1 order was archived" : `${archived} orders were archived`);
}

async function exportAll() {
  const { items } = orders.getState();
  const lines = items.map((one) => [one.id, one.customer, one.status, (one.cents / 100).toFixed(2)].join(";"));
  const file = new Blob([["order;customer;status;total", ...lines].join("\n")], { type: "text/csv" });
  const link = el("a", { href: URL.createObjectURL(file), download: "orders.csv" });
  link.click();
  announce(items.length === 1 ? "1 order was exported" : `${items.length} orders were exported`);
}

function leaf(pages) {
  const { status, page } = asked();
  go(`/orders?${new URLSearchParams({ status, page: page + pages })}`);
}

orders.subscribe(show);
addEventListener("popstate", arrive);
addEventListener("currencychange", () => show(orders.getState()));
byId("archive").addEventListener("click", archive);
byId("export").addEventListener("click", exportAll);
byId("newer").addEventListener("click", () => leaf(-1));
byId("older").addEventListener("click", () => leaf(1));
byId("zone").value = zone();
byId("zone").addEventListener("change", (event) => {
  setZone(event.target.value);
  show(orders.getState());
});

arrive();
