/*
 * What an app says must always hold of it: `reticle.invariant(name, predicate)`. The daemon judges each action by it.
 */

/** The declarations by their names, each as the text that `hello` carries. */
const declaredInvariants = new Map();

const INVARIANT = Object.freeze({ MOST: 16, NAME_CHARS: 80, TEXT_CHARS: 2000 });

/** Why a declaration cannot be taken; empty where it can. What a predicate may say is the daemon's to judge. */
function invariantFault(name, predicate) {
  if (typeof name !== "string" || name.trim() === "" || name.length > INVARIANT.NAME_CHARS) {
    return `it needs a name of 1 to ${INVARIANT.NAME_CHARS} characters`;
  }
  if (predicate === null) return "";
  if (!isBranch(predicate) || Array.isArray(predicate)) return "its predicate must be an object, or null to take it back";
  if (!declaredInvariants.has(name) && declaredInvariants.size >= INVARIANT.MOST) {
    return `there are ${INVARIANT.MOST} already`;
  }
  const size = native.stringify({ name, predicate: plain(predicate) }).length;
  return size > INVARIANT.TEXT_CHARS ? `its predicate has more than ${INVARIANT.TEXT_CHARS} characters` : "";
}

/** Declare one, replace it, or with `null` take it back; a bad one is refused in words on the console. */
function declareInvariant(name, predicate) {
  const fault = invariantFault(name, predicate);
  if (fault !== "") {
    native.info(`reticle: the invariant ${clip(String(name), INVARIANT.NAME_CHARS)} was refused: ${fault}.`);
    return;
  }
  if (predicate === null) declaredInvariants.delete(name);
  else declaredInvariants.set(name, scrub(wellFormed(native.stringify({ name, predicate: plain(predicate) }))));
  connection.hello();
}

/** What `hello` says of them. */
function invariantsTold() {
  return declaredInvariants.size > 0 ? { invariants: [...declaredInvariants.values()] } : {};
}
