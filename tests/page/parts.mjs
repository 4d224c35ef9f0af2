/*
 * The page script for tests: the same files in the same order as the daemon joins them, either whole or as a scope
 * whose inner names can be asked for.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after } from "node:test";
import { JSDOM } from "jsdom";

/** Windows of this file's tests; their timers would keep the process alive. */
const windows = new Set();
after(() => {
  for (const window of windows) window.close();
});

const FOLDER = fileURLToPath(new URL("../../reticle/page/", import.meta.url));

/** The order, read from where the daemon reads it. */
export const PARTS = [...readFileSync(`${FOLDER}__init__.py`, "utf-8").matchAll(/^ {4}"(\w+\.js)",$/gm)].map((found) => found[1]);

const GUARD = 'if (Object.prototype.hasOwnProperty.call(window, "__reticle__")) return;\nObject.defineProperty(window, "__reticle__", { value: "0" });';

/** What stands around the script in a page that the daemon opened. */
export const PRELUDE = readFileSync(`${FOLDER}prelude.js`, "utf-8");

/** The script's text; without `start.js` nothing is watched and nobody is called. */
export function scriptText({ start = true, exports: names = [], launch = "null" } = {}) {
  const parts = PARTS.filter((name) => start || name !== "start.js");
  const text = parts.map((name) => readFileSync(FOLDER + name, "utf-8")).join("\n");
  const handed = names.length > 0 ? `return { ${names.join(", ")} };` : "";
  return `(function () {\n"use strict";\n${GUARD}\nconst SCRIPT_VERSION = "0.0.0-test";\nconst SCRIPT_HASH = "00000000000test0";\nconst LAUNCH = ${launch};\n${text}\n${handed}\n})()`;
}

/** A socket that tests drive. */
export function socketClass(window, made) {
  return class FakeSocket extends window.EventTarget {
    constructor(url) {
      super();
      this.url = url;
      this.sent = [];
      this.bufferedAmount = 0;
      this.readyState = 0;
      made.push(this);
    }

    send(text) {
      this.sent.push(JSON.parse(text));
    }

    close(code, reason) {
      this.closed = { code, reason };
    }

    open() {
      this.readyState = 1;
      this.dispatchEvent(new window.Event("open"));
    }

    receive(message) {
      this.dispatchEvent(new window.MessageEvent("message", { data: typeof message === "string" ? message : JSON.stringify(message) }));
    }

    drop(code = 1006, reason = "") {
      this.dispatchEvent(Object.assign(new window.Event("close"), { code, reason }));
    }
  };
}

/**
 * A page in jsdom with the inner names of the script.
 * @param {string} html
 * @param {string[]} names inner names to hand out
 * @param {{start?: boolean, url?: string, launch?: string, before?: (window: Window) => void}} [options]
 */
export function loadPage(html, names = [], options = {}) {
  const dom = new JSDOM(html, {
    url: options.url ?? "http://localhost:8000/shop",
    runScripts: "outside-only",
    pretendToBeVisual: true,
  });
  const { window } = dom;
  windows.add(window);
  const sockets = [];
  window.WebSocket = socketClass(window, sockets);
  window.TextDecoder = TextDecoder;
  if (options.before) options.before(window);
  const { start = false, launch } = options;
  const inner = window.eval(scriptText({ start, exports: names, launch })) ?? {};
  const sent = () => sockets.flatMap((socket) => socket.sent);
  return {
    dom,
    window,
    document: window.document,
    sockets,
    sent,
    /** All events that were sent or wait to be. */
    events: () => [...sent().filter((message) => message.kind === "events").flatMap((message) => message.events)],
    ...inner,
  };
}

/** As assert.deepEqual for what may come from the page's own realm: compared as JSON. */
export function same(actual, expected, message) {
  assert.deepEqual(JSON.parse(JSON.stringify(actual)), expected, message);
}

/** Wait until `look` gives something; a busy machine only makes it later. */
export async function until(window, look) {
  for (let round = 0; round < 500; round += 1) {
    const found = look();
    if (found) return found;
    await turn(window, 10);
  }
  throw new Error("waited 5 s in vain");
}

/** Let microtasks, mutation records and `soon` work run. */
export function turn(window, ms = 0) {
  return new Promise((resolve) => window.setTimeout(resolve, ms));
}
