/*
 * Rows without keys, which React keeps by where they stand: told where, since the last act began, the element of one row
 * came to show what that of another one had shown. React says once in a document which component draws such a list.
 */

const UNKEYED = Object.freeze({
  /** Components that are remembered, and told. */
  COMPONENTS: 20,
  /** Elements that are looked through. */
  ELEMENTS: 5000,
  /** Nodes of React's between a row's element and its list. */
  DEPTH: 8,
});

const unkeyedRows = (() => {
  const COMPLAINT = /unique "key" prop[^]*?render method of `([^`]+)`(?:\. It was passed a child from ([\w$]+(?:\.[\w$]+)*))?/;
  /** What somebody may have put something into, or which goes on by itself: what gets mixed up with the rows. */
  const KEEPS = "input, textarea, select, details, dialog, audio, video, iframe, [contenteditable]";

  /** Components that draw lists without keys, as React names them. */
  const complained = new Set();
  /** The rows as the last act began, each with its text. @type {Map<Element, {list: string, node: object, text: string}>} */
  let before = new Map();

  function heard(message) {
    const [, drawn, passed] = COMPLAINT.exec(message) || [];
    for (const name of [drawn, passed]) if (name && complained.size < UNKEYED.COMPONENTS) complained.add(name);
  }

  /** Whether children were handed over as one list; React freezes those that are written one by one. */
  function isList(children) {
    return Array.isArray(children) && !Object.isFrozen(children);
  }

  /** The component that draws the list of which an element is a row, and the row's node; if React complained of it. */
  function listOf(element) {
    for (let node = fiberOf(element), depth = 0; node && node.return && depth < UNKEYED.DEPTH; node = node.return, depth += 1) {
      const props = node.return.memoizedProps;
      const owner = node._debugOwner ? reactName(node._debugOwner.type) : undefined;
      if (node.key === null && complained.has(owner) && props && (isList(props) || isList(props.children))) return { owner, node };
      if (typeof node.return.type === "string") return undefined;
    }
    return undefined;
  }

  /** Rows that keep something and say what they are. */
  function rows() {
    const found = new Map();
    for (const element of [...document.getElementsByTagName("*")].slice(0, UNKEYED.ELEMENTS)) {
      const list = listOf(element);
      const text = list && element.querySelector(KEEPS) ? fold(element.textContent) : "";
      if (text) found.set(element, { list: list.owner, node: list.node, text });
    }
    return found;
  }

  function begin() {
    before = complained.size > 0 ? rows() : new Map();
  }

  /** The rows whose text is no other one's, by it; rows of other lists are others. */
  function byText(known) {
    const found = new Map();
    for (const [element, { list, text }] of known) {
      const name = `${list}\n${text}`;
      found.set(name, found.has(name) ? null : element);
    }
    return found;
  }

  /** The components whose rows got others' elements, with how many did, and where such a row is written. */
  function tell() {
    if (before.size < 2) return {};
    const stoodAt = byText(before);
    const mixed = new Map();
    for (const [name, element] of byText(rows())) {
      const earlier = stoodAt.get(name);
      if (!element || !earlier || earlier === element || !before.has(element)) continue;
      const { list: component, node } = before.get(element);
      const known = mixed.get(component) || { component, rows: 0, ...attempt("source", () => fiberWritten(node)) };
      mixed.set(component, { ...known, rows: known.rows + 1 });
    }
    return mixed.size > 0 ? { mixed: [...mixed.values()] } : {};
  }

  return { heard, begin, tell };
})();
