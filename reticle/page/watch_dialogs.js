/*
 * `dialog`: alert, confirm and prompt, when they open and with what the user answered. Nobody answers for the user.
 */

let dialogsOpened = 0;

/** What a dialog asked, and that it is open: sent at once, because the page then stands still until the answer. */
function openDialog(kind, args) {
  dialogsOpened += 1;
  const told = { id: `d${dialogsOpened}`, kind, message: clip(scrubLoose(String(args[0] ?? "")), LIMIT.CONSOLE_CHARS) };
  // in a browser that the daemon drives its rule answers, and nobody in front of the page
  if (LAUNCH) told.by = "rule";
  Object.assign(told, callerWritten());
  emit(EVENT.DIALOG, { ...told, state: "open" });
  connection.flush();
  return told;
}

/** The answer in words that may be told. */
function dialogAnswer(kind, result, message) {
  if (kind === "confirm") return { answer: Boolean(result) };
  if (kind !== "prompt") return {};
  if (result === null || result === undefined) return { answer: null };
  const secret = keyWords(message).some((word) => isSecretKey(word));
  return { answer: secret ? REDACTED : clip(scrub(String(result)), LIMIT.TEXT_CHARS) };
}

function startDialogWatch(view = window) {
  for (const kind of ["alert", "confirm", "prompt"]) {
    replaceFunction(view, kind, "dialog", (self, args) => {
      const told = openDialog(kind, args);
      const close = (more) => emit(EVENT.DIALOG, { ...told, state: "closed", ...more });
      return {
        returned(result) {
          close(dialogAnswer(kind, result, told.message));
          return result;
        },
        threw: () => close({ blocked: true }),
      };
    });
  }
}
