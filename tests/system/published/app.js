/*
 * A small app as its owner would write it: the published package connects, a store is registered, and a few
 * controls do something that can be claimed.
 */
import { reticle, registerStore } from "@reticlehq/browser";

const state = { saved: 0, color: "red", agreed: false };
registerStore("shop", () => state);
reticle.connect({ url: `ws://localhost:${DAEMON_PORT}/reticle`, projectId: "published-app" });

const by = (id) => document.getElementById(id);

by("save").addEventListener("click", async () => {
  const answer = await fetch("/api/save", { method: "POST", body: by("name").value });
  state.saved = (await answer.json()).saved;
  const done = document.createElement("div");
  done.setAttribute("role", "status");
  done.textContent = `Saved ${by("name").value}`;
  document.body.append(done);
});
by("color").addEventListener("change", (event) => {
  state.color = event.target.value;
});
by("agree").addEventListener("click", (event) => {
  state.agreed = event.target.checked;
});
by("frame").addEventListener("click", () => {
  by("frame").after(Object.assign(document.createElement("iframe"), { srcdoc: "<p role=alert>Out of stock</p>" }));
  by("frame").textContent = "Framed";
});
by("many").addEventListener("click", () => {
  const list = document.createDocumentFragment();
  for (let number = 0; number < 100; number += 1) {
    const item = document.createElement("li");
    item.textContent = `Row ${number}`;
    list.append(item);
  }
  by("rows").append(list);
});
