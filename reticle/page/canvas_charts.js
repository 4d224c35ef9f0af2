/*
 * Canvases: pixels, of which nothing can be read, so that each is declared as `canvas` when a text was not found. Where the
 * app has Chart.js in its window, the chart's own numbers and places tell its faults.
 */

/** The chart of Chart.js that a canvas shows, or null. */
function canvasChart(canvas) {
  const { Chart } = canvas.ownerDocument.defaultView || {};
  return typeof Chart === "function" && typeof Chart.getChart === "function" ? Chart.getChart(canvas) || null : null;
}

/** The numbers of one point: a number, a pair from-to, or the place of an object; a gap (null) has none. */
function pointNumbers(point) {
  if (point === null) return [];
  if (Array.isArray(point)) return point.map(Number);
  if (typeof point !== "object") return [Number(point)];
  return ["x", "y"].map((axis) => point[axis]).filter((part) => typeof part === "number");
}

function datasetFaults(chart, dataset, index, faults) {
  const called = dataset.label ? String(dataset.label) : `dataset ${index + 1}`;
  const points = Array.isArray(dataset.data) ? dataset.data : [];
  if (points.length === 0) faults.add("empty-geometry", { tag: "canvas", attr: called, sample: "no points" });
  const numbers = points.slice(0, LIMIT.CHART_MARKS).flatMap(pointNumbers);
  for (const number of numbers) {
    if (!Number.isFinite(number)) faults.add("non-finite-coordinates", { tag: "canvas", attr: called, sample: String(number) });
  }
  const meta = chart.getDatasetMeta(index);
  const type = meta.type || chart.config.type;
  if (type === "bar" && numbers.length > 1 && numbers.every((number) => number === 0)) {
    faults.add("zero-size-marks", { tag: "canvas", attr: called, sample: `all ${numbers.length} bars` });
  }
  const labels = (chart.data.labels || []).length;
  const placed = points.some((point) => point !== null && typeof point === "object" && !Array.isArray(point));
  if (labels > 0 && points.length > labels && !placed) {
    faults.add("label-mismatch", { tag: "canvas", attr: called, sample: `${points.length} points, ${labels} labels` });
  }
  if (!chart.scales || Object.keys(chart.scales).length === 0 || !chart.chartArea) return;
  const { left, right, top, bottom } = chart.chartArea;
  for (const { x, y } of meta.data.slice(0, LIMIT.CHART_MARKS)) {
    if (Number.isFinite(x) && Number.isFinite(y) && edgePassed({ left: x, right: x, top: y, bottom: y }, { left, right, top, bottom })) {
      faults.add("outside-plot", { tag: "canvas", attr: called, sample: `at ${Math.round(x)}, ${Math.round(y)}` });
    }
  }
}

/** What is wrong with a chart on a canvas, as far as it tells. */
function canvasFaults(canvas) {
  const chart = canvasChart(canvas);
  if (!chart || !chart.data || !Array.isArray(chart.data.datasets)) return [];
  const faults = new ChartFaults();
  const shown = chart.data.datasets.map((dataset, index) => ({ dataset, index })).filter(({ index }) => chart.isDatasetVisible(index));
  for (const { dataset, index } of shown) datasetFaults(chart, dataset, index, faults);
  if (chart.data.datasets.length === 0) faults.add("empty-geometry", { tag: "canvas", sample: "no datasets" });
  return faults.list();
}

/** Declare the canvases that show: a text may be painted there. Small ones are icons. */
function lookForCanvases() {
  if (!hasLayout()) return;
  let count = 0;
  for (const element of elementsIn(document)) {
    if (tagOf(element) !== "canvas") continue;
    const { width, height } = element.getBoundingClientRect();
    if (width * height >= 2500 && isVisible(element)) count += 1;
  }
  declareBlind("canvas", count);
}
