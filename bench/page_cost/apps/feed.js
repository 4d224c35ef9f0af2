/*
 * What happens on the board, always the same: of one seed. 25 prices, 14 states, 5 orders that go and 5 that come make,
 * with the summary's line, 50 changes of the document in each frame.
 */
const ROWS = 10_000;
const PRICES = 25;
const STATES = 14;
const COMING = 5;
const NAMES = ["Lamp", "Desk", "Chair", "Shelf", "Rug", "Clock", "Vase", "Stool"];

export const price = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });

/** A small generator of numbers below 1, the same for each run. */
function lots(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export class Feed {
  constructor() {
    this.lot = lots(7);
    this.made = 0;
    this.orders = Array.from({ length: ROWS }, () => this.order());
  }

  order() {
    this.made += 1;
    const name = `${NAMES[this.made % NAMES.length]} ${this.made}`;
    return { id: this.made, name, amount: 1 + Math.floor(this.lot() * 9), price: 5 + this.lot() * 500, state: "open" };
  }

  /** The orders after one frame, as values: what changed is a new object. */
  next() {
    const orders = this.orders.slice();
    const changed = [];
    const chosen = new Set();
    const choose = () => {
      for (;;) {
        const at = Math.floor(this.lot() * orders.length);
        if (!chosen.has(at)) {
          chosen.add(at);
          return at;
        }
      }
    };
    const change = (what) => {
      const at = choose();
      orders[at] = { ...orders[at], ...what(orders[at]) };
      changed.push(orders[at]);
    };
    for (let count = 0; count < PRICES; count += 1) change((order) => ({ price: order.price + 0.5 + this.lot() }));
    for (let count = 0; count < STATES; count += 1) change((order) => ({ state: order.state === "open" ? "held" : "open" }));
    const gone = new Set(Array.from({ length: COMING }, () => orders[choose()]));
    const added = Array.from({ length: COMING }, () => this.order());
    this.orders = [...orders.filter((order) => !gone.has(order)), ...added];
    return { changed, added, removed: gone };
  }
}

/** Which hundred an order is listed under. */
export const hundred = (order) => Math.floor(order.id / 100);

/** The line below the board. */
export function summary(orders) {
  const held = orders.filter((order) => order.state === "held");
  const total = orders.reduce((sum, order) => sum + order.amount * order.price, 0);
  return `${orders.length} orders, ${held.length} held, ${price.format(total)}`;
}
