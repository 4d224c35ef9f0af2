/*
 * One page seen twice: by our page script and by Chromium's accessibility tree, matched by the browser's own node ids.
 */
import { scriptText } from "../parts.mjs";

const INNER = ["Outline", "describe", "elementsIn", "tagOf", "topModal"];

/** The script as in a page that the daemon opened, before the app's own, with nobody at the other end. */
const LAUNCH = '{ session: "accuracy", url: "ws://127.0.0.1:1/reticle", project: null, panel: false, console: true, channel: { send() {} } }';

/** Let the page script be there first in every document from now on. */
export function prepare(browser) {
  const source = `window.__inner = ${scriptText({ exports: INNER, launch: LAUNCH })};`;
  return browser.ask("Page.addScriptToEvaluateOnNewDocument", { source });
}

/** Runs in the page: what our script says of every element, and which of them have a line in the outline. */
function report(inner) {
  const { Outline, elementsIn, describe, tagOf, topModal } = inner;
  const shown = new Map();
  class Spied extends Outline {
    line(element, role, ...rest) {
      shown.set(element, role);
      super.line(element, role, ...rest);
    }
  }
  const outline = new Spied("full");
  outline.modal = topModal();
  outline.enter(document.documentElement, 0, 0, { told: false, named: false, hidden: false });
  const elements = [...elementsIn(document)];
  const seen = new Map();
  window.__accuracy = elements;
  return {
    truncated: outline.truncated,
    elements: elements.map((element) => {
      const tag = tagOf(element);
      const number = (seen.get(tag) ?? 0) + 1;
      seen.set(tag, number);
      const { role, name, states, value, visible, ...rest } = describe(element);
      return { label: element.id ? `${tag}#${element.id}` : `${tag}(${number})`, tag, role, name, states, value, visible, level: rest.level, shown: shown.has(element) };
    }),
  };
}

/** @returns {Promise<{ours: object, ax: object | undefined}[]>} every element of the page with what Chromium says of it */
export async function look(browser, url) {
  await browser.load(url);
  const { truncated, elements } = await browser.run(`(${report})(window.__inner)`);
  if (truncated) throw new Error(`${url}: the outline was cut; make the page smaller`);
  const ids = await browser.idsOf("window.__accuracy");
  const nodes = new Map((await browser.accessibleNodes()).map((node) => [node.backendDOMNodeId, node]));
  return elements.map((ours, index) => ({ ours, ax: nodes.get(ids[index]) }));
}
