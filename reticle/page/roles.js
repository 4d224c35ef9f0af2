/*
 * Roles: the explicit one where it is a real role, else the one HTML gives (HTML-AAM, the subset that pages use).
 */

const INPUT_ROLES = {
  checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
  submit: "button", button: "button", reset: "button", image: "button", file: "button",
  text: "textbox", email: "textbox", tel: "textbox", url: "textbox", password: "textbox", "": "textbox",
};

const TAG_ROLES = {
  article: "article", aside: "complementary", blockquote: "blockquote", button: "button", caption: "caption",
  code: "code", datalist: "listbox", dd: "definition", details: "group", dfn: "term", dialog: "dialog", dt: "term",
  fieldset: "group", figure: "figure", h1: "heading", h2: "heading", h3: "heading", h4: "heading",
  h5: "heading", h6: "heading", hr: "separator", li: "listitem", main: "main", math: "math", menu: "list",
  meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
  p: "paragraph", progress: "progressbar", search: "search", summary: "button", table: "table", tbody: "rowgroup",
  textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
};

/** Roles that may be written in `role`; anything else there is ignored, as browsers do. */
const KNOWN_ROLES = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader " +
    "combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form " +
    "generic grid gridcell group heading img image insertion link list listbox listitem log main mark marquee math " +
    "menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph " +
    "presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator " +
    "slider spinbutton status strong subscript superscript suggestion switch tab table tablist tabpanel term " +
    "textbox time timer toolbar tooltip tree treegrid treeitem"
  ).split(" "),
);

/** Roles a person acts on; the interactive snapshot keeps them, and they always get a ref. */
const INTERACTIVE_ROLES = new Set([
  "button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "slider", "spinbutton",
  "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem", "scrollbar",
]);

/** Sectioning around a header or footer makes it an ordinary one. */
const SECTIONING = "article, aside, main, nav, section";

function isScopedToBody(element) {
  return !(element.parentElement && element.parentElement.closest(SECTIONING));
}

function isMultiple(select) {
  return select.hasAttribute("multiple") || Number(select.getAttribute("size")) > 1;
}

function inputRole(input) {
  const type = String(input.getAttribute("type") || "").toLowerCase();
  if (type === "hidden") return "generic";
  const role = INPUT_ROLES[type] || "textbox";
  const takesList = role === "textbox" || role === "searchbox";
  return takesList && input.hasAttribute("list") ? "combobox" : role;
}

/** The role that HTML gives an element without `role`; `named` asks whether it has a name of its author. */
function implicitRole(element, named) {
  const tag = tagOf(element);
  switch (tag) {
    case "a":
    case "area":
      return element.hasAttribute("href") ? "link" : "generic";
    case "input":
      return inputRole(element);
    case "select":
      return isMultiple(element) ? "listbox" : "combobox";
    case "img":
      return element.getAttribute("alt") === "" && !named() && !isClickable(element) ? "presentation" : "img";
    case "svg":
      return "img";
    case "header":
      return isScopedToBody(element) ? "banner" : "generic";
    case "footer":
      return isScopedToBody(element) ? "contentinfo" : "generic";
    case "section":
      return named() ? "region" : "generic";
    case "form":
      return "form";
    case "th":
      return tableHeaderRole(element);
    case "td":
      return element.closest("[role=grid], [role=treegrid]") ? "gridcell" : "cell";
    case "label":
      return "label";
    default:
      return TAG_ROLES[tag] || "generic";
  }
}

function tableHeaderRole(cell) {
  const scope = String(cell.getAttribute("scope") || "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = cell.parentElement;
  return row && row.querySelector("td") && row.firstElementChild === cell ? "rowheader" : "columnheader";
}

/** The role of an element: one word, `generic` when it has none. */
function roleOf(element) {
  const written = (element.getAttribute("role") || "").trim().toLowerCase();
  if (written) {
    const role = written.split(/\s+/).find((word) => KNOWN_ROLES.has(word));
    if (role && !((role === "none" || role === "presentation") && isFocusable(element))) {
      return role === "image" ? "img" : role === "none" ? "presentation" : role;
    }
  }
  return implicitRole(element, () => authorName(element) !== "");
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
