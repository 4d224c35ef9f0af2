/*
 * The state inside the nearest component of an element: React's hooks in their order, or a class component's state;
 * Vue's setup state. For `state_read` with a `ref`.
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

/** The component state of an element, or why there is none to be had. */
function componentState(element) {
  const secrets = secretValues();
  const shown = (value) => withoutSecrets(plain(value, HOOK_BOUNDS) ?? null, secrets);
  const fiber = componentFiber(element);
  if (fiber) {
    const component = componentOf(element);
    if (fiber.stateNode) return { ok: true, component, state: shown(fiber.stateNode.state) };
    const hooks = [];
    let node = fiber.memoizedState;
    for (; isBranch(node) && "memoizedState" in node && hooks.length < LIMIT.HOOKS; node = node.next) {
      const { kind, value } = hookOf(node);
      hooks.push(value === undefined ? { kind } : { kind, value: shown(value) });
    }
    return { ok: true, component, hooks, ...(isBranch(node) ? { truncated: true } : {}) };
  }
  const holder = composedClosest(element, (node) => Boolean(node.__vueParentComponent));
  const setup = holder && holder.__vueParentComponent.setupState;
  if (setup) return { ok: true, component: componentOf(element), state: shown(setup) };
  return { ok: false, reason: "component-state-unavailable" };
}
