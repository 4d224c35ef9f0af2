/*
 * Words that a failed write had sent and that are in no field any more.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const WORDS = 'A "long" sentence that nobody wants to write again';

const SECRET = "correct horse battery staple";

/** A form with words in it, as an act begins. */
function written(words = WORDS) {
  const page = loadPage('<label>Comment <textarea></textarea></label><label>Code <input type="password"></label><p></p>', ["lostWords"], { start: true });
  page.field = page.window.document.querySelector("textarea");
  page.field.value = words;
  page.window.document.querySelector("input").value = SECRET;
  page.lostWords.begin();
  page.ends = (outcome, request = { id: "n1", method: "POST" }) =>
    page.lostWords.ended(request, { ok: false, status: 422, requestBody: JSON.stringify({ words }), ...outcome });
  return page;
}

test("The field that a refused write left empty is told, whatever form the words were sent in.", () => {
  for (const requestBody of [JSON.stringify({ words: WORDS }), `x=1&words=${new URLSearchParams({ w: WORDS }).toString().slice(2)}`]) {
    const page = written();
    page.field.value = "";
    page.ends({ requestBody });
    same(page.lostWords.tell(), { emptied: [{ request: "n1", field: 'textbox "Comment"' }] });
    page.lostWords.begin();
    same(page.lostWords.tell(), {});
  }
});

test("Words that are kept, came back, stand elsewhere, or were sent again with success are not lost.", () => {
  const cases = {
    kept: () => undefined,
    back: (page) => { page.field.value = ""; page.field.value = WORDS; },
    elsewhere: (page) => { page.field.value = ""; page.window.document.querySelector("p").textContent = `Not sent: ${WORDS}`; },
    rendered: (page) => { page.field.value = ""; page.window.document.querySelector("p").innerHTML = "Not sent: A <q>long</q> sentence <b>that</b> nobody wants to write again."; },
    component: (page) => {
      page.field.value = "";
      page.window.document.querySelector("p").attachShadow({ mode: "open" }).innerHTML = `<i>${WORDS}</i>`;
    },
    innerField: (page) => {
      page.field.value = "";
      page.window.document.querySelector("p").attachShadow({ mode: "open" }).innerHTML = "<textarea></textarea>";
      page.window.document.querySelector("p").shadowRoot.firstChild.value = WORDS;
    },
    gone: (page) => page.field.remove(),
    again: (page) => { page.field.value = ""; page.ends({ ok: true, status: 201 }); },
  };
  for (const [name, then] of Object.entries(cases)) {
    const page = written();
    page.ends({});
    then(page);
    assert.deepEqual(Object.keys(page.lostWords.tell()), [], name);
  }
});

test("Credentials are looked at by nobody.", () => {
  const page = written();
  page.window.document.querySelector("input").value = "";
  page.ends({ requestBody: JSON.stringify({ code: SECRET }) });
  same(page.lostWords.tell(), {});
});

test("Short texts, reads, what was given up and other bodies are none.", () => {
  const lost = (page, ...ending) => {
    page.field.value = "";
    page.ends(...ending);
    return page.lostWords.tell();
  };
  same(lost(written("lamp"), {}), {});
  same(lost(written(), {}, { id: "n1", method: "GET" }), {});
  same(lost(written(), { aborted: true }), {});
  same(lost(written(), { requestBody: "{}" }), {});
  same(lost(written(), { requestBody: undefined }), {});
});
