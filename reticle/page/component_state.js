/*
 * The state inside the nearest component of an element, for `state_read` with a `ref`: React's and Preact's hooks in
 * their order, or a class component's state; Vue's data, computed and setup state; the scope of Alpine's expressions.
 */

const HOOK_BOUNDS = Object.freeze({ depth: 4, items: 50, nodes: 2000, chars: 65536 });

/** The nearest function or class component at or around an element. */
function componentFiber(element) {
  const holder = composedClosest(element, (node) => Boolean(fiberOf(node)));
  for (let node = holder && fiberOf(holder), depth = 0; node && depth < 200; node = node.return, depth += 1) {
    const type = node.type && (node.type.render || node.type.type || node.type);
    if (typeof type === "function") return currentFiber(node);
  }
  return null;
}

/** Of the two copies that React keeps of a component, the one that is shown: the one its root reaches. */
function currentFiber(fiber) {
  let top = fiber;
  for (let depth = 0; top.return && depth < 5000; depth += 1) top = top.return;
  const root = top.stateNode;
  return root && root.current && root.current !== top && fiber.alternate ? fiber.alternate : fiber;
}

/** What a hook is, by what React keeps for it. @returns {{kind: string, value?: unknown}} */
function hookOf(node) {
  const kept = node.memoizedState;
  if (node.queue) return { kind: "state", value: kept };
  if (isBranch(kept) && "create" in kept && "deps" in kept) return { kind: "effect" };
  if (Array.isArray(kept) && kept.length === 2 && (Array.isArray(kept[1]) || kept[1] === null)) {
    return typeof kept[0] === "function" ? { kind: "callback" } : { kind: "memo", value: kept[0] };
  }
  if (isBranch(kept) && Object.keys(kept).join() === "current") return { kind: "ref", value: kept.current };
  return { kind: "other", value: kept };
}

/** Hooks in their order, as many as are told. */
function toldHooks(all, shown) {
  const hooks = all.slice(0, LIMIT.HOOKS).map(({ kind, value }) => (value === undefined ? { kind } : { kind, value: shown(value) }));
  return { hooks, ...(all.length > LIMIT.HOOKS ? { truncated: true } : {}) };
}

/** Name and state of a React component. */
function reactState(fiber, element, shown) {
  const component = componentOf(element);
  if (fiber.stateNode) return { component, state: shown(fiber.stateNode.state) };
  const hooks = [];
  let node = fiber.memoizedState;
  for (; isBranch(node) && "memoizedState" in node && hooks.length <= LIMIT.HOOKS; node = node.next) hooks.push(hookOf(node));
  return { component, ...toldHooks(hooks, shown) };
}

/** Values that stand in password and other secret fields now: positional hooks have no key that would tell. */
function secretValues() {
  const values = new Set();
  for (const element of elementsIn(document)) {
    if (isField(element) && isSecretField(element) && element.value) values.add(element.value);
  }
  return values;
}

/** A plain value with everything in it that is a secret field's value replaced. */
function withoutSecrets(value, secrets) {
  if (typeof value === "string") return secrets.has(value) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (!isBranch(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, secrets)]));
}

/** Why nothing is told, where more is known than that. */
const NO_STATE = Object.freeze({
  vue: "the component has no state, or its production build keeps it where nobody else can read it",
  svelte: "Svelte keeps a component's state where nobody else can read it: register what matters as a store",
});

/** Which framework an element itself tells of. */
function stateKind(element) {
  if (Array.isArray(element._x_dataStack) && element._x_dataStack.length > 0) return "alpine";
  if (fiberOf(element)) return "react";
  if (vueInstance(element)) return "vue";
  if (preactNode(element)) return "preact";
  return isSvelte(element) ? "svelte" : undefined;
}

/** An element that Svelte made, as far as it can be told: its development build notes that, its scoped styles show it. */
function isSvelte(element) {
  return Boolean(element.__svelte_meta) || /(^|\s)svelte-[a-z0-9]{5,}(\s|$)/.test(element.getAttribute("class") || "");
}

/** Name and state by framework, of an element that it knows. @type {Record<string, Function>} */
const COMPONENT_STATE = {
  alpine: (holder, shown) => ({ component: alpineName(holder), state: shown(alpineScope(holder._x_dataStack)) }),
  react(holder, shown) {
    const fiber = componentFiber(holder);
    return fiber && reactState(fiber, holder, shown);
  },
  vue(holder, shown) {
    const instance = vueInstance(holder);
    const held = vueHeld(instance);
    return held && { component: componentOf(holder) || instance.type.name || instance.type.__name, state: shown(held) };
  },
  preact(holder, shown) {
    const node = preactComponent(holder);
    return node && preactState(node, shown);
  },
  svelte: () => null,
};

/** The component state of an element, or why there is none to be had. */
function componentState(element) {
  const secrets = secretValues();
  const shown = (value) => withoutSecrets(plain(value, HOOK_BOUNDS) ?? null, secrets);
  const holder = composedClosest(element, (node) => Boolean(stateKind(node)));
  const kind = holder && stateKind(holder);
  const told = kind && COMPONENT_STATE[kind](holder, shown);
  if (told) return { ok: true, ...told };
  const note = kind && NO_STATE[kind];
  return { ok: false, reason: "component-state-unavailable", ...(note ? { note } : {}) };
}
