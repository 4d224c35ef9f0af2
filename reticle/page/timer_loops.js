/*
 * Which one-shot timers go on by themselves: poll loops and clocks that set the next one with the same code and delay.
 */

const timerLoops = (() => {
  /** Delay and code of one-shots that go on by themselves. */
  const loops = new Set();
  /** Delay and code of those that ran twice for the last act. */
  const repeated = new Set();
  /** Their delays: what has another one costs nothing more. */
  const delays = new Set();
  /** Delay and code of one-shots that ran, with the act that they belong to. @type {Map<string, number>} */
  const known = new Map();
  /** Functions whose code is not theirs to read (bound ones), by a number. */
  const numbers = new WeakMap();
  let numbered = 0;

  /** What the app means where an error tracker wraps every callback in the same code of its own. */
  function meantBy(callback) {
    const found = Object.getOwnPropertyDescriptor(callback, "__sentry_original__");
    return found && typeof found.value === "function" ? found.value : callback;
  }

  /** The length and the beginning tell functions apart well enough, and cost the same for each size. */
  function codeOf(given, delay) {
    const callback = meantBy(given);
    const text = native.functionText.call(callback);
    if (!text.endsWith("[native code] }")) return `${delay}:${text.length}:${text.slice(0, 200)}`;
    if (!numbers.has(callback)) numbers.set(callback, (numbered += 1));
    return `${delay}:#${numbers.get(callback)}`;
  }

  return {
    /** An act begins: what ran twice for the last one is work again. */
    begin: () => repeated.clear(),

    /**
     * A one-shot runs. What is ambient, or ran for this act before, is taken for a loop.
     * @param {Function} callback
     * @param {{act: number, delay: number}} entry
     * @param {boolean} ambient
     */
    ran(callback, entry, ambient) {
      const code = codeOf(callback, entry.delay);
      const again = known.get(code) === entry.act;
      if (known.size >= LIMIT.TIMER_CODES) known.clear();
      known.set(code, entry.act);
      if (!ambient && !again) return;
      if (loops.size + repeated.size >= LIMIT.TIMER_CODES) for (const each of [loops, repeated, delays]) each.clear();
      (ambient ? loops : repeated).add(code);
      delays.add(entry.delay);
    },

    /** Whether a one-shot that is scheduled now is a loop's next one. */
    goesOn(callback, delay) {
      if (!delays.has(delay)) return false;
      const code = codeOf(callback, delay);
      return loops.has(code) || repeated.has(code);
    },
  };
})();
