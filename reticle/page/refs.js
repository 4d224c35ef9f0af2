/*
 * Refs: `e` and a number, stable while the element lives and unique over all documents of a tab.
 * Numbers are taken from the tab's storage in blocks, so two documents that live at once never share one.
 */

const REF_KEY = "__reticle_ref_next";

const refs = {
  byElement: new WeakMap(),
  byName: new Map(),
  next: 0,
  end: 0,
  /** So many names are worth a look at which of them can go. */
  sweptFrom: 10000,

  /** Take the next block of numbers for this document. */
  reserve() {
    const stored = Number(tabMemory.get(REF_KEY));
    const first = Math.max(Number.isSafeInteger(stored) ? stored : 0, this.end, 1);
    this.next = first;
    this.end = first + LIMIT.REFS_PER_BLOCK - (first % LIMIT.REFS_PER_BLOCK || 0);
    tabMemory.set(REF_KEY, String(this.end));
  },

  /** The ref of an element, minted on first use. */
  of(element) {
    const known = this.byElement.get(element);
    if (known) return known;
    if (this.next >= this.end) {
      this.reserve();
      this.sweep();
    }
    const name = `e${this.next}`;
    this.next += 1;
    this.byElement.set(element, name);
    this.byName.set(name, { held: new WeakRef(element), epoch: editEpoch });
    return name;
  },

  /** The live element of a ref, or undefined. */
  element(name) {
    const known = this.byName.get(name);
    const element = known && known.held.deref();
    return element && element.isConnected && isReachable(element) ? element : undefined;
  },

  /** Whether this document once gave out the ref. */
  knows(name) {
    return this.byName.has(name);
  },

  /** Whether the app's code was hot-updated since the ref was given out. */
  isEdited(name) {
    const known = this.byName.get(name);
    return Boolean(known) && known.epoch < editEpoch;
  },

  /** Forget the names of elements that were collected, but not that they existed in the last block or so. */
  sweep() {
    if (this.byName.size < this.sweptFrom) return;
    for (const [name, { held }] of this.byName) {
      if (!held.deref()) this.byName.delete(name);
    }
    // what lives is looked at again when there is twice as much, not with each block
    this.sweptFrom = Math.max(10000, 2 * this.byName.size);
  },
};

/** Whether an element's document is still shown: the main one, or that of a frame that still holds it. */
function isReachable(element) {
  const view = element.ownerDocument.defaultView;
  if (!view) return false;
  return element.ownerDocument === document || view.document === element.ownerDocument;
}

/** Whether a text is a ref and not a CSS selector. */
function isRef(text) {
  return typeof text === "string" && /^e\d+$/.test(text);
}
