/*
 * How often React puts a change into the page, where a development tool's hook is there to tell. No hook is made: React
 * and its tools behave otherwise with one.
 */

const REACT_HOOK = "__REACT_DEVTOOLS_GLOBAL_HOOK__";

/** Commits that are not told yet. */
let commits = 0;

function noteCommit() {
  commits += 1;
  if (commits > 1) return;
  native.setTimeout(
    () =>
      attempt("commits", () => {
        emit(EVENT.RENDER_COMMIT, { commits });
        commits = 0;
      }),
    LIMIT.COMMITS_MS,
  );
}

/** React looks its hook's method up at each commit, so that it can be seen from any time on. */
function watchCommits() {
  const hook = window[REACT_HOOK];
  const found = hook && Object.getOwnPropertyDescriptor(hook, "onCommitFiberRoot");
  if (!found || !found.configurable || replacements.has(found.value)) return;
  replaceFunction(hook, "onCommitFiberRoot", "commits", noteCommit);
}

function startCommitWatch() {
  for (const [target, type] of [[document, "DOMContentLoaded"], [window, "load"]]) listen(target, type, "commits", watchCommits);
  beforeFlush.push(watchCommits);
}
