/*
 * The published @reticlehq packages in a page that has our script: one page for the agent, not two. Their dial to
 * our daemon does not leave the window: a stand-in takes their socket's place, and what only they know (signals,
 * told state, registered stores, declared capabilities) is told as ours. Their panel is taken out; ours is there.
 * Nothing of this reaches the daemon, so nothing a page says here can concern another tab.
 */

/** What the packages report and we cannot see for ourselves; everything else we see better. */
const KIT_EVENTS = new Set([EVENT.HUMAN_CONTROL, EVENT.HUMAN_MARK, "flow.recorded"]);

/** Their panel's and flag's roots and styles: children of body and head. */
const KIT_PANEL =
  "body > [data-reticle-overlay], body > [data-reticle-mark], style[data-reticle-overlay], style[data-reticle-mark]";

/** Windows whose packages we speak for: this one, and frames of this origin. */
const kitViews = new Set();

function portOf(url) {
  return url.port || (/^(?:wss|https):$/.test(url.protocol) ? "443" : "80");
}

/** Whether an address is our daemon's bridge, by whatever name of this machine. */
function isBridge(address) {
  if (!identity.url) return false;
  try {
    const dialled = new URL(address, window.location.href);
    const ours = new URL(identity.url);
    const sameHost = dialled.hostname === ours.hostname || (isLoopback(dialled.hostname) && isLoopback(ours.hostname));
    return sameHost && portOf(dialled) === portOf(ours) && dialled.pathname === ours.pathname;
  } catch {
    return false;
  }
}

/** A socket that is open and leads to us. */
function standInSocket(view, address) {
  const socket = Object.setPrototypeOf(new view.EventTarget(), view.WebSocket.prototype);
  const own = (name, value) => Object.defineProperty(socket, name, { value, writable: true, configurable: true });
  const facts = { url: String(address), protocol: "", extensions: "", bufferedAmount: 0, binaryType: "blob", readyState: 0 };
  for (const [name, value] of Object.entries(facts)) own(name, value);
  for (const type of ["open", "message", "error", "close"]) {
    own(`on${type}`, null);
    native.listen.call(socket, type, (event) => typeof socket[`on${type}`] === "function" && socket[`on${type}`](event));
  }
  const becomes = (state, event) => {
    // listeners run in a turn of their own, as those of a real socket do
    native.Promise.resolve().then(() => {
      if (socket.readyState >= state) return;
      socket.readyState = state;
      socket.dispatchEvent(event());
    });
  };
  own("send", (text) => attempt("kit", () => kitSaid(view, text)));
  own("close", () => becomes(3, () => Object.assign(new view.Event("close"), { code: 1005, reason: "", wasClean: true })));
  becomes(1, () => new view.Event("open"));
  return socket;
}

/** The packages dial our daemon: what takes the place of their socket. */
function adoptKit(view, address) {
  kitViews.add(view);
  for (const element of view.document.querySelectorAll(KIT_PANEL)) element.remove();
  return standInSocket(view, address);
}

/** They spoke over a socket from before we came: they dial again when it closes, and then we are there. */
function isOldKitSocket(socket) {
  return socket !== connection.socket && isBridge(socket.url);
}

/** One message of the packages. */
function kitSaid(view, text) {
  const message = readKit(text);
  if (message.kind === "hello") {
    // of a page that the daemon opened the agent said what it belongs to
    if (!LAUNCH && !identity.projectId && typeof message.projectId === "string") identity.projectId = clip(message.projectId, 128);
    adoptStores(view);
    adoptDeclared(view);
    connection.hello();
  } else if (message.kind === "event" && isBranch(message.event) && isBranch(message.event.data)) {
    kitReported(message.event);
  }
}

/** What they send is the page's own saying: whatever makes no sense is nothing. */
function readKit(text) {
  try {
    const message = native.parse(text);
    return isBranch(message) ? message : {};
  } catch {
    return {};
  }
}

function kitReported({ type, data }) {
  if (type === EVENT.SIGNAL) {
    addNames(signalsSeen, [clip(String(data.name), 128)]);
    emit(type, { name: String(data.name), data: data.data ?? {} });
  } else if (type === EVENT.STATE_CHANGE) tellState(data.name, data.value);
  else if (KIT_EVENTS.has(type)) emit(type, data);
}

/** Read their registered stores as ours, those that come later too. */
function adoptStores(view) {
  const theirs = view.__reticleStores;
  if (!theirs || typeof theirs.entries !== "function" || Object.hasOwn(theirs, "set")) return;
  for (const [name, getter] of theirs) registerStore(name, getter);
  const follow = (method, after) => {
    const original = theirs[method];
    const value = function followed(name, ...rest) {
      attempt("kit", () => after(name, ...rest));
      return original.call(this, name, ...rest);
    };
    Object.defineProperty(theirs, method, { value, configurable: true, writable: true });
  };
  follow("set", registerStore);
  follow("delete", unregisterStore);
}

let declaredByKit = "";
/** Take what their app declares; asked again before capabilities are told, because they announce nothing. */
function adoptDeclared(view) {
  const said = view.__reticleCapabilities;
  const text = isBranch(said) ? native.stringify(plain(said)) : "";
  if (text === declaredByKit || !Object.values(said || {}).some((list) => Array.isArray(list) && list.length > 0)) return;
  declaredByKit = text;
  registerCapabilities(said);
}

/** Bring up to date what the packages know and do not announce. */
function askKits() {
  for (const view of kitViews) attempt("kit", () => adoptDeclared(view));
}
