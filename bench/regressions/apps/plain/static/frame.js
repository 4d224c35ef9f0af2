/** The head of every page. */
import { api, byId, createStore, el } from "/lib.js";
import { currency, language, setCurrency, setLanguage, setTheme, theme, translate } from "/settings.js";

const PAGES = ["shop", "cart", "orders", "stock", "reports", "account"];

export const session = createStore("session", { role: null, profile: null });

const choice = (label, options, chosen, choose) => {
  const field = el("select", { on: { change: () => choose(field.value) } });
  for (const [value, words] of Object.entries(options)) field.append(new Option(words, value, false, value === chosen));
  return el("label", {}, el("span", { "data-t": label }), " ", field);
};

export function showCount(count) {
  byId("cart-count").textContent = String(count);
}

function frame() {
  const links = PAGES.map((page) => el("a", { href: `/${page}`, "data-t": page }));
  const count = el("span", { id: "cart-count", "data-testid": "cart-count", class: "count" }, "0");
  const dark = el("button", {
    "data-t": "dark",
    "aria-pressed": String(theme() === "dark"),
    on: {
      click() {
        const next = theme() === "dark" ? "light" : "dark";
        setTheme(next);
        dark.setAttribute("aria-pressed", String(next === "dark"));
      },
    },
  });
  byId("frame").append(
    el("nav", {}, ...links.flatMap((link, n) => (n === 1 ? [link, count] : [link]))),
    choice("currency", { USD: "USD", EUR: "EUR", JPY: "JPY" }, currency(), setCurrency),
    choice("language", { en: "English", de: "Deutsch" }, language(), setLanguage),
    dark,
    el("span", { id: "who", "data-testid": "who" }),
  );
  document.documentElement.dataset.theme = theme();
  session.subscribe(({ profile }) => (byId("who").textContent = profile?.name ?? "Signed out"));
  translate();
}

frame();

/** Comes with the cart once both are known. */
export const signedIn = Promise.all([api("GET", "/api/session"), api("GET", "/api/cart")]).then(([who, cart]) => {
  session.setState(who);
  showCount(cart.count);
  return cart;
});
