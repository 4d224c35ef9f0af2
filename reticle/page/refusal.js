/*
 * What we will not do, said so that the caller knows what to do next.
 */

/** Becomes `ok:false` with a code; a retry makes sense once `recovery` has been followed. */
class Refused extends Error {
  /**
   * @param {string} code a member of REFUSAL
   * @param {string} message one sentence that names what is at fault
   * @param {string} recovery what to do next
   * @param {object} [details] further fields, such as candidates
   */
  constructor(code, message, recovery, details) {
    super(message);
    this.code = code;
    this.recovery = recovery;
    this.details = details;
  }
}

/** Arguments that cannot be meant. */
function badArguments(message, recovery = "Correct the arguments and call again; nothing was done.") {
  return new Refused(REFUSAL.BAD_ARGUMENTS, message, recovery);
}

/** Only these names may stand in an object of arguments. */
function allowOnly(given, names, where) {
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw badArguments(`${where} does not know ${unknown.join(", ")}; it takes ${names.join(", ") || "nothing"}.`);
  }
}
