/*
 * What the app tells its user: dialogs, alerts, live regions and invalid fields that come into view or get text.
 */

const REGION_SELECTOR =
  "[role=alert],[role=status],[role=log],[role=dialog],[role=alertdialog],[aria-live],[aria-modal=true],output,dialog," +
  "[aria-invalid]";

/** Region → what it said when it was last looked at; empty when it said nothing or was not to be seen. */
const saidBefore = new WeakMap();

/** What a region says now: its text, or for a field the text that explains what is wrong with it. */
function regionText(element) {
  if (!isPerceivable(element)) return "";
  if (isField(element) || element.hasAttribute("aria-invalid")) return isInvalid(element) ? faultText(element) || "(invalid)" : "";
  const text = fold(searchedText(element));
  const dialog = element.matches("dialog,[role=dialog],[role=alertdialog],[aria-modal=true]");
  return text || (dialog ? nameOf(element) || "(dialog)" : "");
}

/** The text that a field's `aria-errormessage` or `aria-describedby` points at. */
function faultText(field) {
  const ids = `${field.getAttribute("aria-errormessage") || ""} ${field.getAttribute("aria-describedby") || ""}`;
  const scope = field.getRootNode();
  const parts = ids.split(/\s+/).filter(Boolean).map((id) => scope.getElementById && scope.getElementById(id));
  return fold(parts.map((part) => (part ? part.textContent : "")).join(" "));
}

/** Remember what the regions of a page say before anything happens. */
function baselineRegions(root) {
  for (const element of root.querySelectorAll(REGION_SELECTOR)) saidBefore.set(element, regionText(element));
}

/** The regions that a change to these nodes may concern. */
function regionsNear(nodes) {
  const regions = new Set();
  for (const node of nodes) {
    const element = isElement(node) ? node : composedParent(node);
    if (!element || !element.isConnected) continue;
    const around = regionAround(element);
    if (around) regions.add(around);
    if (!element.firstElementChild) continue;
    for (const inner of element.querySelectorAll(REGION_SELECTOR)) regions.add(inner);
  }
  return regions;
}

/** The nearest region around an element. The browser's own look for it sees neither slots nor what is around a frame. */
function regionAround(element) {
  if (!hasInnerRoots) return element.closest(REGION_SELECTOR);
  return composedClosest(element, (outer) => outer.matches(REGION_SELECTOR));
}

/** Regions that have a text but cannot be seen yet: they may be fading in, which changes nothing in the document. */
const unseen = new Set();
let lookingAgain = false;

/** Look again a few times while something moves, and before each answer. */
function lookAgain(times) {
  if (unseen.size === 0 || times === 0) {
    unseen.clear();
    lookingAgain = false;
    return;
  }
  lookingAgain = true;
  native.setTimeout(() => attempt("regions", () => {
    lookAtUnseen();
    lookAgain(times - 1);
  }), 100);
}

function lookAtUnseen() {
  const regions = [...unseen];
  unseen.clear();
  if (regions.length > 0) lookAtRegions(regions);
}

/** Keep a region in mind that is being shown; one that stays hidden is forgotten after a while. */
function noteUnseen(region) {
  if (unseen.size >= 50 || !isAnimated() || fold(region.textContent) === "") return;
  unseen.add(region);
  if (!lookingAgain) lookAgain(10);
}

/** Report the regions near these nodes that say something new. */
function watchRegions(nodes) {
  lookAtRegions(regionsNear(nodes));
}

function lookAtRegions(regions) {
  for (const region of regions) {
    const text = regionText(region);
    if (!text) noteUnseen(region);
    if (text === (saidBefore.get(region) || "")) continue;
    saidBefore.set(region, text);
    if (!text) continue;
    const shown = clip(scrub(text), LIMIT.TEXT_CHARS);
    activity.note(shown);
    emit(
      EVENT.VISIBLE_SHOWN,
      { role: roleOf(region), name: clip(scrub(nameOf(region)), LIMIT.TEXT_CHARS), text: shown },
      refs.of(region),
    );
  }
}
