/** The cart's page. */
import { announce, api, byId, el } from "/lib.js";
import { showCount, signedIn } from "/frame.js";
import { money } from "/settings.js";
import { cart, openCart } from "/cart-data.js";

const sum = (name, words) => (document.querySelector(`[data-testid="${name}"]`).textContent = words);

function show(state) {
  byId("lines").replaceChildren(...state.lines.map(row));
  byId("empty").hidden = state.lines.length > 0;
  byId("shipping").value = state.shippingBy ?? "standard";
  sum("goods", money(state.cents));
  sum("discount", state.discount ? `−${money(state.discount)}` : "none");
  sum("shipping", state.shipping ? money(state.shipping) : "free");
  sum("due", money(state.due));
  showCount(state.count);
}

function row(line) {
  return el(
    "tr", { "data-testid": `line-${line.id}` },
    el("td", {}, line.name),
    el("td", {}, money(line.each)),
    el(
      "td", {},
      el("button", { "aria-label": `One ${line.name} less`, on: { click: () => change(line, line.count - 1) } }, "−"),
      el("span", { "data-testid": `pieces-${line.id}` }, String(line.count)),
      el("button", { "aria-label": `One ${line.name} more`, on: { click: () => change(line, line.count + 1) } }, "+"),
    ),
    el("td", { "data-testid": `sum-${line.id}` }, money(line.cents)),
    el("td", {}, el("button", { on: { click: () => remove(line) } }, `Take ${line.name} out`)),
  );
}

async function change(line, count) {
  if (count < 1) return remove(line);
  try {
    cart.setState(await api("PATCH", `/api/cart/lines/${line.id}`, { count }));
  } catch (error) {
    announce(`There are no more of ${line.name}`, { kind: "alert" });
  }
}

async function remove(line) {
  await api("DELETE", `/api/cart/lines/${line.id}`);
  cart.setState(await api("GET", "/api/cart"));
  announce(`${line.name} was taken out`);
  byId("title").focus();
}

async function redeem(event) {
  event.preventDefault();
  const code = byId("code");
  try {
    cart.setState(await api("POST", "/api/cart/coupon", { code: code.value.trim().toUpperCase() }));
    code.removeAttribute("aria-invalid");
    byId("code-problem").textContent = "";
    announce("Coupon applied");
  } catch (error) {
    code.setAttribute("aria-invalid", "true");
    byId("code-problem").textContent = error.message;
  }
}

async function ship(event) {
  cart.setState(await api("PUT", "/api/cart/shipping", { shipping: event.target.value }));
}

cart.subscribe(show);
byId("coupon").addEventListener("submit", redeem);
byId("shipping").addEventListener("change", ship);
addEventListener("currencychange", () => show(cart.getState()));
signedIn.then(openCart);
