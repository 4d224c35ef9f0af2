/*
 * What changes in the document: one MutationObserver, extended to open shadow roots and same-origin frames.
 */

/** Attributes whose change is reported. */
const WATCHED_ATTRIBUTE = /^(class|hidden|disabled|open|value|data-state|aria-.*)$/;

/** Names of attributes and whether they are watched; an app has few of them and changes them often. */
const attributeNames = new Map();

function isWatchedAttribute(name) {
  let known = attributeNames.get(name);
  if (known === undefined) {
    known = WATCHED_ATTRIBUTE.test(name);
    if (attributeNames.size < LIMIT.DECLARED) attributeNames.set(name, known);
  }
  return known;
}

/** Counts what happens during an act, and collects the text that came up. */
const activity = {
  running: 0,
  mutations: 0,
  texts: [],
  begin() {
    takeRecords();
    this.running += 1;
    this.mutations = 0;
    this.texts = [];
  },
  end() {
    takeRecords();
    this.running -= 1;
    acted = true;
    return { mutations: this.mutations, appeared: clip(fold(this.texts.join(" ")), LIMIT.TEXT_CHARS) };
  },
  note(text) {
    if (this.running > 0 && text && !this.texts.includes(text) && this.texts.length < 40) this.texts.push(text);
  },
};

/** Whether an act was done in this document: then also what a still loading document adds is reported. */
let acted = false;

/** Whether the parser is done: what it inserts before is not a change of the page. */
let parsed = document.readyState !== "loading";

/** What one batch may report of each event type, and what it had to leave out. */
class Batch {
  constructor() {
    this.counts = new Map();
    this.dropped = new Map();
  }

  /** Whether there is room for one more; if not, it counts as left out. */
  takes(kind, type) {
    if ((this.counts.get(kind) || 0) < LIMIT.DOM_BATCH) return true;
    this.dropped.set(type, (this.dropped.get(type) || 0) + 1);
    return false;
  }

  emit(kind, type, fields, ref) {
    this.counts.set(kind, (this.counts.get(kind) || 0) + 1);
    emit(type, fields, ref);
  }

  close() {
    for (const [channel, dropped] of this.dropped) emit(EVENT.TRUNCATED, { channel, dropped });
  }
}

/** Look at records that were not delivered yet. */
function takeRecords() {
  if (!domObserver) return;
  const records = domObserver.takeRecords();
  if (records.length > 0) readRecords(records);
}

/** Whether a record is about our own panel's element. */
function isOwnRecord(record) {
  if (isPanel(record.target)) return true;
  return record.type === "childList" && [...record.addedNodes, ...record.removedNodes].some(isPanel);
}

function readRecords(given) {
  const records = panel.exists ? given.filter((record) => !isOwnRecord(record)) : given;
  if (activity.running > 0) activity.mutations += records.length;
  if (records.length > 0) {
    motionAndLoads.stirred();
    noteFed(records[0].target);
  }
  if (!parsed && !acted && activity.running === 0) {
    meetFrames(records);
    watchRegions(new Set(records.map((record) => record.target)));
    return;
  }
  if (domFlood.takesOver(records.length)) {
    domFlood.count(records);
    return;
  }
  const batch = new Batch();
  const seen = sortRecords(records);
  for (const node of seen.added) reportAdded(batch, node, seen.added);
  for (const [node, parent] of seen.removed) reportRemoved(batch, node, parent, seen.removed);
  for (const [element, text] of seen.texts) reportText(batch, element, text);
  for (const [element, attributes] of seen.attributes) {
    for (const [name, old] of attributes) reportAttribute(batch, element, name, old);
  }
  batch.close();
  watchRegions([...seen.added, ...seen.texts.keys(), ...seen.attributes.keys()]);
}

/** One batch's records by what they mean; old values are those before the batch. */
function sortRecords(records) {
  const seen = { added: new Set(), removed: new Map(), texts: new Map(), attributes: new Map() };
  for (const record of records) {
    const { target } = record;
    if (record.type === "attributes") {
      noteAttribute(seen.attributes, target, record.attributeName, record.oldValue);
    } else if (record.type === "characterData") {
      const parent = target.parentElement || composedParent(target);
      if (parent && !seen.texts.has(parent)) seen.texts.set(parent, record.oldValue);
    } else {
      noteChildren(seen, record);
    }
  }
  return seen;
}

function noteAttribute(attributes, element, name, old) {
  if (!attributes.has(element)) attributes.set(element, new Map());
  const known = attributes.get(element);
  if (!known.has(name)) known.set(name, old);
}

