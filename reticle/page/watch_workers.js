/*
 * Workers, declared: what they request leaves from a thread of their own, where nobody watches. A dedicated one counts
 * until the page terminates it (that it closed itself is not told), a shared one and the page's service worker as long
 * as the document.
 */

/** Workers of this page and its frames that may still run. */
const workers = new WeakSet();
let workersRunning = 0;

function countWorker(step) {
  workersRunning += step;
  declareBlind("worker", workersRunning);
}

function observeWorker(workerClass, [address]) {
  return {
    returned(worker) {
      hearWorker(worker, address);
      workers.add(worker);
      countWorker(1);
      return worker;
    },
  };
}

function observeTermination(worker) {
  if (workers.delete(worker)) countWorker(-1);
}

/** A service worker stands between the page and the server, and asks the server on its own as well. */
function declareServiceWorker(container) {
  declareBlind("service-worker", container.controller ? 1 : 0);
  if (container.controller) watchServed();
}

/** @param {Window} [view] this window, or that of a frame of this origin */
function startWorkerWatch(view = window) {
  if (view.Worker) {
    replaceFunction(view.Worker.prototype, "terminate", "worker.terminate", observeTermination);
    replaceFunction(view, "Worker", "Worker", observeWorker, true);
  }
  if (view.SharedWorker) {
    replaceFunction(view, "SharedWorker", "SharedWorker", (made, args) => {
      watchPorts(view);
      return observeWorker(made, args);
    }, true);
  }
  if (view !== window) return; // the frames of this origin that have another controller are not told apart
  let container;
  try {
    container = view.navigator.serviceWorker;
  } catch {
    return; // a sandboxed document has none, and says so by throwing
  }
  if (!container) return;
  declareServiceWorker(container);
  listen(container, "controllerchange", "service-worker", () => declareServiceWorker(container));
}
