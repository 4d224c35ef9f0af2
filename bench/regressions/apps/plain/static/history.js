/** The sales of former years: fetched once, searched here. */
import { api, byId, el } from "/lib.js";
import { money } from "/settings.js";

const SHOWN = 20;

let sales = null;

export async function searchHistory(words) {
  sales ??= api("GET", "/api/history");
  const found = (await sales).filter((sale) => sale.product.toLowerCase().includes(words.toLowerCase()));
  byId("former").textContent = `${found.length} sales`;
  byId("sales").replaceChildren(...found.slice(0, SHOWN).map((sale) => el("li", {}, `${sale.year}: ${sale.product} ${money(sale.cents)}`)));
}
