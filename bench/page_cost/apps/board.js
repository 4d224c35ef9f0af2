/*
 * A board of 10,000 orders as people write it without a framework: a store of plain rows, one small component for each
 * row, a summary over all of them. Each frame the feed brings what makes 50 changes of the document.
 */
import { Feed, hundred, price, summary } from "./feed.js";

class Cell {
  constructor(row) {
    this.element = row.appendChild(document.createElement("span"));
    this.text = "";
  }

  show(text) {
    if (text === this.text) return;
    this.text = text;
    this.element.textContent = text;
  }
}

class OrderRow {
  constructor(order) {
    this.element = listOf(hundred(order)).appendChild(document.createElement("li"));
    this.cells = [0, 1, 2].map(() => new Cell(this.element));
    this.show(order);
  }

  show(order) {
    const [name, amount, cost] = this.cells;
    name.show(order.name);
    amount.show(String(order.amount));
    cost.show(price.format(order.price));
    if (order.state !== this.state) {
      this.state = order.state;
      this.element.setAttribute("class", order.state);
    }
  }

  remove() {
    this.element.remove();
  }
}

const board = document.querySelector("#board");
const lists = new Map();

/** The list of one hundred orders. */
function listOf(number) {
  if (!lists.has(number)) lists.set(number, board.appendChild(document.createElement("ul")));
  return lists.get(number);
}

const status = document.querySelector("#summary");
const feed = new Feed();
const rows = new Map(feed.orders.map((order) => [order.id, new OrderRow(order)]));

function frame() {
  const { changed, added, removed } = feed.next();
  for (const order of changed) rows.get(order.id).show(order);
  for (const { id } of removed) {
    rows.get(id).remove();
    rows.delete(id);
  }
  for (const order of added) rows.set(order.id, new OrderRow(order));
  status.textContent = summary(feed.orders);
}

/** Take away all rows and put them back, as a single-page app does that leaves a view and comes to it again. */
function remount() {
  for (const row of rows.values()) row.remove();
  rows.clear();
  for (const order of feed.orders) rows.set(order.id, new OrderRow(order));
}

window.app = { frame, remount };
