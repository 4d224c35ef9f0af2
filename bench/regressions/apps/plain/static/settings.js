/** Language, currency and theme of this browser. */

const WORDS = {
  en: {
    shop: "Shop", cart: "Cart", orders: "Orders", stock: "Stock", reports: "Reports", account: "Account",
    search: "Search", sortBy: "Sort by", byName: "Name", byPrice: "Price", currency: "Currency", language: "Language",
    dark: "Dark mode", add: "Add {name}", added: "{name} was added", soldOut: "{name} is not in stock",
    favourite: "Favourite {name}", previous: "Previous", next: "Next", page: "Page {page} of {pages}",
    products: { one: "{n} product", other: "{n} products" }, total: "Total:", welcome: "Everything for a room",
  },
  de: {
    shop: "Laden", cart: "Warenkorb", orders: "Bestellungen", stock: "Bestand", reports: "Berichte", account: "Konto",
    search: "Suche", sortBy: "Sortieren nach", byName: "Name", byPrice: "Preis", currency: "Währung", language: "Sprache",
    dark: "Dunkel", add: "{name} in den Warenkorb", added: "{name} liegt im Warenkorb", soldOut: "{name} ist nicht auf Lager",
    favourite: "{name} merken", previous: "Zurück", next: "Weiter", page: "Seite {page} von {pages}",
    products: { one: "{n} Artikel", other: "{n} Artikel" }, total: "Summe:", welcome: "Alles für ein Zimmer",
  },
};

const RATES = { USD: 1, EUR: 0.92, JPY: 150 };
const SIGNS = { USD: "$", EUR: "€", JPY: "¥" };

export function language() {
  return localStorage.getItem("language") ?? "en";
}

export function setLanguage(code) {
  localStorage.setItem("language", code);
  translate();
}

export function t(key, values = {}) {
  const words = WORDS[language()][key];
  const form = typeof words === "string" ? words : words[values.n === 1 ? "one" : "other"];
  return form.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Put the words of the language into every element that names them. */
export function translate() {
  document.documentElement.lang = language();
  for (const each of document.querySelectorAll("[data-t]")) each.textContent = t(each.dataset.t);
  dispatchEvent(new Event("languagechange"));
}

export function currency() {
  return document.cookie.match(/(?:^|; )currency=(\w+)/)?.[1] ?? "USD";
}

export function setCurrency(code) {
  document.cookie = `currency=${code}; path=/; max-age=31536000; samesite=lax`;
  dispatchEvent(new Event("currencychange"));
}

export function money(cents) {
  const code = currency();
  const amount = (cents / 100) * RATES[code];
  const digits = code === "JPY" ? 0 : 2;
  return SIGNS[code] + amount.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function theme() {
  return localStorage.getItem("theme") ?? "light";
}

export function setTheme(name) {
  localStorage.setItem("theme", name);
  document.documentElement.dataset.theme = name;
}
