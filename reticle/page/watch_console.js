/*
 * The console and uncaught errors. The originals are called with what they were called with; only where nobody can
 * read the console, in a browser that the daemon drives without a window, nothing is written there: each message would
 * be sent to the daemon a second time, whatever its size.
 */

const LEVELS = {
  log: EVENT.CONSOLE_LOG,
  info: EVENT.CONSOLE_INFO,
  debug: EVENT.CONSOLE_DEBUG,
  warn: EVENT.CONSOLE_WARN,
  error: EVENT.CONSOLE_ERROR,
};

/** One console argument as text. */
function consoleText(value) {
  if (typeof value === "string") return value;
  if (value instanceof Error || kindOf(value) === "Error") return `${value.name}: ${value.message}`;
  if (value !== null && typeof value === "object") {
    return native.stringify(plain(value, { depth: 5, items: 50, nodes: 400, chars: LIMIT.CONSOLE_CHARS }));
  }
  return String(value);
}

/** The message as the console shows it: `%s` and its like filled in, style directives left out. */
function consoleMessage(args) {
  const rest = [...args];
  let first = "";
  if (typeof rest[0] === "string" && rest.length > 1) {
    first = rest.shift().replace(/%([sdifoOc%])/g, (whole, kind) => {
      if (kind === "%") return "%";
      if (rest.length === 0) return whole;
      const value = rest.shift();
      if (kind === "c") return "";
      if (kind === "d" || kind === "i") return String(Number.parseInt(value, 10));
      return kind === "f" ? String(Number.parseFloat(value)) : consoleText(value);
    });
    return [first, ...rest.map(consoleText)].join(" ");
  }
  return rest.map(consoleText).join(" ");
}

function observeConsole(type, args) {
  // looked through for secrets as far as the part that is told can reach; all of 100 MB would take half a minute
  const looked = consoleMessage(args).slice(0, LIMIT.VALUE_CHARS);
  const fields = { message: clip(scrubLoose(looked), LIMIT.CONSOLE_CHARS), ...callerWritten() };
  if (type === EVENT.CONSOLE_ERROR) {
    unkeyedRows.heard(looked);
    const thrown = args.find((value) => value instanceof Error || kindOf(value) === "Error");
    const stack = cleanStack(thrown ? thrown.stack : new Error("console.error").stack);
    if (stack) fields.stack = stack;
    Object.assign(fields, thrown && writtenInStack(thrown.stack));
  }
  emit(type, fields);
}

/** An uncaught error or rejection; errors of our own script are ours. */
function observeError(event) {
  if (!event.message && !event.error) return;
  if (ownAddress && event.filename === ownAddress) return;
  const stack = event.error && event.error.stack;
  const place = event.filename ? writtenInFrames([frameAt(event.filename, event.lineno, event.colno)]) : undefined;
  emitError(event.message, stack, "error", place, event.lineno);
}

function observeRejection(event) {
  const { reason } = event;
  const message = reason instanceof Error || kindOf(reason) === "Error" ? `${reason.name}: ${reason.message}` : consoleText(reason);
  emitError(message, reason && reason.stack, "unhandledrejection");
}

function emitError(message, stack, kind, place, line) {
  const fields = { message: clip(scrubLoose(String(message)), LIMIT.CONSOLE_CHARS), kind };
  Object.assign(fields, (stack && writtenInStack(stack)) || place);
  if (line) fields.line = line;
  if (stack) fields.stack = cleanStack(stack);
  emit(EVENT.ERROR_UNCAUGHT, fields);
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startConsoleWatch(view = window) {
  for (const [level, type] of Object.entries(LEVELS)) {
    replaceFunction(view.console, level, "console", (self, args) => {
      observeConsole(type, args);
      return LAUNCH && !LAUNCH.console ? { instead: () => undefined } : undefined;
    });
  }
  listen(view, "error", "error", observeError);
  listen(view, "unhandledrejection", "rejection", observeRejection);
}
