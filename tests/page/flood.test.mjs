/*
 * A document that changes without an end while no agent asks: little of it is looked at, and what was not is declared.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn, until } from "./parts.mjs";

const FLOODED = ["dom.added", "dom.attr", "dom.removed", "dom.text", "visible.shown"];

/** A started page past its load, with a list of 1,500 rows; `flood` changes all of them in batches of 50. */
async function flooded() {
  const rows = Array.from({ length: 1500 }, (_, at) => `<li>${at}</li>`).join("");
  const page = loadPage(`<ul>${rows}</ul><p role="alert"></p><input type="password">`, ["queue", "connection", "domFlood", "activity", "isSecretField"], { start: true });
  await turn(page.window, 5);
  page.sockets[0].open();
  const items = [...page.document.querySelectorAll("li")];
  const shown = (type) => {
    page.connection.flush();
    return page.events().filter((event) => event.type === type);
  };
  const command = (name, args) => {
    page.sockets[0].receive({ kind: "command", id: name, name, args });
    return until(page.window, () => page.sent().find((message) => message.id === name));
  };
  const flood = async (word) => {
    for (let from = 0; from < items.length; from += 50) {
      for (const item of items.slice(from, from + 50)) item.textContent = `${word} ${from}`;
      await turn(page.window);
    }
  };
  /** However slow the machine is, and however much room came back meanwhile. */
  const begin = async () => {
    for (let round = 0; round < 20 && !page.domFlood.running; round += 1) await flood(`first ${round}`);
    assert.ok(page.domFlood.running);
  };
  return { ...page, items, shown, command, flood, begin };
}

test("What a flood changes is told as far as there is room, and the rest is declared as lost.", async () => {
  const { begin, flood, shown } = await flooded();
  await begin();
  const told = shown("dom.text").length;
  assert.ok(told >= 1000, String(told));
  await flood("then");
  assert.equal(shown("dom.text").length, told);
  same([...new Set(shown("truncated").map((event) => event.data.channel))].sort(), FLOODED);
});

test("A command ends the flood: everything after it is told, and the loss is declared before.", async () => {
  const { begin, flood, shown, command, items, document, events, domFlood } = await flooded();
  await begin();
  const alert = document.querySelector("[role=alert]");
  alert.textContent = "Said while nobody looked";
  await command("snapshot", {});
  assert.ok(!domFlood.running);
  await flood("second");
  items[7].textContent = "the last";
  alert.title = "touched";
  assert.equal(shown("dom.text").filter((event) => event.data.text.startsWith("second")).length, 1500);
  assert.equal(shown("dom.text").at(-1).data.text, "the last");
  same(shown("visible.shown").map((event) => event.data.text), []);
  alert.textContent = "Said now";
  same(shown("visible.shown").map((event) => event.data.text), ["Said now"]);
  const types = events().map((event) => event.type);
  assert.ok(types.lastIndexOf("truncated") < events().findIndex((event) => event.data.text?.startsWith("second")));
});

test("A flood that is over is found out without a command, and changes are told again.", async () => {
  const { begin, shown, items, window, domFlood } = await flooded();
  await begin();
  await until(window, () => !domFlood.running);
  items[3].textContent = "again";
  assert.equal(shown("dom.text").at(-1).data.text, "again");
});

test("A password field that is made readable in a flood stays one whose value is not told.", async () => {
  const { begin, document, window, isSecretField } = await flooded();
  await begin();
  const field = document.querySelector("input");
  field.type = "text";
  await turn(window);
  assert.ok(isSecretField(field));
});

test("A large change of a quiet page is no flood.", async () => {
  const { document, shown, window, domFlood } = await flooded();
  document.querySelector("ul").innerHTML = Array.from({ length: 3000 }, (_, at) => `<li>New ${at}</li>`).join("");
  await turn(window);
  assert.ok(!domFlood.running);
  assert.equal(shown("dom.added").length, 200);
  same(shown("truncated").map((event) => event.data.channel).sort(), ["dom.added", "dom.removed"]);
});
