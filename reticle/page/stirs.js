/*
 * How often anything happens in the page, and whether a frame was drawn since: what tells a page that has come to rest
 * (rest.js) from one that has only not been heard of for a while.
 */

/** How often anything happened that we know of; the app's changes, callbacks and answers among it. */
let stirs = 0;
let changes = 0;
/** How many changes the last frame of ours was drawn after. */
let drawnChanges = 0;
/** Who waits for the next stir. @type {(() => void) | undefined} */
let onStir;

/** Something is reported. */
function stirred() {
  stirs += 1;
  if (onStir) onStir();
}

/** The app did something, which a frame has to be drawn after. */
function changed() {
  changes += 1;
  stirred();
}

/** Call `work` when the next frame has been drawn. What changes while its callbacks run needs another one. */
function afterFrame(work) {
  native.requestAnimationFrame(() => {
    const before = changes;
    soon(() => {
      drawnChanges = before;
      work();
    });
  });
}
