import { useState, useSyncExternalStore } from "react";
import { orders } from "./store.js";

/** Sends an order. Never looks at what the server answers: with a failing one, `Saved` is a lie. */
async function save(name) {
  const answer = await fetch("/api/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  orders.set({ names: [...orders.get().names, name], said: `Saved ${name}` });
  if (answer.ok) orders.onSaved(name);
}

export function Orders() {
  const { names, said } = useSyncExternalStore(orders.subscribe, orders.get);
  const [name, setName] = useState("");
  const [gift, setGift] = useState(false);
  return (
    <main>
      <h1>Orders</h1>
      <label>
        Name <input data-testid="name" value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label>
        <input type="checkbox" checked={gift} onChange={(event) => setGift(event.target.checked)} /> Gift
      </label>
      <button onClick={() => save(name)} disabled={!name}>Save</button>
      <button onClick={() => orders.set({ names: Array.from({ length: 100 }, (_, at) => `Row ${at}`) })}>Many</button>
      <p role="status">{said}</p>
      <p>{gift ? "Wrapped as a gift" : "Not wrapped"}</p>
      <ul>{names.map((each) => <li key={each}>{each}</li>)}</ul>
    </main>
  );
}
