/*
 * `edit.applied`: the app's code was replaced while the page stays (hot module replacement). From then on every
 * event says how often (`editEpoch`), and refs whose elements went with the old code say why they are stale.
 * Told by what development servers say in the page: Vite on its WebSocket, webpack's client by `postMessage`.
 */

/** WebSocket protocols of development servers: what runs on them is not the app's. */
const EDIT_PROTOCOLS = new Set(["vite-hmr", "vite-ping"]);

/** Whether a socket that the app made is a development server's. */
function isEditSocket(protocols) {
  return [protocols ?? []].flat().some((name) => EDIT_PROTOCOLS.has(String(name)));
}

function noteEdit(tool, paths) {
  editEpoch += 1;
  const shown = paths.filter((path) => typeof path === "string").slice(0, 20).map((path) => clip(scrub(path), LIMIT.TEXT_CHARS));
  emit(EVENT.EDIT_APPLIED, { tool, paths: shown, epoch: editEpoch });
}

/** Vite says `{type: "update", updates: [{path}]}`; a full reload is a new document anyway. */
function readViteMessage(text) {
  if (typeof text !== "string" || !text.includes('"update"')) return;
  let message;
  try {
    message = native.parse(text);
  } catch {
    return;
  }
  if (isBranch(message) && message.type === "update" && Array.isArray(message.updates)) {
    noteEdit("vite", message.updates.map((update) => isBranch(update) && update.path));
  }
}

function watchEditSocket(socket) {
  listen(socket, "message", "edit", (event) => readViteMessage(event.data));
}

function startEditWatch() {
  listen(window, "message", "edit", (event) => {
    if (event.source === window && typeof event.data === "string" && event.data.startsWith("webpackHotUpdate")) {
      noteEdit("webpack", []);
    }
  });
  // for tools of the user's own that tell the window itself
  listen(window, "vite:afterUpdate", "edit", (event) => {
    const updates = isBranch(event.detail) && Array.isArray(event.detail.updates) ? event.detail.updates : [];
    noteEdit("vite", updates.map((update) => isBranch(update) && update.path));
  });
}
