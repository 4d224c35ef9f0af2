/*
 * Elements by the place in the code where they are written: the query field `source`.
 */

/**
 * @typedef {object} Place
 * @property {string[]} path the file's name and the folders before it
 * @property {number} line
 * @property {number | undefined} column
 */

const PLACE_FIELDS = ["file", "line", "column"];

/** A path's parts, without what only says where a path begins. */
function pathParts(path) {
  return path.split(/[\\/]+/).filter((part) => part !== "" && part !== ".");
}

/** Read a query's `source`, null where it is not given. @returns {Place | null} */
function placeIn(given) {
  if (given === undefined || given === null) return null;
  if (typeof given !== "object" || Array.isArray(given)) {
    throw badArguments('source is a place in the code, such as {"file": "src/Cart.tsx", "line": 12}.');
  }
  allowOnly(given, PLACE_FIELDS, "source");
  const { file, line, column } = given;
  const path = typeof file === "string" ? pathParts(file) : [];
  if (path.length === 0) throw badArguments("source needs the file, such as src/Cart.tsx.");
  for (const [name, number] of Object.entries({ line, column: column ?? 0 })) {
    if (!Number.isInteger(number) || number < 0) throw badArguments(`source.${name} must be a whole number.`);
  }
  return { path, line, column: column ?? undefined };
}

/** A place as descriptors show it, `file:line[:column]`; undefined where the line is not told. */
function readPlace(text) {
  const found = /^(.+?):(\d+)(?::(\d+))?$/.exec(text || "");
  return found ? { path: pathParts(found[1]), line: Number(found[2]), column: found[3] ? Number(found[3]) : undefined } : undefined;
}

/** Whether the shorter of two paths ends the longer one: a build tells paths from the project's root, people from theirs. */
function isSameFile(one, other) {
  const length = Math.min(one.length, other.length);
  return one.slice(-length).join("/") === other.slice(-length).join("/");
}

/**
 * The `places` command: learn what places in running scripts were built from, and tell those that are not known yet.
 * Without `known` an exchange begins: what could not be told before is asked again.
 */
function runPlaces(args) {
  allowOnly(args, ["known"], "places");
  if (args.known !== undefined) learnPlaces(args.known);
  else for (const [key, source] of knownPlaces) if (source === null) knownPlaces.delete(key);
  const unknown = new Map();
  for (const element of elementsIn(document)) {
    const written = attempt("source", () => writtenOn(element));
    if (!written || !written.frames) continue;
    const key = placeKey(written.frames);
    if (!knownPlaces.has(key)) unknown.set(key, { key, ...written });
    if (unknown.size >= LIMIT.PLACES) break;
  }
  return { unknown: [...unknown.values()] };
}

function learnPlaces(known) {
  if (!Array.isArray(known)) throw badArguments("known is a list of pairs: a key and a place, or null.");
  for (const [key, source] of known) {
    if (knownPlaces.size >= LIMIT.PLACES_KNOWN) knownPlaces.clear();
    knownPlaces.set(String(key), typeof source === "string" ? clip(source, LIMIT.TEXT_CHARS) : null);
  }
}

/** The tests of one search: each element's place is looked up once. */
function placesOf(wanted) {
  const known = new Map();
  let told = false;
  const textOf = (element) => {
    if (!known.has(element)) known.set(element, sourceOf(element));
    return known.get(element);
  };
  const holds = (element) => {
    const place = readPlace(textOf(element));
    if (!place) return false;
    told = true;
    const column = wanted.column === undefined || place.column === undefined || wanted.column === place.column;
    return place.line === wanted.line && column && isSameFile(place.path, wanted.path);
  };
  return {
    /** The place that a descriptor of the element shows is the wanted one. */
    holds,
    /** So it is, and the element itself is what is written there: not something inside it that tells no place of its own. */
    begins(element) {
      if (!holds(element)) return false;
      const around = composedParent(element);
      return element.hasAttribute("data-reticle-source") || !around || textOf(around) !== textOf(element);
    },
    /** Nothing was found: refuse where no element tells its place, for then nobody can say that there is none. */
    requireKnown() {
      if (told) return;
      for (const element of elementsIn(document)) if (holds(element) || told) return;
      throw new Refused(
        REFUSAL.UNSUPPORTED_SURFACE,
        "No element of this page tells where in the code it is written, so source finds nothing.",
        "Find it by role, name, text or testid; a development build, or data-reticle-source attributes, tell places.",
      );
    },
  };
}
