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
  if (!isVisible(element)) return "";
  if (isField(element) || element.hasAttribute("aria-invalid")) return isInvalid(element) ? faultText(element) : "";
  const text = fold(searchedText(element));
  const dialog = element.matches("dialog,[role=dialog],[role=alertdialog],[aria-modal=true]");
  return text || (dialog ? nameOf(element) || "(dialog)" : "");
}

/** The text that a field's `aria-errormessage` or `aria-describedby` points at. */
function faultText(field) {
  const ids = `${field.getAttribute("aria-errormessage") || ""} ${field.getAttribute("aria-describedby") || ""}`;
  const scope = field.getRootNode();
  const parts = ids.split(/\s+/).filter(Boolean).map((id) => scope.getElementById && scope.getElementById(id));
  return fold(parts.map((part) => (part ? part.textContent : "")).join(" ")) || "(invalid)";
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
    const around = composedClosest(element, (outer) => outer.matches(REGION_SELECTOR));
    if (around) regions.add(around);
    for (const inner of element.querySelectorAll(REGION_SELECTOR)) regions.add(inner);
  }
  return regions;
}

/** Report the regions that say something new. */
function watchRegions(nodes) {
  for (const region of regionsNear(nodes)) {
    const text = regionText(region);
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
