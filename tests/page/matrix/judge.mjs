/*
 * Every cell in every app: done through the page script in a real Chromium, judged by the app's own state.
 */
import { Hands, HANDS } from "../hands.mjs";
import { Lab } from "../lab.mjs";
import { APPS, EDITORS, STYLE, serveApps } from "./apps.mjs";
import { CELLS, EDITOR_CELLS } from "./cells.mjs";

/** Frames as soon as there is something to draw: what a page does is the same, and each act waits for frames. */
const HURRIED = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];
/** How long an app may take to have been told. */
const TOLD_MS = 1500;
export const MARKS = { done: "✓", refused: "refused", absent: "—", wrong: "✗" };

/** An element as a cell names it, as a query. */
export function queryOf(on) {
  if (on.startsWith("@")) return on === "@card" ? { text: "Card", attrs: { draggable: "true" } } : { testid: on.slice(1) };
  const [role, name] = on.split(":");
  return name ? { role, name } : { label: on, name: on };
}

/** One app in a tab, and what it must have been told so far. */
export class Sheet {
  /**
   * @param {{ask: Function, act: Function}} link who asks the page
   * @param {() => Promise<string | undefined>} read the app's state as the app shows it
   */
  constructor(link, read) {
    this.link = link;
    this.read = read;
    this.expected = { values: {}, n: {} };
    this.ref = null;
  }

  /** The app's state as it shows it; null until the app has come up. */
  async state() {
    const shown = await this.read();
    return shown ? JSON.parse(shown) : null;
  }