function noteChildren(seen, record) {
  let removedText = "";
  let touchedText = false;
  const { addedNodes, removedNodes } = record;
  for (let index = 0; index < removedNodes.length; index += 1) {
    const node = removedNodes[index];
    if (isElement(node)) {
      if (seen.added.delete(node)) continue;
      seen.removed.set(node, record.target);
    } else if (node.nodeType === 3) {
      removedText += node.data;
      touchedText = touchedText || Boolean(node.data.trim());
    }
  }
  for (let index = 0; index < addedNodes.length; index += 1) {
    const node = addedNodes[index];
    if (isElement(node)) {
      if (!seen.removed.delete(node)) seen.added.add(node);
    } else if (node.nodeType === 3) touchedText = touchedText || Boolean(node.data.trim());
  }
  const element = isElement(record.target) ? record.target : record.target.host;
  if (touchedText && element && !seen.texts.has(element)) seen.texts.set(element, removedText);
}

/** Whether a node lies inside another of the set: then that one's report stands for it. */
function isInsideOneOf(node, set) {
  for (let parent = composedParent(node); parent; parent = composedParent(parent)) if (set.has(parent)) return true;
  return false;
}

function reportAdded(batch, element, added) {
  if (!element.isConnected || SKIPPED_TAGS.has(tagOf(element)) || isInsideOneOf(element, added)) return;
  watchInside(element);
  if (!batch.takes("added", EVENT.DOM_ADDED)) return;
  if (isInSecretText(element)) return;
  const text = clip(scrub(fold(searchedText(element))), LIMIT.TEXT_CHARS);
  const role = roleOf(element);
  if (role === "generic" && !text) return;
  if (activity.running > 0 && text && isVisible(element)) activity.note(text);
  const fields = { role, name: clip(scrub(nameOf(element)), LIMIT.TEXT_CHARS), ...(text ? { text } : {}) };
  batch.emit("added", EVENT.DOM_ADDED, fields, refs.of(element));
}

function reportRemoved(batch, element, parent, removed) {
  if (element.isConnected || SKIPPED_TAGS.has(tagOf(element))) return;
  if (removed.has(parent) || isInsideOneOf(parent, removed)) return;
  if (parent.closest && isInSecretText(parent)) return;
  if (!batch.takes("removed", EVENT.DOM_REMOVED)) return;
  const role = roleOf(element);
  if (role === "generic" && !fold(element.textContent)) return;
  const name = authorName(element) || (NAMED_BY_CONTENT.has(role) || role === "generic" ? fold(element.textContent) : "");
  batch.emit("removed", EVENT.DOM_REMOVED, { role, name: clip(scrub(name), LIMIT.TEXT_CHARS) });
}

function reportText(batch, element, before) {
  if (!element.isConnected || SKIPPED_TAGS.has(tagOf(element))) return;
  const text = ownText(element);
  const old = fold(before);
  if (text === old || isInSecretText(element)) return;
  if (activity.running > 0 && isVisible(element)) activity.note(clip(scrub(text), LIMIT.TEXT_CHARS));
  if (!batch.takes("changed", EVENT.DOM_TEXT)) return;
  const fields = { text: clip(scrub(text), LIMIT.TEXT_CHARS), old: clip(scrub(old), LIMIT.TEXT_CHARS) };
  batch.emit("changed", EVENT.DOM_TEXT, fields, refs.of(element));
}

/** The text directly in an element, not that of elements inside it. */
function ownText(element) {
  let text = "";
  for (const node of element.childNodes) if (node.nodeType === 3) text += node.data;
  return fold(text);
}

function reportAttribute(batch, element, name, old) {
  if (name === "type") notePasswordBefore(element, old);
  if (!isWatchedAttribute(name) || !element.isConnected) return;
  const value = element.getAttribute(name);
  if (value === old) return;
  if (isUnfolding(name, value)) noteUnfolded(element);
  const secret = name === "value" && isSecretField(element);
  const shown = (text) => (text === null ? null : secret ? REDACTED : clip(attributeText(name, text), LIMIT.TEXT_CHARS));
  if (!batch.takes("changed", EVENT.DOM_ATTR)) return;
  batch.emit("changed", EVENT.DOM_ATTR, { attr: name, value: shown(value), old: shown(old) }, refs.of(element));
}

/** A field that was one for passwords stays one for us. */
function notePasswordBefore(element, type) {
  if (type === "password") oncePassword.add(element);
}

function startDomWatch() {
  if (!native.MutationObserver) return;
  domObserver = new native.MutationObserver((records) => attempt("mutations", () => readRecords(records)));
  beforeFlush.push(takeRecords, lookAtUnseen);
  watchDocument();
}

/** Watch this window's document from its beginning. */
function watchDocument() {
  parsed = document.readyState !== "loading";
  watchRoot(document);
  listen(document, "DOMContentLoaded", "loaded", () => {
    takeRecords();
    parsed = true;
    baselineRegions(document);
    watchInside(document.documentElement);
  });
  if (parsed) {
    baselineRegions(document);
    watchInside(document.documentElement);
  }
}
