/*
 * Caches of requests as state: TanStack Query's client, and the slice that RTK Query keeps in a Redux store. What they
 * note of a request (pending, failed, how often) is bookkeeping: it comes by itself with the request and is no answer
 * of the app to it, so its changes are marked. The data is the app's.
 */

/** A short name of a query: its key's parts with a slash where they are plain, else the key as the client writes it. */
function queryNames(queries) {
  const names = new Map();
  for (const query of queries) {
    const key = query.queryKey;
    const isPlain = Array.isArray(key) && key.length > 0 && key.every((part) => typeof part === "string" || typeof part === "number");
    const short = isPlain ? key.join("/") : String(query.queryHash);
    names.set(names.has(short) ? String(query.queryHash) : short, query);
  }
  return names;
}

/** The fields of an object that have a value. */
function pickFields(state, names) {
  const picked = {};
  for (const name of names) if (state[name] !== undefined && state[name] !== null) picked[name] = state[name];
  return picked;
}

const CACHED_QUERY = ["status", "fetchStatus", "data", "error", "isInvalidated", "dataUpdateCount", "fetchFailureCount"];
const CACHED_MUTATION = ["status", "variables", "data", "error", "isPaused", "failureCount"];

function queryClientView(client) {
  const queries = client.getQueryCache().getAll();
  const mutations = client.getMutationCache().getAll();
  return {
    queries: Object.fromEntries([...queryNames(queries)].map(([name, query]) => [name, pickFields(query.state, CACHED_QUERY)])),
    mutations: Object.fromEntries(mutations.map((one) => [one.mutationId, pickFields(one.state, CACHED_MUTATION)])),
    fetching: queries.filter((query) => query.state.fetchStatus === "fetching").length,
    mutating: mutations.filter((one) => one.state.status === "pending").length,
  };
}

/** Everything but what a query holds. */
function isQueryBookkeeping([part, , field, ...deeper], { value }) {
  if (part !== "queries") return true;
  if (field === undefined) return !isBranch(value) || value.data === undefined;
  return field !== "data" || (deeper.length === 0 && value === null);
}

function queryClientAccess(client) {
  return {
    get: () => queryClientView(client),
    subscribe(tell) {
      const stops = [client.getQueryCache().subscribe(() => tell()), client.getMutationCache().subscribe(() => tell())];
      return () => {
        for (const stop of stops) stop();
      };
    },
    untracked: true,
    keeps: true,
    isBookkeeping: isQueryBookkeeping,
  };
}

/** Whether a change of a Redux store is in the slice of RTK Query, which names itself, and is not a query's data. */
function isQuerySlice(path, change, state) {
  const [slice, ...rest] = path;
  const held = isBranch(state) && slice !== undefined ? state[slice] : undefined;
  if (!isBranch(held) || !isBranch(held.config) || held.config.reducerPath !== slice) return false;
  return isQueryBookkeeping(rest, change);
}
