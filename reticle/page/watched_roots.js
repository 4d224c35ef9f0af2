/*
 * What the one MutationObserver watches: this document, open shadow roots and documents of frames that we see into.
 */

let domObserver = null;
/** Roots that are watched already. */
const watchedRoots = new WeakSet();
/** Whether there was ever one that is not this document. */
let hasInnerRoots = false;

/** Watch a document, a shadow root or a frame's document. */
function watchRoot(root) {
  if (!domObserver || !root || watchedRoots.has(root)) return;
  watchedRoots.add(root);
  if (root !== document) {
    hasInnerRoots = true;
    browserWork.watchScrolls(root);
  }
  domObserver.observe(root, EVERYTHING);
}

/** Look at more or at less of this document from now on; what was seen and not delivered stays. */
function observeDocument(what) {
  domObserver.observe(document, what);
}

/** Watch the shadow roots and frames inside an element that came into the page, and its own. */
function watchInside(element) {
  watchNode(element);
  if (!element.firstElementChild) return;
  const inner = element.getElementsByTagName("*");
  for (let index = 0; index < inner.length; index += 1) watchNode(inner[index]);
}

function watchNode(node) {
  const root = node.shadowRoot;
  if (root) {
    watchRoot(root);
    for (const child of root.children) watchInside(child);
  } else if (isFrame(node)) watchFrame(node);
}

/** The shadow roots and documents of frames below a root. */
function rootsInside(root, found = []) {
  for (const node of root.querySelectorAll("*")) {
    const inner = node.shadowRoot || (isFrame(node) ? frameDocument(node) : null);
    if (!inner || found.includes(inner)) continue;
    found.push(inner);
    rootsInside(inner, found);
  }
  return found;
}
