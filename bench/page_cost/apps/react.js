/*
 * The same board with React 19: memoised rows, one state, each frame rendered in it.
 */
import { createElement, memo } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { Feed, hundred, price, summary } from "./feed.js";

const OrderRow = memo(({ order }) =>
  createElement(
    "li",
    { className: order.state },
    createElement("span", null, order.name),
    createElement("span", null, order.amount),
    createElement("span", null, price.format(order.price)),
  ),
);

function Board({ orders }) {
  const lists = new Map();
  for (const order of orders) {
    const number = hundred(order);
    if (!lists.has(number)) lists.set(number, []);
    lists.get(number).push(createElement(OrderRow, { key: order.id, order }));
  }
  return [...lists].map(([number, rows]) => createElement("ul", { key: number }, rows));
}

const feed = new Feed();
const root = createRoot(document.querySelector("#board"));
const status = createRoot(document.querySelector("#summary"));

function render() {
  root.render(createElement(Board, { orders: feed.orders }));
  status.render(summary(feed.orders));
}

function frame() {
  feed.next();
  flushSync(render);
}

function remount() {
  flushSync(() => root.render(null));
  flushSync(render);
}

flushSync(render);
window.app = { frame, remount };
