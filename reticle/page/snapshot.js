/*
 * The snapshot: the page as an outline, one line per element that means something.
 */

/** Elements of a page that are only ways to arrange others. */
const TRANSPARENT_ROLES = new Set([
  "generic", "paragraph", "presentation", "emphasis", "strong", "code", "time", "subscript", "superscript", "mark",
  "insertion", "deletion", "label", "rowgroup", "sectionheader", "sectionfooter",
  "caption",
]);

/** Roles that mean something only with a name: what is in them stands there in any case. */
const TRANSPARENT_UNNAMED = new Set(["group", "iframe", "graphics-document"]);

/** Content that no script of ours can look into. */
const SEALED_ROLES = new Set(["audio", "video", "object", "embed"]);

/** Regions whose whole content the interactive mode keeps: what the app tells its user. */
const TOLD_REGIONS = "[role=alert],[role=status],[role=log],[role=dialog],[role=alertdialog],[aria-live],output,dialog";

/** States worth a word in a line; the rest goes without saying. */
const SHOWN_STATES = ["disabled", "checked", "mixed", "expanded", "focused", "invalid", "required", "readonly"];

/** Roles that get a ref without a name: clickable things without a role, and rows to look inside. */
const ALWAYS_NAMED = new Set(["generic", "row"]);

class Outline {
  constructor(mode) {
    this.interactive = mode === "interactive";
    this.lines = [];
    this.nodes = 0;
    this.truncated = false;
    this.unread = [];
    /** The modal dialog that makes everything around it inert, where the outline has it. */
    this.modal = null;
  }

  get full() {
    return this.nodes >= LIMIT.SNAPSHOT_NODES;
  }

  add(depth, line) {
    this.nodes += 1;
    this.lines.push(`${"  ".repeat(depth)}- ${line}`);
  }

  /** Remember a part that was not entered. */
  leave(element) {
    this.truncated = true;
    if (this.unread.length < LIMIT.SNAPSHOT_UNREAD) this.unread.push(refs.of(element));
  }

  /**
   * Walk into an element.
   * @param {Element} element
   * @param {number} depth of the lines
   * @param {number} level of the tree
   * @param {{told: boolean, named: boolean, hidden: boolean}} around inside a region that tells something; inside
   *   an element whose name is its text already; inside `visibility: hidden`
   */
  enter(element, depth, level, around) {
    const pending = { text: "" };
    this.children(element, depth, level, around, pending);
    this.say(pending, depth, around);
  }

  /** Whether nothing that is still to come would change a word: it is full, and no more parts are named. */
  get over() {
    return this.full && this.unread.length >= LIMIT.SNAPSHOT_UNREAD;
  }

  children(element, depth, level, around, pending) {
    for (const node of composedChildren(element)) {
      if (this.over) return;
      if (node.nodeType === 3) {
        if (!around.hidden) pending.text += node.data;
      } else if (isElement(node)) {
        this.visit(node, depth, level + 1, around, pending);
      }
    }
  }

  /** A line of text for what came together so far. */
  say(pending, depth, around) {
    const text = fold(pending.text);
    pending.text = "";
    if (!text || around.named || (this.interactive && !around.told)) return;
    if (this.full) {
      this.truncated = true;
      return;
    }
    this.add(depth, `text ${quoted(clip(scrub(text), LIMIT.TEXT_CHARS))}`);
  }

  visit(element, depth, level, around, pending) {
    const tag = tagOf(element);
    if (SKIPPED_TAGS.has(tag) || element.getAttribute("aria-hidden") === "true" || element.hasAttribute("inert")) return;
    if (this.modal && element.ownerDocument === this.modal.ownerDocument && !composedContains(this.modal, element)) {
      if (composedContains(element, this.modal)) this.children(element, depth, level, around, pending);
      return;
    }
    if (tag === "br") {
      pending.text += " ";
      return;
    }
    const style = styleOf(element);
    if (!style || isUndisplayed(element, style) || isShutDetails(element.parentElement || element, element)) return;
    // a box or a file field that cannot be seen lies below what is drawn for it
    if (style.opacity !== "" && Number(style.opacity) === 0 && !isField(element)) return;
    const hidden = style.visibility === "hidden" || style.visibility === "collapse";
    const told = around.told || (this.interactive && element.matches(TOLD_REGIONS));
    const role = roleOf(element);
    // a drawing is gone through for what can be acted on, not for the texts at its axes
    const inside = { told, named: around.named || role === "graphics-document" || namesAnother(element, tag), hidden };
    const skipped = style.contentVisibility === "hidden";
    const flowing = flowsInline(element, style);
    const clickable = !around.named && isClickableAs(element, role);
    if ((isTransparent(element, role) && !clickable) || hidden) {
      if (!flowing) this.say(pending, depth, around);
      if (skipped || isSecretText(element)) return;
      if (this.full || level > LIMIT.TREE_DEPTH) this.leave(element);
      else this.children(element, depth, level, inside, pending);
      if (!flowing) this.say(pending, depth, inside);
      return;
    }
    this.say(pending, depth, around);
    if (this.full || level > LIMIT.TREE_DEPTH) {
      this.leave(element);
      return;
    }
    this.line(element, role, depth, level, clickable ? { ...inside, told: true } : inside);
  }

  /** Below an invalid field what is wrong with it, where the mode would not show that text by itself. */
  fault(field, depth, inside) {
    if (!this.interactive || inside.told || this.full || !isInvalid(field) || isOnlyMissing(field)) return;
    const text = faultText(field);
    if (text) this.add(depth + 1, `text ${quoted(clip(scrub(text), LIMIT.TEXT_CHARS))}`);
  }

