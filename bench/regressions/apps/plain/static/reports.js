/** Figures: the report by day, its explanation, and the sales of former years. */
import { announce, api, byId, createStore, el } from "/lib.js";
import "/frame.js";
import { money } from "/settings.js";
import { setZone, shownDay, zone } from "/times.js";
import { searchHistory } from "/history.js";

const LOOK_MS = 200;

const report = createStore("report", { state: "none", orders: [], cents: 0 });

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function run() {
  byId("run").disabled = true;
  byId("progress").textContent = "The report is being made";
  let found = await api("POST", "/api/reports");
  while (found.state === "running") {
    await pause(LOOK_MS);
    found = await api("GET", `/api/reports/${found.id}`);
  }
  report.setState(found);
  byId("progress").textContent = "The report is ready";
  byId("run").disabled = false;
}

function byDay(orders) {
  const days = new Map();
  for (const order of orders) {
    const day = shownDay(order.at);
    const of = days.get(day) ?? { count: 0, cents: 0 };
    days.set(day, { count: of.count + 1, cents: of.cents + order.cents });
  }
  return [...days];
}

function show({ state, orders, cents }) {
  if (state !== "done") return;
  const days = byDay(orders);
  document.querySelector("[data-testid=revenue]").textContent = money(cents);
  byId("days").replaceChildren(
    ...days.map(([day, of]) =>
      el("tr", { "data-testid": `day-${day}` }, el("td", {}, day), el("td", {}, String(of.count)), el("td", {}, money(of.cents))),
    ),
  );
  draw(days);
}

function draw(days) {
  const most = Math.max(...days.map(([, of]) => of.cents));
  byId("chart").replaceChildren(
    ...days.map(([day, of], n) => {
      const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const height = Math.round((of.cents / most) * 70);
      for (const [name, value] of Object.entries({ x: 10 + n * 40, y: 80 - height, width: 30, height, "data-testid": `bar-${day}` })) {
        bar.setAttribute(name, value);
      }
      return bar;
    }),
  );
}

async function explain() {
  const place = byId("explanation");
  place.textContent = "";
  const answer = await fetch("/api/explanations", { method: "POST" });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    place.textContent += value;
  }
  announce("Explained");
}

report.subscribe(show);
byId("run").addEventListener("click", run);
byId("explain").addEventListener("click", explain);
byId("zone").value = zone();
byId("zone").addEventListener("change", (event) => {
  setZone(event.target.value);
  show(report.getState());
});
addEventListener("currencychange", () => show(report.getState()));
byId("product").addEventListener("input", (event) => searchHistory(event.target.value.trim()));
