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
  let numbered = 0;

  /** What the app means where an error tracker wraps every callback in the same code of its own. */
  function meantBy(callback) {
    const found = Object.getOwnPropertyDescriptor(callback, "__sentry_original__");
    return found && typeof found.value === "function" ? found.value : callback;
  }

  /** Numbers of functions by what tells their code from others', asked once: a loop of frames comes with the same one. */
  const codes = new WeakMap();
  /** What tells code from others', and its number: short names are quick to look up. */
  const texts = new Map();

  function codeOf(given, delay) {
    let code = codes.get(given);
    if (code === undefined) {
      const callback = meantBy(given);
      code = codes.get(callback) ?? numberOf(callback);
      codes.set(callback, code).set(given, code);
    }
    return `${delay}:${code}`;
  }

  /** The length and the beginning tell functions apart well enough, and cost the same for each size. */
  function numberOf(callback) {
    const text = native.functionText.call(callback);
    if (text.endsWith("[native code] }")) return (numbered += 1);
    const told = `${text.length}:${text.slice(0, 200)}`;
    if (!texts.has(told)) {
      if (texts.size >= LIMIT.TIMER_CODES) texts.clear();
      texts.set(told, (numbered += 1));
    }
    return texts.get(told);
  }

  return {
    /** An act begins: what ran twice for the last one is work again. */
    begin: () => repeated.clear(),

    /**
     * A one-shot runs. What is ambient, or ran for this act before, is taken for a loop.
     * @param {Function} callback
     * @param {{act: number, delay: number}} entry
     * @param {boolean} ambient
     * @returns {"new" | "known" | "again"} whether this code ran with this delay before, and for the same act
     */
    ran(callback, entry, ambient) {
      const code = codeOf(callback, entry.delay);
      const before = known.get(code);
      const again = before === entry.act;
      const ran = before === undefined ? "new" : again ? "again" : "known";
      if (known.size >= LIMIT.TIMER_CODES) known.clear();
      known.set(code, entry.act);
      if (!ambient && !again) return ran;
      if (loops.size + repeated.size >= LIMIT.TIMER_CODES) for (const each of [loops, repeated, delays]) each.clear();
      (ambient ? loops : repeated).add(code);
      delays.add(entry.delay);
      return ran;
    },

    /** Whether a one-shot that is scheduled now is a loop's next one. */
    goesOn(callback, delay) {
      if (!delays.has(delay)) return false;
      const code = codeOf(callback, delay);
      return loops.has(code) || repeated.has(code);
    },
  };
})();
