/*
 * Stores that can only be watched with a function of their own library, which the app hands over when it registers:
 * `registerStore("cart", cart, { autorun })`. They are read and subscribed to in a turn of our own.
 */

/** MobX: read whole inside a reaction of our own, so that computed values stay computed and no rule of theirs is broken. */
function autorunAccess(store, { autorun }) {
  let latest;
  const ownTurn = (run) => native.Promise.resolve().then(() => attempt("store", run));
  return {
    get: () => mobxView(store),
    look: () => latest,
    autorun,
    subscribe: (tell) =>
      autorun(
        () =>
          attempt("store", () => {
            latest = lookAt(mobxView(store), false);
            tell();
          }),
        { scheduler: ownTurn },
      ),
  };
}

/** Do something inside a reaction of MobX that is over when it is done: there everything may be read. */
function insideReaction(autorun, work) {
  let done;
  let failure;
  const stop = autorun(() => {
    try {
      done = { result: work() };
    } catch (error) {
      failure = { error };
    }
  });
  stop();
  if (failure) throw failure.error;
  return done ? done.result : work();
}

/** Valtio: snapshots are frozen and share what did not change. */
function snapshotAccess(store, { snapshot, subscribe }) {
  return { get: () => snapshot(store), subscribe: (tell) => subscribe(store, tell, true), keeps: true };
}

/** Vue: a ref or a reactive object; `Alpine.watch` takes the same two. */
function watchAccess(store, { watch }) {
  const get = () => (isVueRef(store) ? store.value : store);
  return { get, subscribe: (tell) => watch(get, () => tell(), { deep: true }) };
}

/** Jotai: the atoms of a store that were named. To be told of changes mounts them, as a component does that uses them. */
function atomsAccess(store, { atoms }) {
  if (!isBranch(atoms)) {
    return {
      get() {
        throw new Error("a store of atoms does not list them: registerStore(name, store, { atoms: { count: countAtom } })");
      },
    };
  }
  const named = Object.entries(atoms);
  return {
    get: () => lazyView(Object.keys(atoms), (name) => store.get(atoms[name])),
    subscribe(tell) {
      const stops = named.map(([, atom]) => store.sub(atom, tell));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Whatever tells nothing by itself: compared again and again, because the app asked for it. */
function polledAccess(access, { everyMs }) {
  return {
    ...access,
    isPolled: true,
    subscribe(tell) {
      const timer = native.setInterval(() => attempt("store", tell), Math.max(LIMIT.STORE_POLL_MS, everyMs));
      return () => native.clearTimeout(timer);
    },
  };
}

/**
 * @param {unknown} store
 * @param {object} using what the app gave beside the store
 * @returns {ReturnType<typeof storeAccess> & {look?: () => object}}
 */
function accessUsing(store, using) {
  if (hasMethods(using, "autorun")) return autorunAccess(store, using);
  if (hasMethods(using, "snapshot", "subscribe")) return snapshotAccess(store, using);
  if (hasMethods(using, "watch")) return watchAccess(store, using);
  if (isBranch(using.atoms)) return atomsAccess(store, using);
  const access = storeAccess(store);
  return Number.isFinite(using.everyMs) && !access.subscribe ? polledAccess(access, using) : access;
}
