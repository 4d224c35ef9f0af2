/*
 * Films and sounds: one that is on its way, plays to its end or seeks tells the app of it by events, also where no document
 * holds it, and one of a blob is asked of no server.
 */

const recordings = (() => {
  /** So many are followed. */
  const MOST = 1000;
  /** Those that the app gave something to play, as weak references. */
  let met = [];

  function keep(media) {
    met = met.filter((held) => held.deref() !== undefined && held.deref() !== media).slice(1 - MOST);
    met.push(new WeakRef(media));
  }

  function isGoing(media) {
    if (!media) return false;
    const { networkState, readyState, paused, ended, loop, seeking } = media;
    return seeking || (networkState === 2 && readyState < 4) || !(paused || ended || loop);
  }

  return {
    keep,
    /** Follow those of a window: this one, or that of a frame of this origin. */
    watch(view) {
      const media = view.HTMLMediaElement && view.HTMLMediaElement.prototype;
      for (const name of ["src", "srcObject"]) watchAccessor(media, name, "work", keep);
      replaceFunction(media, "load", "work", keep);
      const made = () => ({
        returned(sound) {
          keep(sound);
          return sound;
        },
      });
      replaceFunction(view, "Audio", "work", made, true);
    },
    /** Whether any may soon tell something. */
    areGoing() {
      if (met.some((held) => isGoing(held.deref()))) return true;
      return ["video", "audio"].some((tag) => Array.prototype.some.call(document.getElementsByTagName(tag), isGoing));
    },
  };
})();
