/*
 * Alpine: what the expressions of an element see (`x-data` and what `x-for` adds), and its named stores.
 */

/** What a component made with `x-data="name(…)"` is called. */
function alpineName(element) {
  const holder = composedClosest(element, (node) => node.hasAttribute("x-data"));
  const [, name] = /^\s*([\w$.]+)\s*(?:\(|$)/.exec((holder && holder.getAttribute("x-data")) || "") || [];
  return name;
}

/** One object of an element's scopes (nearest first) as its expressions see them: of two with one name the nearer. */
function alpineScope(scopes) {
  const byName = new Map();
  for (const scope of scopes) {
    for (const name of Object.keys(scope)) {
      const found = Object.getOwnPropertyDescriptor(scope, name);
      const isMethod = found && typeof found.value === "function";
      if (!byName.has(name) && !isMethod) byName.set(name, scope);
    }
  }
  return lazyView(byName.keys(), (name) => byName.get(name)[name]);
}

/** Alpine's stores by name, or undefined; there is no list of them but what its own expressions see. */
function alpineStores() {
  const { Alpine } = window;
  if (!hasMethods(Alpine, "evaluate", "store") || typeof Alpine.version !== "string") return undefined;
  // where no expression of the app's runs, none of ours tries whether one may
  if (!document.querySelector("[x-data], [data-x-data]")) return undefined;
  return Alpine.evaluate(document.createElement("i"), "$store");
}
