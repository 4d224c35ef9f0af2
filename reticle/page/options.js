/*
 * Choosing from a `<select>`: one option, or several where it takes several.
 */

/** The option that is meant: by value, else by exact label. */
function optionOf(select, wanted) {
  const options = [...select.options];
  return (
    options.find((option) => option.value === wanted) ||
    options.find((option) => fold(option.label || option.text) === fold(wanted))
  );
}

/** Whether these are the options that are chosen, and no others. */
function areChosen(select, options) {
  return [...select.options].every((one) => one.selected === options.includes(one));
}

/** The labels of what is chosen, as a person reads them. */
function chosenLabels(select) {
  return [...select.options].filter((one) => one.selected).map((one) => quoted(clip(fold(one.label || one.text), LIMIT.NAME_CHARS))).join(", ") || "nothing";
}

/** The values that are asked for: one, or a list where the select takes several. */
function wantedOptions(element, args) {
  const several = Array.isArray(args.value);
  const wanted = several ? args.value : [args.value];
  if (!wanted.every((one) => typeof one === "string")) {
    throw badArguments("select needs args.value, an option's value or label, or a list of those.");
  }
  if (several && !element.multiple) throw badArguments(`${spoken(element)} takes one option, not a list; nothing was changed.`);
  return wanted;
}

/** What choosing must pass. @returns {Promise<HTMLOptionElement[]>} the options that are meant */
async function optionsToChoose(element, args) {
  if (tagOf(element) !== "select") {
    throw wrongTarget("select on", element, "For a list made of other elements click it, then click the option.");
  }
  const options = wantedOptions(element, args).map((wanted) => {
    const option = optionOf(element, wanted);
    if (option) return option;
    throw new Refused(
      REFUSAL.NO_SUCH_OPTION,
      `${spoken(element)} has no option ${quoted(clip(wanted, LIMIT.NAME_CHARS))}.`,
      "Use one of details.options.",
      { options: [...element.options].slice(0, LIMIT.OPTIONS).map((one) => ({ value: one.value, label: fold(one.label || one.text) })) },
    );
  });
  requireEnabled(element, args.force);
  for (const option of options) requireEnabled(option);
  await requireVisible(element);
  return options;
}

/** Make these the chosen ones, and tell the app as a browser does. */
function choose(element, options) {
  if (element.multiple) for (const one of element.options) one.selected = options.includes(one);
  else setNatively(element, "selectedIndex", options[0].index);
  sendInput(element, "input", undefined, null);
  sendChange(element);
}

/** `select`. An app that keeps the choice itself may set it back. */
async function select(element, args) {
  const options = await optionsToChoose(element, args);
  const { scrolled, cover } = await reach(element, args.force);
  const before = valueOf(element);
  giveFocus(element);
  const chosen = areChosen(element, options);
  if (!chosen) choose(element, options);
  const refused = () => element.isConnected && options.every((one) => one.isConnected) && !areChosen(element, options);
  const after = () => (refused() ? { warning: `It was chosen, but the list still shows ${chosenLabels(element)}: the app set that.` } : {});
  return { scrolled, cover, dispatched: !chosen, alreadyAtValue: chosen, valueChanged: valueOf(element) !== before, after };
}
