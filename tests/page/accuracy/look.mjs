/*
 * One page seen twice: by our page script and by Chromium's accessibility tree, matched by the browser's own node ids.
 */
import { scriptText } from "../parts.mjs";

const INNER = ["Outline", "describe", "descriptionOf", "elementsIn", "tagOf", "topModal"];

/** The script as in a page that the daemon opened, before the app's own, with nobody at the other end. */
const LAUNCH = '{ session: "accuracy", url: "ws://127.0.0.1:1/reticle", project: null, panel: false, console: true, channel: { send() {} } }';

/** Let the page script be there first in every document from now on. */
export function prepare(browser) {
  const source = `window.__inner = ${scriptText({ exports: INNER, launch: LAUNCH })};`;
  return browser.ask("Page.addScriptToEvaluateOnNewDocument", { source });
}

/** Runs in the page: what our script says of every element, and which of them have a line in the outline. */
function report(inner) {
  const { Outline, elementsIn, describe, descriptionOf, tagOf, topModal } = inner;
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
    lines: outline.lines,
    elements: elements.map((element) => {
      const tag = tagOf(element);
      const number = (seen.get(tag) ?? 0) + 1;
      seen.set(tag, number);
      const { role, name, states, value, visible, ...rest } = describe(element);
      return { label: element.id ? `${tag}#${element.id}` : `${tag}(${number})`, tag, role, name, states, value, visible, level: rest.level, description: descriptionOf(element), shown: shown.has(element) };
    }),
  };
}

/** Nodes of Chromium's that need no element of ours: the document itself, and what texts are made of. */
const NO_ELEMENT = new Set(["RootWebArea", "StaticText", "InlineTextBox", "ListMarker", "LineBreak"]);

/**
 * Every element of the page with what Chromium says of it, and what Chromium has beside them.
 * @returns {Promise<{ours: object | null, ax: object | undefined, lines?: string[]}[]>} ours is null for an element that we do
 *   not know, and for a text, which comes with the outline in which it should be
 */
export async function look(browser, url) {
  await browser.load(url);
  const { truncated, lines, elements } = await browser.run(`(${report})(window.__inner)`);
  if (truncated) throw new Error(`${url}: the outline was cut; make the page smaller`);
  const ids = await browser.idsOf("window.__accuracy");
  const nodes = new Map((await browser.accessibleNodes()).map((node) => [node.backendDOMNodeId, node]));
  const seen = elements.map((ours, index) => ({ ours, ax: nodes.get(ids[index]) }));
  for (const id of ids) nodes.delete(id);
  await Promise.all([...nodes].map(async ([id, ax]) => {
    const isText = ax.role?.value === "StaticText";
    if (ax.ignored || id === undefined || (NO_ELEMENT.has(ax.role.value) && !isText)) return;
    const place = await browser.placeOf(id);
    if (!place.shown) return;
    if (isText) seen.push({ ours: null, ax, label: "text", lines });
    else if (place.element) seen.push({ ours: null, ax, label: place.tag });
  }));
  return seen;
}
