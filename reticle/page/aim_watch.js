/*
 * Where real input goes: what was aimed at gets it, or nobody does. The `landed` command tells what came of it.
 */

/** Everything that a hand sends; stopped at the window when it would reach something else. */
const HAND_EVENTS = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu",
  "keydown", "keypress", "keyup", "beforeinput", "dragstart", "drop",
];

/** What says that a key stroke, or the text that it writes, begins. */
const STROKES = new Set(["keydown", "beforeinput"]);
/** The event whose default an action is about. */
const MAIN_EVENTS = { [ACTION.CLICK]: "click", [ACTION.DBLCLICK]: "dblclick", [ACTION.PRESS]: "keydown" };

const CLICK_COVERED =
  "Something came to lie over it while the button was down: the browser gave the click to what lies around both.";

/** The one aim that is open; acts wait until it is over. */
const aims = {
  open: null,
  made: 0,
  /** @returns {Promise<void> | undefined} until then nothing else may act */
  over() {
    return this.open ? this.open.over : undefined;
  },
};

/** Real input that is under way. */
class Aim {
  constructor({ element, action, expected, report, before, watched }) {
    aims.made += 1;
    this.over = new native.Promise((resolve) => {
      this.end = resolve;
    });
    this.id = `a${aims.made}`;
    Object.assign(this, { element, action, expected, report, before, watched });
    this.words = spoken(element);
    /** Who got the first press, and the first key. */
    this.pressed = null;
    this.struck = null;
    /** Who would have got what was meant for another. */
    this.astray = null;
    /** Who got the click. */
    this.clicked = null;
    this.dragging = null;
    this.dropped = false;
    this.main = null;
    aims.open = this;
    const heldMs = expected.heldMs || 0;
    this.timer = native.setTimeout(() => attempt("aim", () => this.close()), LIMIT.AIM_MS + heldMs);
  }

  /** Stop watching. @returns what the page did meanwhile */
  close() {
    native.clearTimeout(this.timer);
    if (aims.open === this) aims.open = null;
    this.end();
    const { watched } = this;
    this.watched = null;
    return watched ? watched.end() : null;
  }

  /** A real event on its way to an element; what would go astray is stopped. */
  see(event) {
    const target = event.composedPath()[0];
    const { mouse, keys } = this.expected;
    // each press of several, too: what the first click opens must not get the second. The pointer's event begins it;
    // where the app has drawn what was pressed anew by then, the mouse's comes somewhere else.
    const presses = event.type === "pointerdown" || (event.type === "mousedown" && !this.pressed);
    if (!this.astray && presses) {
      if (mouse && reaches(mouse, target)) this.pressed ||= target;
      else this.astray = target;
    }
    // and each character of a text; a single key is the app's, wherever it leads the focus meanwhile
    const expects = !this.struck || this.action !== ACTION.PRESS;
    if (!this.astray && expects && STROKES.has(event.type)) {
      if (keys && isElement(target) && composedContains(keys, target)) this.struck ||= target;
      else this.astray = target;
    }
    if (this.astray) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (event.type === "click") this.clicked = target;
    if (event.type === "dragstart") this.dragging = event;
    if (event.type === "drop") this.dropped = true;
    if (event.type === MAIN_EVENTS[this.action]) this.main = event;
  }

  /** Whether it became drag and drop, which an app may prevent to follow the mouse itself. */
  get dragged() {
    return Boolean(this.dragging) && !this.dragging.defaultPrevented;
  }

  /** Refuse where something else was hit, or nothing. */
  requireLanded() {
    const { mouse, keys } = this.expected;
    if (this.astray) {
      const there = isElement(this.astray);
      const begun = Boolean(this.pressed || this.struck);
      const details = { ...(there ? { received: coverOf(this.astray) } : {}), ...(begun ? { may_have_happened: true } : {}) };
      throw new Refused(
        REFUSAL.WRONG_TARGET,
        `The page changed: real input meant for ${this.words} would have reached ${there ? spoken(this.astray) : "the page"}. ${begun ? "That was stopped; what came before it was done." : "It was stopped; nothing was done."}`,
        begun ? "Look at what the page shows now, then act on each element by itself." : "Take a new snapshot, then act again.",
        details,
      );
    }
    if (this.action === ACTION.HOVER) {
      if (!hasLayout() || attempt("hover", () => mouse.matches(":hover"), false)) return;
      throw new Refused(
        REFUSAL.WRONG_TARGET,
        `The mouse came to where ${this.words} was, and it is not there any more.`,
        "Take a new snapshot, then act again.",
      );
    }
    const missed = (mouse && !this.pressed && !this.expected.told?.focused) || (keys && !this.struck);
    if (!missed) return;
    throw new Refused(
      REFUSAL.WRONG_TARGET,
      `Real input was meant for ${this.words}, and none was seen there: the page changed, or something of another origin lay over it.`,
      "Look at what the page shows now before acting again: something may have been hit.",
      { may_have_happened: true },
    );
  }

  /** Wait for what the act is about, where the app draws it later; not for what reached another. */
  async drawn() {
    if (!this.astray && this.pressed) await this.expected.drawn?.();
  }

  /** A browser clicks what lay under the mouse both when the button went down and when it came up. */
  clickWarning() {
    if (!this.clicked) return { warning: CLICK_LOST };
    return reaches(this.expected.mouse, this.clicked) ? {} : { warning: CLICK_COVERED };
  }

  /** @returns {Done} */
  done() {
    const { reached, done } = this.expected;
    const got = this.pressed || this.struck;
    return {
      prevented: Boolean(this.main && this.main.defaultPrevented),
      scrolled: Boolean(reached && reached.scrolled),
      ...(got && got !== this.element ? { received: coverOf(got) } : {}),
      ...(this.action === ACTION.CLICK ? this.clickWarning() : {}),
      ...(done ? done(this) : {}),
    };
  }
}

/** The `landed` command: real input was sent; what came of it, in an act report. */
async function runLanded(args) {
  allowOnly(args, ["aim"], "landed");
  const aim = aims.open;
  if (!aim || aim.id !== args.aim) {
    throw new Refused(
      REFUSAL.PAGE_ERROR,
      "This document waits for no such input: it was loaded since, or another act began.",
      "Look at what the page shows now before acting again.",
      { may_have_happened: true },
    );
  }
  const settled = await settle();
  await aim.drawn();
  const seen = aim.close();
  aim.requireLanded();
  // who asked for the tab was a person's click for the browser: it opened, and is a page of its own
  const opened = seen.opened.effect?.opened.some((one) => one.blocked) ? seen.opened : { ...seen.opened, warning: undefined };
  return actReport(aim.element, aim.before, aim.done(), { ...seen, opened }, { ...aim.report, ...settled, inputMode: "trusted" });
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startAimWatch(view = window) {
  const see = (event) => {
    if (aims.open && event.isTrusted) aims.open.see(event);
  };
  for (const type of HAND_EVENTS) listen(view, type, "aim", see, { passive: false });
}
