"use strict";

const search = createStore({ suggestions: [], found: null });
window.reticle?.registerStore("search", search);

let asked = 0;

/** While the customer types: only the answer to the newest question counts. */
async function suggest(words) {
  asked += 1;
  const mine = asked;
  const { answer } = await ask("GET", `/api/products?q=${encodeURIComponent(words)}`);
  if (mine !== asked && variant !== "stale-search") return;
  search.setState({ suggestions: words ? answer.products.map((product) => product.name) : [] });
}

async function searchAll(words) {
  const { answer } = await ask("POST", "/api/search", { words, limit: 50 });
  showProducts(answer.products);
  search.setState({ suggestions: [], found: answer.products.length });
  byId("found").textContent = `${answer.products.length} found for “${answer.words}”`;
}

search.subscribe(({ suggestions }) => {
  byId("suggestions").replaceChildren(
    ...suggestions.map((name) => {
      const item = document.createElement("li");
      item.textContent = name;
      return item;
    }),
  );
});

byId("search").elements.words.addEventListener("input", (event) => suggest(event.target.value));
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  searchAll(event.target.elements.words.value);
});
