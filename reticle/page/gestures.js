/*
 * The actions of a mouse and a form: click, double click, long press, hover, submit, scrolling into view.
 */

/** `holdMs` of the arguments, 0 when it is not given. */
function holdOf(args) {
  const held = args.holdMs ?? 0;
  if (typeof held !== "number" || !(held >= 0 && held <= LIMIT.HOLD_MS)) {
    throw badArguments(`holdMs is a number of milliseconds from 0 to ${LIMIT.HOLD_MS}.`);
  }
  return held;
}

/** Refuse what a click cannot do, and bring the rest where the mouse reaches it. */
async function approach(element, args, action) {
  requireEnabled(element, args.force);
  if (tagOf(element) === "option") throw wrongTarget(action, element, "Use select on the list that holds it.");
  if (tagOf(element) === "input" && String(element.type).toLowerCase() === "file") refuseUnsupported(element, action);
  await requireVisible(element);
  if (action !== "hover") guardDanger(element, args, isSubmitButton(element));
  return reach(element, args.force);
}

async function click(element, args) {
  const flags = modifierFlags(args.modifiers);
  const holdMs = holdOf(args);
  const reached = await approach(element, args, "click");
  const clicked = await clickAt(element, reached, flags, { holdMs });
  if (!clicked.prevented && !clicked.warning) noteOpeningLink(element);
  return { ...clicked, scrolled: reached.scrolled, cover: reached.cover, heldMs: holdMs || undefined };
}

async function dblclick(element, args) {
  const flags = modifierFlags(args.modifiers);
  const reached = await approach(element, args, "double-click");
  const { warning } = await clickAt(element, reached, flags, { times: 2 });
  const receiver = stillThere(aimedAt(element, reached.hit), reached.point);
  const prevented = !sendMouse(receiver, "dblclick", reached.point, { ...flags, detail: 2 });
  return { prevented, warning, scrolled: reached.scrolled, cover: reached.cover };
}

/** `hover`: the mouse comes over the element and stays there, until another action moves it. */
async function hover(element, args) {
  const flags = modifierFlags(args.modifiers);
  const holdMs = holdOf(args);
  const { point, hit, scrolled, cover } = await approach(element, args, "hover");
  moveMouse(aimedAt(element, hit), point, flags);
  if (holdMs > 0) await pause(holdMs);
  const styled = attempt("hover", () => isHoverStyled(element), false);
  return {
    scrolled,
    cover,
    heldMs: holdMs || undefined,
    ...(styled ? { warning: "A style sheet shows or hides something on :hover here; that needs a real mouse (trusted: true in a driven browser) and did not happen." } : {}),
  };
}

async function submit(element, args) {
  const form = tagOf(element) === "form" ? element : element.form || element.closest("form");
  if (!form) throw wrongTarget("submit", element, "Submit a form, or a field or button that belongs to one.");
  if (tagOf(element) !== "form") requireEnabled(element);
  guardDanger(element, args, true);
  let prevented = false;
  let dispatched = false;
  const see = (event) => {
    dispatched = true;
    native.Promise.resolve().then(() => {
      prevented = event.defaultPrevented;
    });
  };
  native.listen.call(form, "submit", see, { capture: true, once: true });
  const submitter = isSubmitButton(element) ? element : undefined;
  causes.strike();
  form.requestSubmit(submitter);
  native.unlisten.call(form, "submit", see, { capture: true });
  await native.Promise.resolve();
  return { prevented, dispatched };
}

const BLOCKS = ["start", "center", "end", "nearest"];

/** `scrollIntoView`: done nothing when the element shows already and no place for it is asked. */
async function scrollIntoView(element, args) {
  if (args.block !== undefined && !BLOCKS.includes(args.block)) throw badArguments(`block is one of ${BLOCKS.join(", ")}.`);
  await requireVisible(element);
  const shown = shownBy(element);
  if (args.block === undefined && isInViewport(shown)) return { dispatched: false, alreadyAtValue: true };
  const before = shown.getBoundingClientRect();
  causes.strike();
  shown.scrollIntoView?.({ block: args.block ?? "center", inline: "nearest", behavior: "instant" });
  await nextFrame();
  const now = shown.getBoundingClientRect();
  return { scrolled: now.top !== before.top || now.left !== before.left };
}
