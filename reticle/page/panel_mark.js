/*
 * Marking an element for the agent: choosing it with the mouse, and naming it so that it can be found again.
 */

/** Where an element stands among its kind in the page, from 1. */
function placeAmong(element, kind, test) {
  let place = 0;
  for (const other of elementsIn(document)) {
    if (test(other)) place += 1;
    if (other === element) return `${kind}#${place}`;
  }
  return `${kind}#0`;
}

/**
 * A name that finds an element again, the firmest first: test id, component, role and name, position.
 * @returns {{anchor: string, strategy: "testid" | "component" | "role" | "position"}}
 */
function anchorOf(element) {
  const testid = testidOf(element);
  if (testid) return { anchor: testid, strategy: "testid" };
  const role = roleOf(element);
  const name = nameOf(element);
  const component = componentOf(element);
  const place = component && sourcePlace(element);
  if (place) return { anchor: `${component}@${place.file.split("/").pop()}:${place.line}`, strategy: "component" };
  if (component) return { anchor: `${component}[${name || role}]`, strategy: "component" };
  if (role !== "generic" && name) return { anchor: `${role}:${name}`, strategy: "role" };
  if (role !== "generic") return { anchor: placeAmong(element, role, (other) => roleOf(other) === role), strategy: "position" };
  return { anchor: placeAmong(element, "el", () => true), strategy: "position" };
}

/** `file:line[:column]` as its parts. */
function sourcePlace(element) {
  const found = /^(.+?):(\d+)(?::\d+)?$/.exec(sourceOf(element) || "");
  return found ? { file: found[1], line: Number(found[2]) } : null;
}

/** The fields of `human.mark`. */
function markOf(element, note) {
  const { anchor, strategy } = anchorOf(element);
  const mark = {
    note: clip(scrub(note), LIMIT.NOTE_CHARS),
    anchor: clip(scrub(anchor), 128),
    strategy,
    label: clip(spoken(element), 256),
    route: clip(currentRoute(), LIMIT.URL_CHARS),
  };
  const source = sourcePlace(element);
  if (source) mark.source = source;
  return mark;
}

/** What lies under the mouse, in the app's page. */
function underMouse(event) {
  const [target] = event.composedPath();
  return isElement(target) && !isPanel(target) ? target : null;
}

/**
 * Let the person choose an element: the app hears nothing of that click. Escape gives up.
 * @param {HTMLElement} frame drawn around what would be chosen
 * @param {(element: Element | null) => void} chosen
 */
function pickElement(frame, chosen) {
  const stops = [];
  const done = (element) => {
    for (const stop of stops) stop();
    frame.hidden = true;
    chosen(element);
  };
  const on = (type, act) => {
    const hear = (event) => attempt("pick", () => act(event));
    native.listen.call(window, type, hear, { capture: true });
    stops.push(() => native.unlisten.call(window, type, hear, { capture: true }));
  };
  const swallow = (event) => {
    if (!event.isTrusted || !underMouse(event)) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    return true;
  };
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup"]) on(type, swallow);
  on("click", (event) => {
    if (swallow(event)) done(underMouse(event));
  });
  on("mousemove", (event) => {
    const element = underMouse(event);
    frame.hidden = !element;
    if (element) drawAround(frame, element);
  });
  on("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopImmediatePropagation();
    done(null);
  });
}

function drawAround(frame, element) {
  const box = element.getBoundingClientRect();
  for (const [side, value] of Object.entries({ left: box.left, top: box.top, width: box.width, height: box.height })) {
    frame.style.setProperty(side, `${value}px`);
  }
}
