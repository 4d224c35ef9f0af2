/*
 * The tree as a person sees it: open shadow roots in place of their hosts' children, slots filled, documents of
 * same-origin frames inside their frames. What cannot be entered is counted as a blind spot.
 */

/** Our own panel's element (panel.js): no part of the app's page. */
const PANEL_TAG = "reticle-panel";

/** Subtrees that never show anything of the app. */
const SKIPPED_TAGS = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "base", "title", PANEL_TAG]);

function isPanel(node) {
  return node.localName === PANEL_TAG;
}

/** Lower-case tag name without a prefix; SVG's `title` is not the document's. */
function tagOf(element) {
  return element.localName || "";
}

const INLINE_TAGS = new Set(
  "a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr".split(" "),
);

/** Whether an element's tag flows in its line of text unless a style says otherwise. */
function isInlineTag(element) {
  return INLINE_TAGS.has(tagOf(element));
}

/** Whether a node is an element, also one of a frame's document. */
function isElement(node) {
  return Boolean(node) && node.nodeType === 1;
}

/** The document inside a frame element, or null when it is another origin's or not loaded. */
function frameDocument(frame) {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}

function isFrame(element) {
  const tag = tagOf(element);
  return tag === "iframe" || tag === "frame";
}

/** Child nodes in the composed tree. */
function composedChildren(node) {
  if (isElement(node)) {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (isFrame(node)) {
      const inner = frameDepth(node) < LIMIT.FRAME_DEPTH ? frameDocument(node) : null;
      return inner && inner.documentElement ? [inner.documentElement] : [];
    }
    if (tagOf(node) === "slot" && typeof node.assignedNodes === "function") {
      const assigned = node.assignedNodes({ flatten: true });
      if (assigned.length > 0) return assigned;
    }
  }
  return node.childNodes;
}

/** How many frames an element is inside of. */
function frameDepth(element) {
  let depth = 0;
  let view = element.ownerDocument && element.ownerDocument.defaultView;
  while (view && view !== window && depth <= LIMIT.FRAME_DEPTH) {
    depth += 1;
    view = view.parent;
  }
  return depth;
}

/** The element around a node in the composed tree: slot, shadow host and frame element included. */
function composedParent(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (!parent) return null;
  if (isElement(parent)) return parent;
  if (parent.nodeType === 11) return parent.host || null;
  if (parent.nodeType === 9) {
    try {
      return (parent.defaultView && parent.defaultView.frameElement) || null;
    } catch {
      return null;
    }
  }
  return null;
}

/** Whether `outer` is `inner` or around it, through shadow roots and frames. */
function composedContains(outer, inner) {
  for (let node = inner; node; node = composedParent(node)) {
    if (node === outer) return true;
  }
  return false;
}

/** The nearest element, itself included, for which `test` holds. */
function composedClosest(element, test) {
  for (let node = element; node; node = composedParent(node)) {
    if (test(node)) return node;
  }
  return null;
}

/**
 * All elements inside `root` in document order, through open shadow roots and same-origin frames.
 * @param {Element | Document} root not included itself
 * @param {(element: Element) => boolean} [enter] false leaves out an element's inside
 */
function* elementsIn(root, enter = () => true) {
  const stack = [...composedChildren(root)].reverse();
  while (stack.length > 0) {
    const node = stack.pop();
    if (!isElement(node) || SKIPPED_TAGS.has(tagOf(node))) continue;
    yield node;
    if (enter(node)) {
      const children = composedChildren(node);
      for (let index = children.length - 1; index >= 0; index -= 1) stack.push(children[index]);
    }
  }
}

/**
 * What a `scope` argument means.
 * @param {unknown} scope a ref, a CSS selector, or nothing for the whole page
 * @returns {Element | null} null when it resolves to nothing
 */
function resolveScope(scope) {
  if (scope === undefined || scope === null || scope === "") return document.documentElement;
  if (typeof scope !== "string") throw badArguments("scope must be a ref or a CSS selector.");
  if (isRef(scope)) return refs.element(scope) || null;
  try {
    return document.querySelector(scope) || selectDeep(scope);
  } catch {
    throw badArguments(`scope ${clip(scope, LIMIT.NAME_CHARS)} is neither a ref nor a CSS selector.`);
  }
}

/** A selector's first match inside shadow roots and frames. */
function selectDeep(selector) {
  for (const element of elementsIn(document)) {
    const inner = element.shadowRoot || (isFrame(element) && frameDocument(element));
    const found = inner && inner.querySelector(selector);
    if (found) return found;
  }
  return null;
}
