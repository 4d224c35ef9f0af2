/** One order in a dialog: its lines, notes, and cancelling it. */
import { announce, api, byId, el } from "/lib.js";
import { money } from "/settings.js";
import { shownTime } from "/times.js";
import { orders } from "/orders.js";

let shown = null;
let opener = null;

export async function openDetail(number) {
  opener = document.activeElement;
  const order = await api("GET", `/api/orders/${number}`);
  shown = order;
  byId("detail-title").textContent = `Order ${order.id}`;
  byId("detail-lines").replaceChildren(...order.lines.map((line) => el("li", {}, `${line.count} × ${line.name}: ${money(line.cents)}`)));
  document.querySelector("[data-testid=detail-total]").textContent = money(order.cents);
  byId("notes").replaceChildren(...order.notes.map(noteItem));
  byId("note").value = "";
  byId("cancel").disabled = order.status === "cancelled";
  if (!byId("detail").open) byId("detail").showModal();
}

export function closeDetail() {
  if (byId("detail").open) byId("detail").close();
}

const noteItem = (note) => el("li", {}, `${shownTime(note.at)}: ${note.text}`);

function closed() {
  history.replaceState(null, "", `/orders${location.search}`);
  const button = shown && [...document.querySelectorAll("#rows button")].find((one) => one.textContent === `Open ${shown.id}`);
  (button ?? opener)?.focus();
  shown = null;
}

async function addNote() {
  const text = byId("note").value.trim();
  if (!text) return;
  const note = await api("POST", `/api/orders/${shown.id}/notes`, { text });
  byId("notes").append(noteItem(note));
  byId("note").value = "";
}

const setStatus = (id, status) => {
  const items = orders.getState().items.map((one) => (one.id === id ? { ...one, status } : one));
  orders.setState({ items });
};

/** Shown at once; taken back when the server does not want it. */
async function cancel() {
  const { id, status } = shown;
  setStatus(id, "cancelled");
  byId("cancel").disabled = true;
  try {
    await api("POST", `/api/orders/${id}/cancel`);
    announce(`Order ${id} was cancelled`);
    closeDetail();
  } catch (error) {
    setStatus(id, status);
    byId("cancel").disabled = false;
    announce(error.message, { kind: "alert" });
    closeDetail();
  }
}

byId("close").addEventListener("click", closeDetail);
byId("detail").addEventListener("close", closed);
byId("add-note").addEventListener("click", addNote);
byId("cancel").addEventListener("click", cancel);
