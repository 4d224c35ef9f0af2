/*
 * The one tab of a test file in a real Chromium. `lab` and `link` are live: whoever imports them sees the tab as it
 * is now. Node runs each test file in a process of its own, so files do not share it.
 */
import { after, before, describe } from "node:test";
import { findChromium, Lab } from "./lab.mjs";

/** React 18 as a classic script, for the head of a page. */
export const REACT = '<script src="/react.js"></script><script src="/react-dom.js"></script>';

/** @type {Lab} */
export let lab;
/** The socket of the document that the tab shows. */
export let link;

/** Tests with a tab open; they are skipped where there is no Chromium. `flags` are further ones for it. */
export function inChromium(title, tests, flags = []) {
  const skip = findChromium() ? false : "no Chromium on this machine (set RETICLE_CHROMIUM)";
  describe(title, { skip }, () => {
    before(async () => {
      lab = await new Lab().start();
      link = await lab.open(lab.page("/", "<h1>Start</h1>"), flags);
    });
    after(() => lab.stop());
    tests();
  });
}

/** Show a page in the tab. */
export async function show(path, body, head) {
  await go(lab.page(path, body, head));
  await link.event("net.request", (fields) => fields.initiator === "document");
  return link;
}

/** Go to an address of the lab. */
export async function go(url) {
  link = await lab.go(link, url);
  return link;
}

/** Wait for the document that comes after the `known` ones, and take it for the tab's. */
export async function follow(known, ms) {
  link = await lab.nextLink(known, ms);
  return link;
}
