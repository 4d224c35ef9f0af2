/*
 * Orders without a framework.
 */
const orders = { names: [], said: "", onSaved: () => {} };
const listeners = new Set();
const by = (id) => document.getElementById(id);

function show(change) {
  Object.assign(orders, change);
  by("said").textContent = orders.said;
  by("names").replaceChildren(...orders.names.map((name) => Object.assign(document.createElement("li"), { textContent: name })));
  for (const listener of listeners) listener();
}

/** Sends an order. Never looks at what the server answers: with a failing one, `Saved` is a lie. */
async function save(name) {
  const answer = await fetch("/api/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  show({ names: [...orders.names, name], said: `Saved ${name}` });
  if (answer.ok) orders.onSaved(name);
}

by("name").addEventListener("input", () => {
  by("save").disabled = !by("name").value;
});
by("save").addEventListener("click", () => save(by("name").value));
by("many").addEventListener("click", () => show({ names: Array.from({ length: 100 }, (_, at) => `Row ${at}`) }));
by("gift").addEventListener("change", () => {
  by("wrapped").textContent = by("gift").checked ? "Wrapped as a gift" : "Not wrapped";
});
by("second").search = window.location.search;
if (window.reticle && !new URLSearchParams(window.location.search).has("kit")) {
  window.reticle.registerStore("orders", {
    get: () => orders,
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  });
}