  /** One element's line and what is inside it. */
  line(element, role, depth, level, inside) {
    const keeps = !this.interactive || inside.told || INTERACTIVE_ROLES.has(role);
    const name = role === "row" ? authorName(element) : nameOf(element);
    if (keeps) this.add(depth, lineOf(element, role, name));
    const before = this.nodes;
    if (isField(element)) {
      this.fault(element, depth, inside);
      return;
    }
    if (SEALED_ROLES.has(role) || styleOf(element).contentVisibility === "hidden") return;
    if (element.hasAttribute("contenteditable") && isSecretField(element)) return;
    // blanks apart: a name has them where parts stand side by side
    const named = NAMED_BY_CONTENT.has(role) && name !== "" && unspaced(searchedText(element)) === unspaced(name);
    if (role === "img" && tagOf(element) !== "img") return;
    this.enter(element, keeps ? depth + 1 : depth, level, { ...inside, named: inside.named || named });
    // a region that says nothing is no news in the interactive mode
    if (this.interactive && keeps && this.nodes === before && !name && !INTERACTIVE_ROLES.has(role) && !isClickableAs(element, role)) {
      this.lines.pop();
      this.nodes -= 1;
    }
  }
}

/** Whether an element without an interactive role is one to click all the same; such are never dropped (SN-08). */
function isClickableAs(element, role) {
  if (role === "generic" || role === "img") return isClickable(element);
  return role !== "label" && !INTERACTIVE_ROLES.has(role) && takesClicks(element);
}

function unspaced(text) {
  return fold(text).replaceAll(" ", "");
}

/** Whether an element's content stands in the outline without a line for itself. */
function isTransparent(element, role) {
  if (TRANSPARENT_ROLES.has(role)) return true;
  if (chartFaults(element).length > 0) return false;
  if (role === "img") return tagOf(element) === "svg" && nameOf(element) === "";
  return TRANSPARENT_UNNAMED.has(role) && nameOf(element) === "" && !testidOf(element);
}

/** Whether the text of a label, caption or legend is the name in another one's line already. */
function namesAnother(element, tag) {
  if (tag === "caption" || tag === "legend") {
    const around = element.parentElement;
    return Boolean(around) && NAMING_CHILD[tagOf(around)] === tag && nameOf(around) === fold(contentText(element, { depth: 0 }));
  }
  if (tag !== "label" || !element.control || !isRendered(element.control)) return false;
  const text = fold(contentText(element, { depth: 0, labelFor: element.control }));
  return text !== "" && nameOf(element.control).includes(text);
}

/** `role "name" (ref=eN) [value="…"] [states]` */
function lineOf(element, role, name) {
  let line = role;
  if (name) line += ` ${quoted(clip(scrub(name), LIMIT.NAME_CHARS))}`;
  if (name || INTERACTIVE_ROLES.has(role) || ALWAYS_NAMED.has(role) || testidOf(element) || isClickableAs(element, role) || chartFaults(element).length > 0) line += ` (ref=${refs.of(element)})`;
  const type = String(element.getAttribute("type") || "").toLowerCase();
  const shown = (isField(element) && type !== "checkbox" && type !== "radio" && role !== "button") || VALUE_ROLES.has(role);
  const value = shown ? valueOf(element) : "";
  if (value) line += ` [value=${quoted(clip(value, LIMIT.NAME_CHARS))}]`;
  const states = SHOWN_STATES.filter((state) => hasState(element, state) && !(state === "invalid" && isOnlyMissing(element)));
  // the daemon lets go of the refs of all other cells
  if (role === "cell" && isClickable(element)) states.push("clickable");
  if (states.length > 0) line += ` [${states.join(",")}]`;
  const faults = chartFaults(element);
  if (faults.length > 0) line += ` [chart faults: ${[...new Set(faults.map(({ kind }) => kind))].join(", ")}]`;
  return line;
}

/** The route as the app writes it. */
function currentRoute() {
  const { pathname, search, hash } = window.location;
  return redactUrl(pathname + search + hash);
}

/** The `snapshot` command. */
function takeSnapshot(args) {
  return readingNames(() => readPage(args));
}

function readPage(args) {
  allowOnly(args, ["scope", "mode"], "snapshot");
  const mode = args.mode === undefined || args.mode === null ? "full" : args.mode;
  if (!["full", "interactive", "status"].includes(mode)) {
    throw badArguments(`mode is full, interactive or status, not ${clip(String(mode), 40)}.`);
  }
  const outline = new Outline(mode);
  const dialogs = dialogsInPage();
  const scope = resolveScope(args.scope);
  const result = { tree: "", nodes: 0, truncated: false, status: statusOf(scope || document.documentElement, dialogs) };
  if (!scope) return { ...result, scopeMissing: true };
  if (mode === "status") return result;
  const modal = topModal(dialogs);
  if (modal && composedContains(scope, modal)) outline.modal = modal;
  const told = mode === "interactive" && composedClosest(scope, (node) => node.matches(TOLD_REGIONS)) !== null;
  outline.enter(scope, 0, 0, { told, named: false, hidden: false });
  result.tree = outline.lines.join("\n");
  result.nodes = outline.nodes;
  result.truncated = outline.truncated;
  if (outline.unread.length > 0) result.unread = outline.unread;
  return result;
}
