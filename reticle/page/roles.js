/*
 * Roles: the explicit one where it is a real role, else the one HTML gives (HTML-AAM). `label` and the tags of embedded
 * content stand for what has no role in ARIA.
 */

const INPUT_ROLES = {
  checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
  submit: "button", button: "button", reset: "button", image: "button", file: "button",
  text: "textbox", email: "textbox", tel: "textbox", url: "textbox", password: "textbox", "": "textbox",
};

const TAG_ROLES = {
  address: "group", article: "article", audio: "audio", blockquote: "blockquote", button: "button", canvas: "canvas", caption: "caption",
  code: "code", datalist: "listbox", dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term",
  em: "emphasis", embed: "embed", fieldset: "group", figure: "figure", form: "form", h1: "heading", h2: "heading", h3: "heading",
  h4: "heading", h5: "heading", h6: "heading", hgroup: "group", hr: "separator", iframe: "iframe", ins: "insertion", label: "label",
  main: "main", mark: "mark", math: "math", menu: "list", meter: "meter", nav: "navigation", object: "object", ol: "list",
  optgroup: "group", option: "option", output: "status", p: "paragraph", progress: "progressbar", s: "deletion", search: "search",
  strong: "strong", sub: "subscript", sup: "superscript", table: "table", textarea: "textbox", time: "time", ul: "list", video: "video",
};

/** Roles that may be written in `role`; anything else there is ignored, as browsers do. */
const KNOWN_ROLES = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader " +
    "combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form " +
    "generic graphics-document graphics-object graphics-symbol grid gridcell group heading img image insertion link " +
    "list listbox listitem log main mark marquee math " +
    "menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph " +
    "presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter " +
    "sectionheader separator slider spinbutton status strong subscript superscript suggestion switch tab table tablist " +
    "tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem"
  ).split(" "),
);

/** Older words for a role, and the newer one of a pair of which we say the other. */
const ROLE_SYNONYMS = { image: "img", none: "presentation", directory: "list" };

/** Roles a person acts on; the interactive snapshot keeps them, and they always get a ref. */
const INTERACTIVE_ROLES = new Set([
  "button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "slider", "spinbutton",
  "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem", "scrollbar",
]);

/** Sectioning around a header or footer makes it an ordinary one. */
const SECTIONING = "article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation]";

/** Sectioning in which an aside without a name is only content. */
const SECTIONS = "article, aside, nav, section";

function isInside(element, selector) {
  return Boolean(element.parentElement && element.parentElement.closest(selector));
}

/** Whether its author gave an element a name: what is no landmark without one is one with it. */
function isNamed(element) {
  return authorName(element) !== "" || fold(element.getAttribute("title")) !== "";
}

function isMultiple(select) {
  return select.hasAttribute("multiple") || Number(select.getAttribute("size")) > 1;
}

function inputRole(input) {
  const type = String(input.getAttribute("type") || "").toLowerCase();
  if (type === "hidden") return "generic";
  const role = INPUT_ROLES[type] || "textbox";
  const takesList = (role === "textbox" || role === "searchbox") && type !== "password";
  return takesList && input.list ? "combobox" : role;
}

/** What makes a drawing more than one picture: text and things to act on. */
const DRAWN_CONTENT = "a, text, foreignObject, g > title, [role], [tabindex]";

/** The role that HTML gives an element without `role`. */
function implicitRole(element) {
  const tag = tagOf(element);
  switch (tag) {
    case "a":
      return element.hasAttribute("href") || element.hasAttribute("xlink:href") ? "link" : "generic";
    case "area":
      return element.hasAttribute("href") ? "link" : "generic";
    case "input":
      return inputRole(element);
    case "select":
      return isMultiple(element) ? "listbox" : "combobox";
    case "img":
      return element.getAttribute("alt") === "" && !isNamed(element) && !isClickable(element) ? "presentation" : "img";
    case "svg":
      return element.querySelector(DRAWN_CONTENT) ? "graphics-document" : "img";
    case "g":
      return nativeName(element) ? "group" : "generic";
    case "header":
      return isInside(element, SECTIONING) ? "sectionheader" : "banner";
    case "footer":
      return isInside(element, SECTIONING) ? "sectionfooter" : "contentinfo";
    case "aside":
      return isInside(element, SECTIONS) && !isNamed(element) ? "generic" : "complementary";
    case "section":
      return isNamed(element) ? "region" : "generic";
    case "summary":
      return isSummary(element) ? "button" : "generic";
    case "li":
      return isOfNoList(element) ? "presentation" : "listitem";
    case "thead":
    case "tbody":
    case "tfoot":
      return tableKind(element) ? "rowgroup" : "generic";
    case "tr":
      return tableKind(element) ? "row" : "generic";
    case "th":
    case "td":
      return cellRole(element);
    default:
      return TAG_ROLES[tag] || (element.hasAttribute("popover") ? "group" : "generic");
  }
}

/** Whether a summary is the one that opens its <details>. */
function isSummary(element) {
  const around = element.parentElement;
  return Boolean(around) && tagOf(around) === "details" && [...around.children].find((child) => tagOf(child) === "summary") === element;
}

/** An item of a list that says it is none is none either. */
function isOfNoList(item) {
  const list = item.parentElement;
  return Boolean(list) && /^(ul|ol|menu)$/.test(tagOf(list)) && writtenRole(list) === "presentation";
}

/**
 * The role that an element says it has, empty where it says none: the first word that is a role and may stand. A
 * landmark needs a name, and nothing that can be focused or has ARIA that holds everywhere is without a role.
 */
function writtenRole(element) {
  const written = (ariaOf(element, "role") || "").trim().toLowerCase();
  if (!written) return "";
  for (const word of written.split(/\s+/)) {
    if (!KNOWN_ROLES.has(word)) continue;
    const role = ROLE_SYNONYMS[word] || word;
    if ((role === "form" || role === "region") && !isNamed(element)) continue;
    return role === "presentation" && (isFocusable(element) || hasGlobalAria(element)) ? "" : role;
  }
  return "";
}

/** The role of an element: one word, `generic` when it has none. */
function roleOf(element) {
  return writtenRole(element) || implicitRole(element);
}

/** Whether keyboard focus can rest on an element. */
function isFocusable(element) {
  if (isDisabled(element)) return false;
  return typeof element.tabIndex === "number" && (element.tabIndex >= 0 || element.hasAttribute("tabindex"));
}

/** Whether a handler for clicks is seen on an element. */
function takesClicks(element) {
  if (typeof element.onclick === "function") return true;
  const react = Object.keys(element).find((key) => key.startsWith("__reactProps$"));
  return react !== undefined && Boolean(element[react]) && typeof element[react].onClick === "function";
}

/** Whether an element without a role of its own takes clicks: a handler on it, or the pointing hand begins here. */
function isClickable(element) {
  if (takesClicks(element) || element.hasAttribute("tabindex")) return true;
  const style = styleOf(element);
  if (!style || style.cursor !== "pointer") return false;
  const parent = composedParent(element);
  return !parent || styleOf(parent)?.cursor !== "pointer";
}
