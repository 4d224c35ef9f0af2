/*
 * Sections that come into view by scrolling, as pages that reveal their parts do.
 */

const REVEALED = "section, [data-reveal], [data-reticle-reveal]";
/** The share of an element that has to show. */
const REVEALED_RATIO = 0.25;

function startRevealWatch() {
  if (typeof window.IntersectionObserver !== "function") return;
  const observer = new window.IntersectionObserver(
    (entries) =>
      attempt("reveal", () => {
        for (const { target, isIntersecting, intersectionRatio } of entries) {
          // what fills the window shows, however little of it that is
          if (!isIntersecting || (intersectionRatio < REVEALED_RATIO && target.clientHeight <= window.innerHeight)) continue;
          observer.unobserve(target);
          const fields = { role: roleOf(target), name: clip(scrub(nameOf(target)), LIMIT.NAME_CHARS), ratio: Math.round(intersectionRatio * 100) / 100 };
          emit(EVENT.REVEAL_SHOWN, fields, refs.of(target));
        }
      }),
    { threshold: [0, REVEALED_RATIO] },
  );
  // those of the document as it was loaded: what an app puts in later is told as `dom.added`
  const observe = () => {
    for (const element of [...document.querySelectorAll(REVEALED)].slice(0, LIMIT.REVEALED)) observer.observe(element);
  };
  if (document.readyState === "loading") listen(document, "DOMContentLoaded", "reveal", observe);
  else observe();
}
