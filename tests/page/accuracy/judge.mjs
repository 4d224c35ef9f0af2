/*
 * The whole corpus compared, and the differences held against those that are allowed.
 */
import { readFileSync } from "node:fs";
import { Browser } from "./browser.mjs";
import { differences } from "./compare.mjs";
import { look, prepare } from "./look.mjs";
import { corpus, serve } from "./pages.mjs";

/** How many tabs are looked at side by side. */
const TABS = 3;

/**
 * Why a difference may stand: `what` and, as far as they are given, `page`, `element` (its tag), `role`, `ours` and
 * `chromium` must be as listed, and it must come up exactly `times`;
 * what came or went with a version of Chromium, at most `upTo` times.
 */
const ALLOWED = JSON.parse(readFileSync(new URL("./allowed.json", import.meta.url), "utf-8"));

const isListed = (rule, found) =>
  ["what", "page", "element", "role", "ours", "chromium"].every((key) => !(key in rule) || [rule[key]].flat().includes(found[key]));

/** @returns {Promise<{pages: number, elements: number, texts: number, nodes: number, found: object[], faults: string[]}>} */
export async function compareAll() {
  const pages = corpus();
  const server = await serve(pages);
  const browser = await new Browser().start();
  const judged = { pages: pages.length, elements: 0, texts: 0, nodes: 0, found: [], faults: [] };
  try {
    const waiting = pages.map((page, index) => ({ page, url: `${server.origin}/${index}` }));
    const tabs = await Promise.all(Array.from({ length: TABS }, () => browser.tab()));
    await Promise.all(tabs.map(async (tab) => {
      await prepare(tab);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { page, url } = next;
        for (const one of await look(tab, url)) {
          judged.elements += one.ours ? 1 : 0;
          judged.texts += one.lines ? 1 : 0;
          judged.nodes += one.ax && !one.ax.ignored ? 1 : 0;
          for (const each of differences(one)) judged.found.push({ page: page.title, label: one.ours?.label ?? one.label, element: one.ours?.tag ?? one.label, role: one.ours?.role, ...each });
        }
      }
    }));
  } finally {
    await browser.stop();
    await server.close();
  }
  hold(judged);
  return judged;
}

/** Give each difference the reason for which it may stand, and tell what is wrong. */
function hold(judged) {
  const times = new Map(ALLOWED.map((rule) => [rule, 0]));
  for (const found of judged.found) {
    const rule = ALLOWED.find((each) => isListed(each, found));
    if (rule) {
      times.set(rule, times.get(rule) + 1);
      found.reason = rule.reason;
    } else judged.faults.push(`${found.page}: ${found.label}: ${found.what}: ours ${JSON.stringify(found.ours)}, Chromium ${JSON.stringify(found.chromium)}`);
  }
  for (const [rule, count] of times) {
    if ("upTo" in rule ? count > rule.upTo : count !== rule.times) judged.faults.push(`listed ${rule.times ?? rule.upTo} times and found ${count} times: ${JSON.stringify(rule)}`);
  }
}

/** What came out, in lines for a person. */
export function told({ pages, elements, texts, nodes, found, faults }) {
  const allowed = [...byReason(found)].map(([reason, list]) => `  ${String(list.length).padStart(4)}  ${reason}`);
  return [
    `${pages} pages, ${elements} elements, ${texts} texts, ${nodes} nodes of Chromium's tree compared: ${found.length} differences, ${found.filter((each) => each.reason).length} of them allowed:`,
    ...allowed,
    ...(faults.length > 0 ? ["not allowed:", ...faults.map((fault) => `  ${fault}`)] : ["nothing else differs"]),
  ];
}

function byReason(found) {
  const groups = new Map();
  for (const each of found) if (each.reason) groups.set(each.reason, [...(groups.get(each.reason) ?? []), each]);
  return groups;
}