  /** Wait until the app's state is as told; answers what is wrong, or null. */
  async becomes(isRight) {
    const end = Date.now() + TOLD_MS;
    for (;;) {
      const state = await this.state();
      const wrong = isRight(state);
      if (!wrong || Date.now() > end) return wrong;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async run([action, on, args = {}, wanted = {}]) {
    if (action === "ref") {
      [{ ref: this.ref }] = (await this.link.ask("query", queryOf(on))).elements;
      return null;
    }
    if (action === "gone") {
      while ((await this.link.ask("query", queryOf(on))).elements.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return null;
    }
    if (action === "scroll") {
      const [{ ref }] = (await this.link.ask("query", queryOf(on))).elements;
      const { scrolled } = await this.link.ask("scroll", { ref, ...args });
      return scrolled ? null : "did not scroll";
    }
    return judgeAnswer(await this.link.act(action, on === "ref" ? this.ref : queryOf(on), args), wanted);
  }

  /** @returns {Promise<{mark: string, wrong?: string}>} */
  async cell(cell, app) {
    if (cell.not?.includes(app)) return { mark: MARKS.absent };
    let wrong = null;
    for (const step of cell.steps) {
      const found = await this.run(step);
      if (found) wrong ??= `${step[0]} ${step[1]}: ${found}`;
    }
    const told = await this.becomes(this.rule({ ...cell, ...cell.but?.[app] }));
    if (!wrong && !told) return { mark: cell.steps.some(([, , , wanted]) => wanted?.code) ? MARKS.refused : MARKS.done };
    // one fault is told once, not again by every cell that follows
    if (told) this.expected = await this.state();
    return { mark: MARKS.wrong, wrong: [wrong, told].filter(Boolean).join("; ") };
  }

  /** What the app's state must be: exactly as before but for what the cell tells. */
  rule({ tells, value }) {
    if (value) return ({ values }) => differs(pick(values, value), value);
    for (const [key, [told, times]] of Object.entries(tells)) {
      this.expected.values[key] = told;
      this.expected.n[key] = (this.expected.n[key] || 0) + times;
    }
    return (state) => differs(state, this.expected);
  }
}

const pick = (values, keys) => Object.fromEntries(Object.keys(keys).map((key) => [key, values[key]]));

/** What differs, in words; null when nothing does. */
function differs(state, expected, path = "") {
  const keys = new Set([...Object.keys(state), ...Object.keys(expected)]);
  const found = [...keys].flatMap((key) => {
    const [is, should] = [state[key], expected[key]];
    if (is && should && typeof is === "object" && typeof should === "object") return differs(is, should, `${path}${key}.`) ?? [];
    return is === should ? [] : `${path}${key} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`;
  });
  return found.length > 0 ? found.flat().join("; ") : null;
}

/** Whether a page's answer is what was wanted: refused with that code and those words, or done without a warning. */
export function judgeAnswer(answer, { code, says = /./, warns, effect = {}, invalid = false }) {
  if (code) {
    if (answer.ok) return `was done, ${code} was expected`;
    return answer.code === code && says.test(answer.error) ? null : `was refused with ${answer.code}: ${answer.error}`;
  }
  if (!answer.ok) return `was refused with ${answer.code}: ${answer.error}`;
  const { warning, effect: seen } = answer.result;
  if (warns ? !warns.test(warning ?? "") : warning) return `warned: ${warning}`;
  if (Boolean(seen.invalid) !== invalid) return `its form ${seen.invalid ? "was" : "was not"} refused by its own checks`;
  return differs(pick(seen, effect), effect, "effect.");
}

/**
 * Every cell of every app.
 * @param {(path: string, body: string) => Promise<Sheet>} open show a page
 * @param {string | string[] | null} only the names of some apps; null for all
 * @param {(cell: object) => object} as how a cell is done here
 * @returns {Promise<{rows: Array<{action: string, kind: string, cells: object}>, faults: string[]}>}
 */
export async function fillIn(open, only, as = (cell) => cell) {
  const rows = [];
  const faults = [];
  const pages = Object.keys(APPS).filter((app) => !only || [only].flat().includes(app)).map((app) => [app, APPS[app], CELLS]);
  for (const [app, body, cells] of [...pages, ["plain", EDITORS, EDITOR_CELLS]]) {
    const page = await open(`/app-${app.replace(" ", "-")}-${cells.length}`, body());
    if (await page.becomes((state) => (state ? null : "no state"))) throw new Error(`${app} did not come up`);
    for (const { action, kind, ...cell } of cells.map(as)) {
      let row = rows.find((one) => one.action === action && one.kind === kind);
      if (!row) rows.push((row = { action, kind, cells: {} }));
      const { mark, wrong } = await page.cell(cell, app);
      row.cells[app] = mark;
      if (wrong) faults.push(`${app}: ${action} · ${kind}: ${wrong}`);
    }
    const late = cells === CELLS && differs(await page.state(), page.expected);
    if (late) faults.push(`${app}: at the end: ${late}`);
  }
  return { rows, faults };
}

/** By script, in a tab of the lab's Chromium. */
export async function judgeAll(only = null) {
  const lab = await new Lab().start();
  try {
    serveApps(lab);
    let link = await lab.open(lab.page("/start", "<h1>Start</h1>"), [...HANDS, ...HURRIED]);
    const hands = await Hands.of(lab);
    const expression = "document.querySelector('[data-testid=state]')?.textContent";
    const read = async () => (await hands.send("Runtime.evaluate", { expression, returnByValue: true })).result.value;
    const judged = await fillIn(async (path, body) => {
      link = await lab.go(link, lab.page(path, body, STYLE));
      return new Sheet(link, read);
    }, only);
    hands.close();
    return judged;
  } finally {
    await lab.stop();
  }
}

/** The table, a line a row. */
export function table({ rows, faults }) {
  const apps = Object.keys(APPS);
  const lines = [["action", "element", ...apps], ...rows.map(({ action, kind, cells }) => [action, kind, ...apps.map((app) => cells[app] ?? MARKS.absent)])];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const marks = rows.flatMap(({ cells }) => Object.values(cells));
  const count = (mark) => marks.filter((one) => one === mark).length;
  return [
    ...lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()),
    "",
    `${count(MARKS.done)} done, ${count(MARKS.refused)} refused as they should be, ${count(MARKS.wrong)} wrong; ${count(MARKS.absent)} not in that app`,
    ...faults,
  ];
}
