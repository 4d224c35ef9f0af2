/*
 * The `inspect` command: one element with its box, styles, scrolling, theme and component. Nothing is moved for it.
 */

const INSPECTED_STYLES = ["color", "backgroundColor", "opacity", "cursor", "display", "visibility"];

/** Where an element stands in the window, in whole pixels. */
function boxOf(element) {
  const box = element.getBoundingClientRect();
  let from = { x: box.left, y: box.top };
  let to = { x: box.right, y: box.bottom };
  for (let view = element.ownerDocument.defaultView; view && view !== window && view.frameElement; ) {
    const frame = view.frameElement;
    [from, to] = [aroundFrame(frame, from), aroundFrame(frame, to)];
    view = frame.ownerDocument.defaultView;
  }
  return { x: Math.round(from.x), y: Math.round(from.y), width: Math.round(to.x - from.x), height: Math.round(to.y - from.y) };
}

/**
 * Whether something lies over an element.
 * @returns {{occluded: boolean | null, occludedBy: object | null}} null: it does not show here, so nobody can tell
 */
function coverage(element) {
  if (!hasLayout() || !isVisible(element) || !isInViewport(element)) return { occluded: null, occludedBy: null };
  const found = hitTest(element);
  if (found.point) return { occluded: false, occludedBy: null };
  return { occluded: true, occludedBy: found.cover ? coverOf(found.cover) : null };
}

/** How far an element that scrolls is scrolled; undefined for others. */
function scrollOf(element) {
  const style = styleOf(element);
  if (!style || !/^(auto|scroll|overlay)$/.test(style.overflowY) || element.scrollHeight <= element.clientHeight) return undefined;
  return {
    scrollTop: Math.round(element.scrollTop),
    scrollHeight: element.scrollHeight,
    clientHeight: element.clientHeight,
    overflowY: style.overflowY,
  };
}

/** Why there is no place in the code to name. */
function sourceUnavailable(element) {
  return isInFramework(element)
    ? "the framework's build carries no places of the code (a production build)"
    : "no framework component and no data-reticle-source attribute is at or around the element";
}

/** The facts that only some elements have. */
function partialFacts(element) {
  const facts = { scroll: scrollOf(element), theme: attempt("theme", () => themeOf(element)), htmx: attempt("htmx", () => htmxOf(element)) };
  const description = descriptionOf(element);
  if (description) facts.description = clip(scrub(description), LIMIT.TEXT_CHARS);
  const stack = attempt("component", () => componentStack(element), []);
  const written = writtenOf(element);
  if (!written) facts.sourceUnavailable = sourceUnavailable(element);
  if (stack.length > 0) facts.component = { componentStack: stack, ...written };
  if (element.hasAttribute("href")) facts.href = redactUrl(element.getAttribute("href"));
  const form = tagOf(element) === "form" ? element : isSubmitButton(element) ? element.form : null;
  const action = (form && form !== element && element.getAttribute("formaction")) || (form && form.getAttribute("action"));
  if (form) facts.formAction = redactUrl(action || "");
  for (const [key, value] of Object.entries(facts)) if (value === undefined) delete facts[key];
  return facts;
}

/** The `inspect` command. */
function runInspect(args) {
  allowOnly(args, ["ref"], "inspect");
  if (!isRef(args.ref)) throw badArguments("inspect needs a ref, such as e12.");
  const element = elementOfRef(args.ref);
  const style = styleOf(element);
  return {
    ...describe(element),
    tag: tagOf(element),
    box: boxOf(element),
    ...coverage(element),
    inViewport: hasLayout() && isInViewport(element),
    styles: Object.fromEntries(INSPECTED_STYLES.map((name) => [name, style ? style[name] : null])),
    ...partialFacts(element),
  };
}
