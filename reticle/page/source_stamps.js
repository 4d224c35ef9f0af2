/*
 * Places that a build or a template engine wrote into the page's attributes.
 */

/** Attributes that hold `file:line[:column]`: ours, TanStack's, the Vue inspector's, LocatorJS's path form, others'. */
const PLACE_ATTRIBUTES = ["data-reticle-source", "data-tsd-source", "data-v-inspector", "data-locatorjs", "data-source"];

/** A place that names its line. */
const PLACE_TEXT = /^\S(?:.*\S)?:\d+(?::\d+)?$/;

/** The place in an attribute of an element itself; undefined without one. @returns {string | undefined} */
function stampOn(element) {
  if (element.attributes.length === 0) return undefined;
  for (const name of PLACE_ATTRIBUTES) {
    const text = element.getAttribute(name);
    // what our own attribute says is taken as it stands: whoever writes it means us
    if (text && (name === PLACE_ATTRIBUTES[0] || PLACE_TEXT.test(text))) return text;
  }
  return codeInspectorStamp(element) || reactInspectorStamp(element) || locatorStamp(element) || angularStamp(element);
}

/** code-inspector: `file:line:column:tag`. */
function codeInspectorStamp(element) {
  const found = /^(.+:\d+:\d+):[\w.-]+$/.exec(element.getAttribute("data-insp-path") || "");
  return found ? found[1] : undefined;
}

/** react-dev-inspector: file, line and column in attributes of their own. */
function reactInspectorStamp(element) {
  const file = element.getAttribute("data-inspector-relative-path");
  const line = element.getAttribute("data-inspector-line");
  const column = element.getAttribute("data-inspector-column");
  if (!file || !/^\d+$/.test(line || "")) return undefined;
  return `${file}:${line}${/^\d+$/.test(column || "") ? `:${column}` : ""}`;
}

/** LocatorJS: `file::number`, and what the number stands for in a global of its own. */
function locatorStamp(element) {
  const found = /^(.+)::(\d+)$/.exec(element.getAttribute("data-locatorjs-id") || "");
  const known = found && window.__LOCATOR_DATA__;
  const file = known && (known[found[1]] || known[found[1].replace(/\\/g, "/")]);
  const start = file && file.expressions && file.expressions[Number(found[2])] && file.expressions[Number(found[2])].loc.start;
  return start && Number.isInteger(start.line) ? `${found[1]}:${start.line}:${start.column + 1}` : undefined;
}

/** Angular's template places, if its compiler was asked for them: `file@o:offset,l:line,c:column`, counted from 0. */
function angularStamp(element) {
  const found = /^(.+)@o:\d+,l:(\d+),c:(\d+)$/.exec(element.getAttribute("data-ng-source-location") || "");
  return found ? `${found[1]}:${Number(found[2]) + 1}:${Number(found[3]) + 1}` : undefined;
}
