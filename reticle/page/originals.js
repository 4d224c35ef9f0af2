/*
 * The browser's own functions as they were before the app ran, and the rule that nothing of ours may throw
 * into the app or be taken for something the app did.
 */

/**
 * JSON without the app's part in it: a `toJSON` in Object.prototype or Array.prototype (old libraries put one there)
 * would change every message.
 */
const plainJson = (() => {
  const { stringify } = JSON;
  const { isArray } = Array;
  const { keys } = Object;
  const probe = [];
  const text = (value) => {
    if (value === null || typeof value !== "object") return stringify(value);
    const isList = isArray(value);
    const names = isList ? value : keys(value);
    let all = "";
    for (let index = 0; index < names.length; index += 1) {
      const one = text(isList ? value[index] : value[names[index]]);
      if (one === undefined && !isList) continue;
      all += `${all && ","}${isList ? "" : `${stringify(names[index])}:`}${one === undefined ? "null" : one}`;
    }
    return isList ? `[${all}]` : `{${all}}`;
  };
  return (value) => ("toJSON" in probe ? text(value) : stringify(value));
})();

/** A parsed value whose objects have what they have and nothing that the app put into Object.prototype. */
const ownOnly = (() => {
  const { keys, setPrototypeOf } = Object;
  const { isArray } = Array;
  const strip = (value) => {
    if (value === null || typeof value !== "object") return value;
    const names = isArray(value) ? value : keys(value);
    for (let index = 0; index < names.length; index += 1) strip(isArray(value) ? value[index] : value[names[index]]);
    return isArray(value) ? value : setPrototypeOf(value, null);
  };
  return strip;
})();

const native = (() => {
  const own = (name) => (typeof window[name] === "function" ? window[name] : undefined);
  const bound = (name) => own(name)?.bind(window);
  return Object.freeze({
    setTimeout: bound("setTimeout"),
    clearTimeout: bound("clearTimeout"),
    setInterval: bound("setInterval"),
    requestAnimationFrame: bound("requestAnimationFrame"),
    postTask:
      window.scheduler && typeof window.scheduler.postTask === "function" ? window.scheduler.postTask.bind(window.scheduler) : undefined,
    fetch: own("fetch"),
    WebSocket: own("WebSocket"),
    EventSource: own("EventSource"),
    XMLHttpRequest: own("XMLHttpRequest"),
    Request: own("Request"),
    MessageChannel: own("MessageChannel"),
    MutationObserver: own("MutationObserver"),
    PerformanceObserver: own("PerformanceObserver"),
    attachShadow: window.Element.prototype.attachShadow,
    Promise,
    listen: window.EventTarget.prototype.addEventListener,
    unlisten: window.EventTarget.prototype.removeEventListener,
    functionText: Function.prototype.toString,
    stringify: plainJson,
    parse: JSON.parse,
    info: window.console.info.bind(window.console),
    now:
      window.performance && typeof window.performance.now === "function"
        ? window.performance.now.bind(window.performance)
        : Date.now,
  });
})();

/** When this document's script started, in the clock of `native.now`. */
const startedAt = native.now();

/** Whole milliseconds since the script started. */
function elapsedMs() {
  return Math.round(native.now() - startedAt);
}

/** Above 0 while our own code runs: what it touches is not an act of the app. */
let inside = 0;

/** How often our own code failed; reports stop at LIMIT.SELF_FAILURES. */
let selfFailures = 0;

/** Report an exception of our own. `emit` comes from queue.js; a failing report is dropped. */
function reportFailure(site, error) {
  selfFailures += 1;
  if (selfFailures > LIMIT.SELF_FAILURES) return;
  try {
    emit(EVENT.SDK_FAILED, { site, message: clip(String((error && error.message) || error), LIMIT.TEXT_CHARS) });
  } catch {
    // the queue itself is at fault: there is nobody left to tell
  }
}

/**
 * Run our own code so that it can neither throw into the app nor be observed by us.
 * @template T
 * @param {string} site what is being done, for `sdk.failed`
 * @param {() => T} work
 * @param {T} [otherwise] what to answer when it failed
 * @returns {T | undefined}
 */
