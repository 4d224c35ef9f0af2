/*
 * The same cells by real input: where a mouse and a keyboard do it in another way, and what they cannot do.
 */
import { APPS } from "./apps.mjs";

const ALL = Object.keys(APPS);

/** Actions that hands do; the others stay with the script. */
export const BY_HAND = new Set(["click", "dblclick", "hover", "fill", "type", "clear", "press", "select", "check", "uncheck", "drag"]);

/** Fields whose value comes from parts or a picker of the browser's own, and lists that open in a window of theirs. */
const PICKERS = new Set(["date", "time", "datetime-local", "month", "week", "range", "colour"]);
const CLOSED = /^(select|optgroup|controlled, refused)$/;

/** Kinds whose text is entered, and said to be changed when it is left. */
const ENTERED = /^(text|textarea|email|password|number|masked|reformatting|maxlength)$/;

const refusedAs = (cell, code, says) => ({
  ...cell,
  steps: cell.steps.map(([action, on, args]) => [action, on, args, { code, says }]),
  tells: {},
  but: {},
});

/** What is otherwise by hand, by action and kind. */
const OTHERWISE = {
  "select several · multiple": (cell) => refusedAs(cell, "unsupported_surface", /each of them is a click of its own/),
  "click, force · covered": (cell) => refusedAs(cell, "occluded", /covered by status/),
  // the list was not chosen from and the slider not set by hand
  "press ArrowUp · select": (cell) => ({ ...cell, steps: [["press", "Size", { key: "ArrowDown" }]] }),
  "press ArrowUp · range": (cell) => ({ ...cell, steps: [["press", "Volume", { key: "ArrowUp" }]], tells: { volume: ["51", 1] }, but: { "Svelte 5": { tells: { volume: [51, 1] } } } }),
  // a field that is empty before and after was not changed
  "press Control+a, Delete · text": (cell) => ({ ...cell, steps: cell.steps.map(([action, on, args]) => [action, on, args]), but: { htmx: { tells: {} } } }),
  "press Home, a key · text": (cell) => ({ ...cell, steps: cell.steps.map(([action, on, args]) => [action, on, args]), but: { htmx: { tells: { name: ["abc", 1] } } } }),
  "scroll · scroller": (cell) => ({ ...cell, not: ALL }),
  // the browser enters a text with line breaks line by line
  "fill · textarea": (cell) => lines(cell),
  "fill again · textarea": (cell) => lines(cell),
  "press Control+c · clipboard": (cell) => ({ ...cell, steps: [["fill", "Paste here", { value: "clip" }], ["press", "Paste here", { key: "Control+a" }], ["press", "Paste here", { key: "Control+c" }]], tells: { copied: [true, 1] } }),
  "press Control+v · clipboard": (cell) => ({ ...cell, steps: [["fill", "Paste here", { value: "clip" }], ["press", "Paste here", { key: "Control+a" }], ["press", "Paste here", { key: "Control+x" }], ["press", "Paste here", { key: "Control+v" }, { effect: { value: "clip" } }]], tells: { pasted: ["clip", 1] } }),
  "press Control+x · clipboard": (cell) => ({ ...cell, steps: [["fill", "Paste here", { value: "cut" }], ["press", "Paste here", { key: "Control+a" }], ["press", "Paste here", { key: "Control+x" }, { effect: { value: "" } }]], tells: {} }),
};

/** An entered text of three parts: one event each for those who hear every one. */
function lines(cell) {
  const [told] = Object.entries(cell.tells.notes ? cell.tells : cell.but.plain.tells);
  const thrice = { tells: { [told[0]]: [told[1][0], 3] } };
  return entered({ ...cell, but: { ...cell.but, plain: thrice, "Svelte 5": thrice } });
}

/** With the field left at the end. */
function entered(cell) {
  return { ...cell, steps: [...cell.steps, ["blur", cell.steps.at(-1)[1]]] };
}

/** A cell as hands do it. */
export function byHand(cell) {
  const { action, kind } = cell;
  const otherwise = OTHERWISE[`${action} · ${kind}`];
  if (otherwise) return otherwise(cell);
  const writes = /^(fill|fill again|type|clear)$/.test(action);
  if (writes && PICKERS.has(kind) && !cell.steps[0][3]?.code) return refusedAs(cell, "unsupported_surface", /cannot be done by real input/);
  if (/^select/.test(action) && CLOSED.test(kind) && !cell.steps.at(-1)[3]?.code) {
    return cell.steps[0][3]?.effect && !cell.steps[0][3].warns ? { ...cell, not: ALL } : refusedAs(cell, "unsupported_surface", /window of the browser's own/);
  }
  const steps = cell.steps.map(([name, on, args, { effect, ...wanted } = {}]) => [name, on, args, { ...wanted, effect: withoutDefault(effect) }]);
  return writes && ENTERED.test(kind) ? entered({ ...cell, steps }) : { ...cell, steps };
}

/** Real keys do what they do: nobody tells of it. */
function withoutDefault({ defaultAction, ...effect } = {}) {
  return effect;
}
