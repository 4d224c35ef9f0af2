/*
 * Commands of the daemon: what each name does, in which order, and how it is answered.
 */

/** Where a navigation may go. */
function runNavigate(args) {
  allowOnly(args, ["url"], "navigate");
  if (typeof args.url !== "string" || args.url === "") return { ok: false, reason: "url required" };
  let url;
  try {
    url = new URL(args.url, window.location.href);
  } catch {
    return { ok: false, reason: "not a URL" };
  }
  if (!/^https?:$/.test(url.protocol) || url.href.length > LIMIT.URL_CHARS) {
    return { ok: false, reason: "only http(s) navigation is allowed" };
  }
  leaveSoon(() => window.location.assign(url.href));
  return { ok: true, url: redactUrl(url.href) };
}

function runRefresh(args) {
  allowOnly(args, ["hard"], "refresh");
  leaveSoon(async () => {
    // a load that asks the server again: the fresh answer replaces the cached document before the reload
    if (args.hard && native.fetch) await native.fetch.call(window, window.location.href, { cache: "reload" }).catch(() => undefined);
    window.location.reload();
  });
  return { ok: true };
}

/** Leave after the answer had time to go out. */
function leaveSoon(leave) {
  pendingWork.begin();
  pendingWork.end();
  native.setTimeout(() => attempt("leave", leave), 20);
}

const COMMANDS = {
  [COMMAND.SNAPSHOT]: takeSnapshot,
  [COMMAND.QUERY]: runQuery,
  [COMMAND.MATCH]: runMatch,
  [COMMAND.READ]: runRead,
  [COMMAND.ACT]: runAct,
  [COMMAND.AIM]: runAim,
  [COMMAND.LANDED]: runLanded,
  [COMMAND.STATE_READ]: runStateRead,
  [COMMAND.NAVIGATE]: runNavigate,
  [COMMAND.REFRESH]: runRefresh,
  [COMMAND.INSPECT]: runInspect,
  [COMMAND.CAPABILITIES]: runCapabilities,
  [COMMAND.STORAGE_READ]: runStorageRead,
  [COMMAND.SCROLL]: runScroll,
  [COMMAND.ANIMATIONS]: runAnimations,
  [COMMAND.EXPLORE]: runExplore,
  [COMMAND.PLACES]: runPlaces,
  [COMMAND.NARRATE]: runNarrate,
  [COMMAND.PRESENTER]: runPresenter,
  [COMMAND.SESSION_CONFIG]: runSessionConfig,
};

/** These run one after the other, and those that stay on the page not while real input is under way; the rest at once. */
const STAYING = new Set([COMMAND.ACT, COMMAND.AIM, COMMAND.SCROLL]);
const SERIAL = new Set([...STAYING, COMMAND.NAVIGATE, COMMAND.REFRESH]);
let lastSerial = native.Promise.resolve();

/** What the daemon tells the panel is nothing that the agent did. */
const PANEL_COMMANDS = new Set([COMMAND.PRESENTER, COMMAND.SESSION_CONFIG]);

/** Values in these results were redacted where they were made. */
async function execute(name, args) {
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : null;
  if (!run) throw badArguments(`unknown command '${clip(String(name), 40)}'`);
  if (!PANEL_COMMANDS.has(name)) {
    domFlood.asked();
    panel.active();
  }
  const begin = native.now();
  const running = run(args);
  // what an act sets off is the app's own work
  if (name !== COMMAND.ACT) noteOwnWork(begin, native.now());
  return plain(await running, RESULT_BOUNDS);
}

/** The answer to a failed command. */
function failureMessage(id, error) {
  const refused = error instanceof Refused;
  const message = { kind: "command_result", id, ok: false, error: clip(String((error && error.message) || error), LIMIT.ERROR_CHARS) };
  message.code = refused ? error.code : REFUSAL.PAGE_ERROR;
  if (refused && error.recovery) message.recovery = error.recovery;
  if (refused && error.details) message.details = plain(error.details, RESULT_BOUNDS);
  if (!refused) reportFailure("command", error);
  return message;
}

/**
 * Take one message of the daemon. What is not a command is ignored.
 * @param {string} text
 * @param {(message: object) => void} answer
 */
function receiveCommand(text, answer) {
  let message;
  try {
    message = ownOnly(native.parse(text));
  } catch {
    return;
  }
  if (!message || message.kind !== "command" || typeof message.id !== "string" || message.id === "") return;
  const { id, name, action, args = { __proto__: null } } = message;
  if (!args || typeof args !== "object" || Array.isArray(args)) {
    answer(failureMessage(id, badArguments("args must be an object.")));
    return;
  }
  const run = () => {
    causes.name(action);
    if (typeof action === "string") probed.watch(action);
    return execute(name, args).then(
      (result) => answer({ kind: "command_result", id, ok: true, result }),
      (error) => answer(failureMessage(id, error)),
    );
  };
  // never in the call of a listener of ours: what the command does is the page's doing
  if (SERIAL.has(name)) lastSerial = lastSerial.then(() => (STAYING.has(name) ? aims.over() : undefined)).then(run);
  else native.Promise.resolve().then(run);
}
