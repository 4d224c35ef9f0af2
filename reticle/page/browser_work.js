/*
 * What the browser does for the app out of sight and then calls it back: databases, cryptography, files, caches, decoders,
 * images, fonts, media, messages. An answer that comes out of it looks like one that comes out of nothing, so that while
 * any of it goes on, whoever began it, more may come; and what the last act began and has an end is waited for.
 */

const WORK = Object.freeze({
  /** What is followed at once, of each kind. */
  MOST: 1000,
  /** What began, ended or came may bring more for so long; less than limits.CALM_MS, or each act takes another look. */
  STIRRED_MS: 20,
  /** So long after a first scroll the second one comes, if it is a motion. */
  NEXT_SCROLL_MS: 50,
  /** What takes some frames by way of another process, and may be told by nothing, is over after so long. */
  TRAVERSAL_MS: 300,
  /** Between two looks at what tells its end by nothing. */
  LOOK_MS: 25,
});

const browserWork = (() => {
  /** @type {Set<{since: number, isOwn: boolean}>} */
  const underWay = new Set();
  /** When the last of it began, ended or brought something. */
  let stirredAt = -Infinity;
  /** Whether a message was posted since one of ours, posted behind it, came back: in a busy page that takes its time. */
  let isPosting = false;
  /** When each `AbortSignal.timeout` is over. */
  let timeouts = [];
  /** Ends of the steps in the history that are on their way. */
  const traversals = new Set();
  /** The last scrolls: two in a row are a motion. */
  let scrolledAt = -Infinity;
  let scrollsUntil = -Infinity;

  /** For a moment more may come, so that a chain of short ones counts as a whole. */
  function stir() {
    stirredAt = native.now();
    changed();
  }

  /**
   * Something begins; answers what is to be called at its end.
   * @param {boolean} hasEnd whether it ends by itself: what waits for a person or for another tab is none of the act's work
   */
  function begin(hasEnd) {
    const entry = { since: native.now(), isOwn: hasEnd };
    if (underWay.size >= WORK.MOST) underWay.delete(underWay.values().next().value);
    underWay.add(entry);
    stir();
    return () => {
      underWay.delete(entry);
      stir();
    };
  }

  /** A call that answers with a promise; the app gets one that is kept or broken as that is, and handles it or not. */
  const promising = (hasEnd) => () => ({
    returned(promise) {
      if (!promise || typeof promise.then !== "function") return promise;
      const end = begin(hasEnd);
      const carried = causes.carry();
      return promise.then(
        (value) => {
          end();
          causes.resume(carried);
          return value;
        },
        (error) => {
          end();
          causes.resume(carried);
          throw error;
        },
      );
    },
  });

  /** As it was before the app ran. */
  const { then } = native.Promise.prototype;

  /** The battery answers with the same promise each time, which the app gets. */
  const observing = () => ({
    returned(promise) {
      const end = begin(true);
      Reflect.apply(then, promise, [end, end]);
      return promise;
    },
  });

  /** So does a font, and a handler of ours would handle that it breaks: it is looked at instead. */
  const observeFace = (face) => ({
    returned(promise) {
      const end = begin(true);
      const look = () => (face.status === "loading" ? native.setTimeout(look, WORK.LOOK_MS) : end());
      look();
      return promise;
    },
  });

  /** What is over when one of these events comes at it. */
  function until(target, types) {
    const end = begin(true);
    for (const type of types) listen(target, type, "work", end, { once: true });
  }

  const ending = (types) => () => ({
    returned(target) {
      if (target) until(target, types);
      return target;
    },
  });

  /** A call that calls back: over when it does. A lock that is held is the app's to keep. */
  const callingBack = (hasEnd) => (self, args) => {
    const place = args.findIndex((each) => typeof each === "function");
    if (place < 0) return;
    const callback = args[place];
    const end = begin(hasEnd);
    args[place] = function (...given) {
      end();
      return Reflect.apply(callback, this, given);
    };
  };

  function posted(port) {
    stir();
    if (!isPosting) {
      isPosting = true;
      soon(() => {
        isPosting = false;
        stir();
      });
    }
    return {
      returned(result) {
        causes.posted(port);
        return result;
      },
    };
  }

  /** A motion of the page begins: its first scroll comes with a frame. */
  function observeScrolling(scroller, args) {
    if (args.some((each) => each && each.behavior === "smooth")) scrollsUntil = native.now() + LIMIT.SCROLL_MS;
  }

  /** A step in the history, which another process takes; one that leads nowhere is told by nothing. */
  function observeTraversal() {
    const end = begin(true);
    traversals.add(end);
    native.setTimeout(() => traversals.delete(end) && end(), WORK.TRAVERSAL_MS);
  }

  /** The document is at another step of its history. */
  function endTraversals() {
    for (const end of traversals) end();
    traversals.clear();
  }

  /** The app changes the document when the browser has a picture of it as it was. */
  function observeTransition(self, args) {
    if (typeof args[0] === "function") callingBack(true)(self, args);
    else if (args[0]) native.setTimeout(begin(true), WORK.TRAVERSAL_MS);
  }

  function observeTimeout(signals, [ms]) {
    const now = native.now();
    timeouts = timeouts.filter((due) => due > now).slice(1 - WORK.MOST);
    if (typeof ms === "number") timeouts.push(now + ms);
  }

  function hasMedia() {
    if (document.fonts && document.fonts.status === "loading") return true;
    return pictures.areLoading() || recordings.areGoing();
  }

  function isFresh({ since }, now) {
    return now - since <= LIMIT.TIMER_WORK_MS;
  }

  return {
    stir,
    /** Follow what is begun in a window: this one, or that of a frame of this origin. */
    watch(view) {
      for (const [owner, names] of endingCalls(view)) for (const name of names) replaceFunction(owner, name, "work", promising(true));
      for (const [owner, names] of waitingCalls(view)) for (const name of names) replaceFunction(owner, name, "work", promising(false));
      const of = (name) => view[name] && view[name].prototype;
      replaceFunction(of("Navigator"), "getBattery", "work", observing);
      replaceFunction(of("FontFace"), "load", "work", observeFace);
      replaceFunction(of("IDBFactory"), "open", "work", ending(["success", "error"]));
      replaceFunction(of("IDBFactory"), "deleteDatabase", "work", ending(["success", "error"]));
      for (const name of ["back", "forward", "go"]) replaceFunction(of("History"), name, "work", observeTraversal);
      for (const name of ["back", "forward", "traverseTo"]) replaceFunction(of("Navigation"), name, "work", observeTraversal);
      replaceFunction(of("Document"), "startViewTransition", "work", observeTransition);
      replaceFunction(of("IDBDatabase"), "transaction", "work", ending(["complete", "abort"]));
      for (const name of ["readAsArrayBuffer", "readAsBinaryString", "readAsDataURL", "readAsText"]) {
        replaceFunction(of("FileReader"), name, "work", (reader) => until(reader, ["loadend"]));
      }
      replaceFunction(of("HTMLCanvasElement"), "toBlob", "work", callingBack(true));
      replaceFunction(of("LockManager"), "request", "work", callingBack(false));
      replaceFunction(of("MessagePort"), "postMessage", "work", posted);
      for (const name of ["scroll", "scrollTo", "scrollBy", "scrollIntoView"]) {
        replaceFunction(of("Element"), name, "work", observeScrolling);
        replaceFunction(view, name, "work", observeScrolling);
      }
      replaceFunction(view.AbortSignal, "timeout", "work", observeTimeout);
      listen(view, "message", "work", stir);
      replaceFunction(of("HTMLMediaElement"), "play", "work", (media) => {
        recordings.keep(media);
        return promising(false)();
      });
      recordings.watch(view);
      pictures.watch(view);
    },
    start() {
      pictures.start();
      for (const type of ["popstate", "hashchange"]) listen(window, type, "work", endTraversals);
      this.watchScrolls(document);
    },
    /** The app's own motion of what a root scrolls: a jump is one event, a motion one in each frame. */
    watchScrolls(root) {
      listen(root, "scroll", "work", () => {
        const now = native.now();
        scrollsUntil = now + (now - scrolledAt < LIMIT.SCROLL_MS ? LIMIT.SCROLL_MS : WORK.NEXT_SCROLL_MS);
        scrolledAt = now;
      });
    },
    /** None of what goes on is the next act's. */
    disown() {
      for (const entry of underWay) entry.isOwn = false;
    },
    /** How much of what the last act began goes on; what takes too long is given up. */
    count() {
      const now = native.now();
      let count = 0;
      for (const entry of underWay) if (entry.isOwn && isFresh(entry, now)) count += 1;
      return count;
    },
    /** Whether any of it began, ended or brought something a moment ago: what follows from that may not be seen yet. */
    isStirred: () => isPosting || native.now() - stirredAt < WORK.STIRRED_MS,
    /** For how many milliseconds nothing comes out of it; 0 while any of it goes on. */
    quietFor() {
      const now = native.now();
      if (now < scrollsUntil || hasMedia()) return 0;
      for (const entry of underWay) if (isFresh(entry, now)) return 0;
      return timeouts.reduce((least, due) => (due > now ? Math.min(least, Math.round(due - now)) : least), LIMIT.TIMER_TOLD_MS);
    },
  };
})();