function attempt(site, work, otherwise) {
  inside += 1;
  try {
    return work();
  } catch (error) {
    reportFailure(site, error);
    return otherwise;
  } finally {
    inside -= 1;
  }
}

/** Listen passively and first, with the browser's own method; the listener never throws. */
function listen(target, type, site, listener, options) {
  native.listen.call(target, type, (event) => attempt(site, () => listener(event)), {
    capture: true,
    passive: true,
    ...options,
  });
}

/** Run `work` in a task of its own soon; timers of a hidden tab are slow, messages are not. */
const soon = (() => {
  if (!native.MessageChannel) return (work) => native.setTimeout(work, 0);
  const waiting = [];
  const channel = new native.MessageChannel();
  const post = channel.port2.postMessage.bind(channel.port2); // what the app posts is watched later on
  channel.port1.onmessage = () => {
    causes.boundary();
    const work = waiting.shift();
    if (work) attempt("task", work);
  };
  return (work) => {
    waiting.push(work);
    post(0);
  };
})();

/**
 * A callable that is the original in every visible way (name, length, text, prototype, statics,
 * subclassing) and tells `observe` about each call.
 * @param {string} site
 * @param {Function} original
 * @param {(self: any, args: any[]) => (undefined | {returned?: (result: any) => any, threw?: (error: any) => void,
 *   instead?: () => any, args?: any[]})} observe called before the original; `returned` may replace the result, `threw`
 *   sees what it threw, `instead` is done in the original's place, `args` are what it is called with
 * @param {boolean} [constructs] observe `new` instead of calls; `self` is then the new.target
 */
function wrapped(site, original, observe, constructs = false) {
  const around = (self, args, run) => {
    if (inside > 0) return run(args);
    const seen = attempt(site, () => observe(self, args));
    if (seen && seen.instead) return seen.instead();
    let result;
    try {
      result = run((seen && seen.args) || args);
    } catch (error) {
      if (seen && seen.threw) attempt(site, () => seen.threw(error));
      throw error;
    }
    return seen && seen.returned ? attempt(site, () => seen.returned(result), result) : result;
  };
  const text = native.functionText.bind(original);
  const traps = {
    get: (target, key) => (key === "toString" ? text : Reflect.get(target, key)),
  };
  if (constructs) {
    traps.construct = (target, args, newTarget) =>
      around(newTarget, args, (given) => Reflect.construct(target, given, newTarget));
  } else {
    traps.apply = (target, self, args) => around(self, args, (given) => Reflect.apply(target, self, given));
  }
  const replacement = new Proxy(original, traps);
  replacements.add(replacement);
  return replacement;
}

/** Put a wrapped function in the place of `owner[name]`, keeping how the property is described. */
function replaceFunction(owner, name, site, observe, constructs = false) {
  const found = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!found || typeof found.value !== "function") return false;
  const value = wrapped(site, found.value, observe, constructs);
  Object.defineProperty(owner, name, { ...found, value });
  if (constructs && found.value.prototype) {
    const constructor = Object.getOwnPropertyDescriptor(found.value.prototype, "constructor");
    // `Audio` makes what has another constructor
    if (constructor && constructor.value === found.value) Object.defineProperty(found.value.prototype, "constructor", { ...constructor, value });
  }
  return true;
}

/**
 * Observe a method on those who inherit it as `owner`s alone. What is called is what its holder has at that moment: an app
 * that puts its own there later, as zone.js does, means all who inherit it.
 */
function observeInherited(owner, holder, name, site, observe) {
  const value = wrapped(site, holder[name], (self, args) => {
    const seen = observe(self, args);
    return {
      instead() {
        const result = Reflect.apply(holder[name], self, args);
        return seen && seen.returned ? attempt(site, () => seen.returned(result), result) : result;
      },
    };
  });
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: true });
}

/** Functions of ours that stand in an original's place. */
const replacements = new WeakSet();

/** See every value that is assigned to `owner[name]`, an accessor; `after` runs when the original has set it. */
function watchAccessor(owner, name, site, after) {
  const found = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!found || typeof found.set !== "function") return false;
  const set = wrapped(site, found.set, (self, [value]) => ({
    returned(result) {
      after(self, value);
      return result;
    },
  }));
  Object.defineProperty(owner, name, { ...found, set });
  return true;
}
