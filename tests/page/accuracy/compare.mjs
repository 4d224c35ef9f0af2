/*
 * Role, name, states and value of one element: ours against Chromium's. What Chromium says is put in ARIA's words
 * first; nothing here makes two different answers equal.
 */

/** Names that Chromium has for itself where ARIA has another word for the same role. */
const SAME_ROLE = {
  image: "img", none: "presentation", DisclosureTriangle: "button", MathMLMath: "math", SvgRoot: "graphics-document",
  LabelText: "label", Iframe: "iframe", Canvas: "canvas", Video: "video", Audio: "audio", PluginObject: "object", EmbeddedObject: "embed",
};

/** Names of its own for what has no role in HTML-AAM: ours is `generic`, and `textbox` for fields that take a text. */
const NO_ROLE = {
  Abbr: "generic", DescriptionList: "generic", Figcaption: "generic", Legend: "generic", LineBreak: "generic", Ruby: "generic",
  MathMLIdentifier: "generic", MathMLNumber: "generic", MathMLOperator: "generic",
  ColorWell: "textbox", Date: "textbox", DateTime: "textbox", InputTime: "textbox",
};

/** Roles of ours that say: nothing but its content. */
const PLAIN = new Set(["generic", "presentation", "label"]);

/** What need not have a line in the outline: its content stands there without it. */
const UNLINED = new Set([
  ...PLAIN, "paragraph", "emphasis", "strong", "code", "time", "subscript", "superscript", "mark", "insertion", "deletion", "rowgroup",
  "sectionheader", "sectionfooter", "caption",
]);

/** Values that the attribute gives and nobody sees: of boxes and buttons. */
const VALUELESS = new Set(["checkbox", "radio", "switch", "button", "menuitemcheckbox", "menuitemradio", "link", "option"]);

/** As the page script folds names: white space, and characters that take no room. */
const fold = (text) =>
  String(text ?? "").replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g, "").normalize("NFC").replace(/\s+/g, " ").trim();

/** Chromium's numbers are of single precision. */
const value = (given) => (typeof given === "number" ? String(Number(given.toPrecision(6))) : fold(given));

/** What Chromium says, in the words in which we say it. */
function read(node) {
  const said = Object.fromEntries((node.properties ?? []).map((property) => [property.name, property.value.value]));
  const on = (name) => said[name] === true || said[name] === "true";
  const role = node.role.value;
  return {
    role: SAME_ROLE[role] ?? NO_ROLE[role] ?? role,
    name: fold(node.name?.value),
    value: value(node.value?.value),
    valueText: fold(said.valuetext),
    level: said.level,
    description: fold(node.description?.value),
    states: {
      disabled: on("disabled"),
      checked: on("checked") || on("pressed") || on("selected"),
      mixed: said.checked === "mixed" || said.pressed === "mixed",
      expanded: on("expanded"),
      focused: on("focused"),
      invalid: said.invalid !== undefined && said.invalid !== "false",
      required: on("required"),
      readonly: on("readonly"),
    },
  };
}

/** A text is in the outline: as a text, in a name, or as a value. */
function textDifference(text, lines) {
  const said = lines.map((line) => line.replaceAll('\\"', '"')).join(" ");
  return said.includes(text) ? [] : [{ what: "text", ours: "(not there)", chromium: text }];
}

const same = (ours, theirs) => ours === theirs || (PLAIN.has(ours) && PLAIN.has(theirs));

/**
 * The differences of one element.
 * @returns {{what: string, ours: string, chromium: string}[]}
 */
export function differences({ ours, ax, lines }) {
  if (lines) return textDifference(fold(ax.name?.value), lines);
  if (!ours) return [{ what: "element", ours: "(not there)", chromium: ax.role.value }];
  const found = [];
  const differ = (what, mine, theirs) => found.push({ what, ours: String(mine), chromium: String(theirs) });
  if (!ax || ax.ignored) {
    if (ours.shown) differ("outline", ours.role, "(not there)");
    return found;
  }
  const theirs = read(ax);
  if (!same(ours.role, theirs.role)) differ("role", ours.role, theirs.role);
  if (fold(ours.name) !== theirs.name && ours.role !== "label") differ("name", fold(ours.name), theirs.name);
  for (const [state, holds] of Object.entries(theirs.states)) {
    if (ours.states.includes(state) !== holds) differ("state", ours.states.includes(state) ? state : `no ${state}`, holds ? state : `no ${state}`);
  }
  const mine = ours.value ?? "";
  if (!VALUELESS.has(theirs.role) && value(mine) !== theirs.value && !isNumber(mine, theirs.value) && fold(mine) !== theirs.valueText) differ("value", value(mine), theirs.value);
  if (fold(ours.description) !== theirs.description) differ("description", fold(ours.description), theirs.description);
  if (ours.level !== undefined && ours.level !== theirs.level) differ("level", ours.level, theirs.level);
  if (theirs.role === "heading" && ours.level === undefined) differ("level", "none", theirs.level);
  if (!ours.shown && !isUnlined(ours, theirs)) differ("outline", "(not there)", theirs.role);
  return found;
}

/** Also: options, which are their list's value; a group, a drawing and a frame without a name; a picture of a drawing without one. */
function isUnlined(ours, theirs) {
  if (UNLINED.has(theirs.role) || ours.tag === "option" || ours.tag === "optgroup") return true;
  return ["group", "graphics-document", "iframe", "img"].includes(theirs.role) && theirs.name === "" && (theirs.role !== "img" || ours.tag === "svg");
}

const isNumber = (mine, theirs) => mine !== "" && theirs !== "" && Number(mine) === Number(theirs);
