/*
 * What the app says it has, and what was seen of it: test ids, signals, stores, flows, and who may do what with it.
 */

/** Names the app declared, and signals it sent. */
const declared = { testids: new Set(), signals: new Set(), stores: new Set(), flows: new Map(), governance: {} };
const signalsSeen = new Set();

const GOVERNANCE = ["owner", "safety", "scope", "redact", "risk"];

/** The texts in a list; objects stand for their `name`. */
function namesIn(list) {
  if (!Array.isArray(list)) return [];
  const names = list.map((item) => (isBranch(item) ? item.name : item)).filter((name) => typeof name === "string" && name !== "");
  return names.map((name) => clip(name, 128));
}

function addNames(set, names) {
  for (const name of names) if (set.size < LIMIT.DECLARED) set.add(name);
}

function addFlow(flow) {
  const name = typeof flow === "string" ? flow : isBranch(flow) && flow.name;
  if (typeof name !== "string" || name === "" || declared.flows.size >= LIMIT.DECLARED) return;
  const steps = isBranch(flow) && Array.isArray(flow.steps) ? flow.steps.slice(0, 50) : [];
  declared.flows.set(clip(name, 128), plain(steps));
}

/** Take what the app declares; several calls add up. */
function registerCapabilities(given) {
  connection.hasCapabilities = true;
  if (isBranch(given)) {
    for (const kind of ["testids", "signals", "stores"]) addNames(declared[kind], namesIn(given[kind]));
    for (const flow of Array.isArray(given.flows) ? given.flows.slice(0, LIMIT.DECLARED) : []) addFlow(flow);
    for (const source of [given, given.governance]) {
      for (const field of isBranch(source) ? GOVERNANCE : []) {
        if (source[field] !== undefined) declared.governance[field] = plain(source[field]);
      }
    }
    for (const key of namesIn(declared.governance.redact)) redactAlso(key);
  }
  connection.hello();
}

/** Test ids that stand in the page now. */
function presentTestids() {
  const testids = new Set();
  for (const element of elementsIn(document)) {
    const testid = testidOf(element);
    if (testid) testids.add(testid);
    if (testids.size > LIMIT.TESTIDS) break;
  }
  return testids;
}

/** The `capabilities` command. */
function runCapabilities(args) {
  allowOnly(args, [], "capabilities");
  askKits();
  const testids = [...new Set([...declared.testids, ...presentTestids()])].map(scrub);
  const result = {
    testids: testids.slice(0, LIMIT.TESTIDS),
    signals: [...new Set([...declared.signals, ...signalsSeen])].map(scrub),
    stores: [...new Set([...declared.stores, ...stores.keys()])].map(scrub),
    flows: [...declared.flows].map(([name, steps]) => ({ name, steps })),
  };
  if (testids.length > LIMIT.TESTIDS) result.truncated = true;
  if (Object.keys(declared.governance).length > 0) result.governance = declared.governance;
  return result;
}
