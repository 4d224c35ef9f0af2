/*
 * Whether anybody met the texts that were reported: looked at when the events are sent, by when most of what fades in or is
 * shown by a class can be seen. What comes into view later is told then.
 */

/** Texts that are looked at before one sending; what is beyond is taken to be seen, as it was before this was asked. */
const LOOKED_AT = 50;
/** Elements whose text nobody met yet, and how long they are kept in mind. */
const UNMET_ELEMENTS = 20;
const UNMET_MS = 5000;

/** Element → when its text was put in without anybody meeting it. */
const unmet = new Map();
let sightedSeq = 0;

/** How the text that an event tells of is met. */
function sightOfTold(element) {
  const { sight } = sightOf(element, true);
  return sight !== SIGHT.NONE && fold(shownText(element)) === "" && !isField(element) ? SIGHT.NONE : sight;
}

/** Mark the waiting events whose text nobody sees, while an agent looks at the page: layout is not free. */
function noteSights() {
  if (!isAsked() && activity.running === 0) return;
  lookAtUnmet();
  lookingOnce(markSights);
}

function markSights() {
  let left = LOOKED_AT;
  for (const event of queue.waiting) {
    if (event.seq <= sightedSeq) continue;
    sightedSeq = event.seq;
    if (event.type !== EVENT.DOM_ADDED && event.type !== EVENT.DOM_TEXT && event.type !== EVENT.VISIBLE_SHOWN) continue;
    const element = event.data.text && event.ref ? refs.element(event.ref) : undefined;
    if (!element || left === 0) continue;
    left -= 1;
    const sight = sightOfTold(element);
    if (sight === SIGHT.SEEN || event.data.sight) continue;
    event.data.sight = sight;
    if (sight === SIGHT.NONE && unmet.size < UNMET_ELEMENTS && !regionAround(element)) unmet.set(element, native.now());
  }
}

/** Tell of the texts that are met only now; regions are looked at by watch_regions.js. */
function lookAtUnmet() {
  for (const [element, since] of unmet) {
    const isOld = native.now() - since > UNMET_MS;
    const sight = element.isConnected && !isOld ? sightOfTold(element) : SIGHT.NONE;
    if (sight === SIGHT.NONE && element.isConnected && !isOld) continue;
    unmet.delete(element);
    if (sight === SIGHT.NONE) continue;
    const text = clip(scrub(fold(shownText(element))), LIMIT.TEXT_CHARS);
    emit(EVENT.VISIBLE_SHOWN, { role: roleOf(element), name: clip(scrub(nameOf(element)), LIMIT.TEXT_CHARS), text, sight }, refs.of(element));
  }
}

/** The last of what is done before a sending: the events of all other watchers are there. */
function startSightWatch() {
  beforeFlush.push(noteSights);
}
