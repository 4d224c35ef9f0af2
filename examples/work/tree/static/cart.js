// What was put into the basket: a line for each article, with its quantity.
const basket = new Map();

export function add(article) {
  const line = basket.get(article.id) ?? { article, quantity: 0 };
  line.quantity += 1;
  basket.set(article.id, line);
}

export function lines() {
  return [...basket.values()].map(({ article, quantity }) => ({ id: article.id, quantity }));
}

export function total() {
  return [...basket.values()].reduce((sum, { article }) => sum + article.cents, 0);
}
