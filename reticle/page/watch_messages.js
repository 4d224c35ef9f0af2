/*
 * `worker.message`: what the page and its workers say to each other, and pages of one origin over a BroadcastChannel;
 * a worker whose script does not load is an `error.uncaught`, as an error that a worker does not catch is by the window's own
 * event. What a worker does beside that is not seen (watch_workers.js).
 */

let voicesHeard = 0;
/** Worker, port or channel → what identifies it in events. @type {WeakMap<EventTarget, {id: string, kind: string, name: string}>} */
const voices = new WeakMap();
const MESSAGE_BOUNDS = Object.freeze({ depth: 4, items: 20, nodes: 200, chars: 2048 });

/** Bytes or a preview of one message; what goes away with it (a transferred buffer) must be asked before. */
function postedFacts(value) {
  if (typeof value === "string") return messageFacts(value);
  if (value && typeof value.byteLength === "number") return { bytes: value.byteLength };
  const shown = native.stringify(plain(value, MESSAGE_BOUNDS));
  return { preview: clip(scrubLoose(String(shown)), LIMIT.PREVIEW_CHARS) };
}

function tellPosted(voice, direction, facts) {
  emitRated(EVENT.WORKER_MESSAGE, { ...voice, direction, ...facts });
}

/**
 * Hear what arrives from a worker, a shared worker's port, a service worker's container or a channel.
 * @param {EventTarget} target
 * @param {"dedicated" | "shared" | "service" | "broadcast"} kind
 * @param {string} name a script's address, or a channel's name
 */
function hearVoice(target, kind, name) {
  hearFrom(target, nameVoice(target, kind, name));
}

function nameVoice(target, kind, name) {
  voicesHeard += 1;
  const voice = { id: `k${voicesHeard}`, kind, name };
  voices.set(target, voice);
  return voice;
}

function hearFrom(target, voice) {
  listen(target, "message", "worker.message", causes.boundary);
  listen(target, "message", "worker.message", (event) => tellPosted(voice, "in", postedFacts(event.data)));
  listen(target, "messageerror", "worker.message", () => tellPosted(voice, "in", { unreadable: true }));
}

/** A worker that was just made. */
function hearWorker(worker, address) {
  const name = redactUrl(String(address));
  const shared = Boolean(worker.port);
  hearVoice(shared ? worker.port : worker, shared ? "shared" : "dedicated", name);
  listen(worker, "error", "worker.error", (event) => {
    if (!event.message) emitError(`the worker ${name} could not be loaded`, undefined, "worker");
  });
}

/** The service worker that controls the page is one voice, whichever object stands for it. */
function observePost(voiceOf) {
  return (target, [value]) => {
    const voice = voiceOf(target);
    if (voice) tellPosted(voice, "out", postedFacts(value));
  };
}

function observeChannel(channelClass, [name]) {
  return {
    returned(channel) {
      nameVoice(channel, "broadcast", clip(scrub(String(name)), LIMIT.NAME_CHARS));
      return channel;
    },
  };
}

/** Channels on which the app listens. */
const channelsHeard = new WeakSet();
/** A channel that nobody listens on lets its page rest in the browser's cache: it is heard from when the app listens. */
function hearChannel(channel) {
  const voice = voices.get(channel);
  if (!voice || channelsHeard.has(channel)) return;
  channelsHeard.add(channel);
  hearFrom(channel, voice);
}

function watchChannels(view) {
  const { prototype } = view.BroadcastChannel;
  replaceFunction(prototype, "postMessage", "worker.message", observePost((target) => voices.get(target)));
  replaceFunction(view, "BroadcastChannel", "BroadcastChannel", observeChannel, true);
  watchAccessor(prototype, "onmessage", "worker.message", hearChannel);
  observeInherited(prototype, view.EventTarget.prototype, "addEventListener", "worker.message", (channel, [type]) => {
    if (type === "message") hearChannel(channel);
  });
}

const portsWatched = new WeakSet();
/** Ports carry much of an app's own timing: they are watched only where a shared worker is spoken to. */
function watchPorts(view) {
  if (portsWatched.has(view)) return;
  portsWatched.add(view);
  replaceFunction(view.MessagePort.prototype, "postMessage", "worker.message", observePost((port) => voices.get(port)));
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startMessageWatch(view = window) {
  const known = observePost((target) => voices.get(target));
  if (view.Worker) replaceFunction(view.Worker.prototype, "postMessage", "worker.message", known);
  if (view.BroadcastChannel) watchChannels(view);
  if (view !== window || !view.ServiceWorker) return;
  let container;
  try {
    container = view.navigator.serviceWorker;
  } catch {
    return; // a sandboxed document has none, and says so by throwing
  }
  if (!container) return;
  hearVoice(container, "service", "");
  replaceFunction(view.ServiceWorker.prototype, "postMessage", "worker.message", observePost((worker) => {
    return { ...voices.get(container), name: redactUrl(worker.scriptURL) };
  }));
}
