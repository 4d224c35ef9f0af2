/*
 * Descriptors: what an element is, in the words of page-wire.md.
 */

/** The values that a range-like role reports. */
const VALUE_ROLES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar", "separator"]);

/** Whether an element holds a value of its own that a person can change. */
function isField(element) {
  return ["input", "select", "textarea"].includes(tagOf(element));
}

/** The value a person sees in a field: text, chosen option, range position; `[REDACTED]` for credentials. */
function valueOf(element) {
  const tag = tagOf(element);
  if (tag === "select") return [...element.options].filter((option) => option.selected).map((option) => option.value).join(", ");
  if (tag === "textarea" || tag === "input") {
    if (!element.value) return "";
    return isSecretField(element) ? REDACTED : scrub(String(element.value));
  }
  if (tag === "progress" || tag === "meter") return element.hasAttribute("value") ? String(element.value) : "";
  const role = roleOf(element);
  if (VALUE_ROLES.has(role)) return ariaOf(element, "aria-valuetext") || ariaOf(element, "aria-valuenow") || middleOf(element, role);
  if (!TEXT_ROLES.has(role) && !element.hasAttribute("contenteditable")) return "";
  if (editableHost(element) !== element && role !== "combobox") return "";
  return isSecretField(element) ? REDACTED : scrub(fold(searchedText(element)));
}

/** Where a slider stands that does not say where: in the middle (ARIA 1.2). */
function middleOf(element, role) {
  if (role !== "slider" && role !== "scrollbar") return "";
  const end = (name, otherwise) => Number(ariaOf(element, name) ?? otherwise);
  return String((end("aria-valuemin", 0) + end("aria-valuemax", 100)) / 2);
}

/** The id a test calls an element by. */
function testidOf(element) {
  return element.getAttribute("data-testid") || undefined;
}

/**
 * @param {Element} element
 * @param {string[]} [attributes] further attributes to report
 */
function describe(element, attributes = []) {
  const name = nameOf(element);
  const role = roleOf(element);
  const states = statesOf(element);
  const described = {
    ref: refs.of(element),
    role,
    name: clip(scrub(name), LIMIT.TEXT_CHARS),
    states,
    visible: states.includes("visible"),
  };
  const value = valueOf(element);
  if (value) described.value = clip(value, LIMIT.TEXT_CHARS);
  const level = levelOf(element, role);
  if (level !== undefined) described.level = level;
  // what stands in a part that is edited in place may be a credential, of which a search finds nothing
  const whole = element.querySelector("[contenteditable]") ? searchedText(element) : element.textContent;
  const text = isField(element) || value === REDACTED ? "" : fold(whole);
  if (text && text !== name) described.text = clip(scrub(text), LIMIT.NAME_CHARS);
  const testid = testidOf(element);
  if (testid) described.testid = testid;
  const chart = chartFaults(element);
  if (chart.length > 0) described.chart = chart;
  Object.assign(described, writtenOf(element));
  if (attributes.length > 0) described.attrs = attributesOf(element, attributes);
  return described;
}

/** Named attributes, null where absent; at most 12, each at most 512 characters. */
function attributesOf(element, names) {
  const out = {};
  for (const name of names.slice(0, 12)) {
    const value = element.getAttribute(name);
    const secret = isSecretKey(name) || (name === "value" && isSecretField(element));
    out[name] = value === null ? null : secret ? REDACTED : clip(attributeText(name, value), 512);
  }
  return out;
}

/** An attribute's value without credentials. */
function attributeText(name, value) {
  return /^(href|src|action|formaction|poster|cite)$/.test(name) ? redactUrl(value) : scrub(value);
}

/** `role "name"` for messages. */
function spoken(element) {
  const name = clip(scrub(nameOf(element)), LIMIT.NAME_CHARS);
  const role = roleOf(element);
  return name ? `${role} ${quoted(name)}` : role === "generic" ? `<${tagOf(element)}>` : role;
}
