/*
 * `perf`: largest contentful paint, layout shifts and long tasks, as the browser tells them. What our own commands
 * cost is none of the app's.
 */

/** Stretches in which a command of ours kept the page busy, newest last: [begin, end] in the clock of entries. */
const ownWork = [];

/** Remember how long a command of ours took, when it is long enough to be seen. */
function noteOwnWork(begin, end) {
  if (end - begin < 20) return;
  ownWork.push([begin, end]);
  if (ownWork.length > 20) ownWork.shift();
}

/** Whether at least half of a task was ours. */
function isOwnTask({ startTime, duration }) {
  return ownWork.some(([begin, end]) => Math.min(end, startTime + duration) - Math.max(begin, startTime) > duration / 2);
}

/** The largest sum of shifts in one session window (gaps under 1 s, 5 s at most), and the window that runs. */
const shifts = { worst: 0, running: 0, first: 0, last: 0 };

/** Add a shift. @returns {boolean} whether the page's figure got worse */
function addShift({ value, startTime, hadRecentInput }) {
  if (hadRecentInput) return false;
  const joins = startTime - shifts.last < 1000 && startTime - shifts.first < 5000;
  shifts.running = joins ? shifts.running + value : value;
  if (!joins) shifts.first = startTime;
  shifts.last = startTime;
  if (shifts.running <= shifts.worst) return false;
  shifts.worst = shifts.running;
  return true;
}

function reportPerf(metric, value, startTime) {
  emitRated(EVENT.PERF, { metric, value, at: Math.round(startTime - startedAt) });
}

const METRICS = {
  "largest-contentful-paint": (entry) => reportPerf("lcp", Math.round(entry.startTime), entry.startTime),
  "layout-shift": (entry) => {
    if (addShift(entry)) reportPerf("cls", Number(shifts.worst.toFixed(4)), entry.startTime);
  },
  longtask: (entry) => {
    if (!isOwnTask(entry)) reportPerf("longtask", Math.round(entry.duration), entry.startTime);
  },
};

function startPerfWatch() {
  const Observer = native.PerformanceObserver;
  const known = (Observer && Observer.supportedEntryTypes) || [];
  for (const [type, report] of Object.entries(METRICS)) {
    if (!known.includes(type)) continue;
    const observer = new Observer((list) => attempt("perf", () => list.getEntries().forEach(report)));
    observer.observe({ type, buffered: true });
  }
}
