/*
 * Charts drawn as SVG: what is wrong with their shapes, read from their geometry. Numbers that are none, shapes without an
 * extent, bars outside of the axes, labels on top of each other, a legend of another length than the series. What the
 * numbers should be nobody knows here.
 */

const CHART_MARKS = "path, rect, circle, ellipse, line, polyline, polygon";
const CHART_PLACED = "g[transform], text, tspan, use, image";
/** Content that is only drawn where something refers to it. */
const CHART_DEFINITIONS = "defs, clipPath, mask, pattern, marker, symbol, linearGradient, radialGradient";
const CHART_NUMBERS = ["d", "points", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "transform"];
const NO_NUMBER = /NaN|Infinity|undefined|null/;

/** Faults of one kind, tag and attribute are told once, with the first as a sample and how many there are. */
class ChartFaults {
  constructor() {
    this.found = new Map();
  }

  add(kind, fields) {
    const key = [kind, fields.tag, fields.attr].join(" ");
    const known = this.found.get(key);
    if (known) known.count += 1;
    else this.found.set(key, { kind, ...fields, sample: clip(scrub(fields.sample), LIMIT.NAME_CHARS), count: 1 });
  }

  list() {
    return [...this.found.values()].slice(0, LIMIT.CHART_FAULTS).map(({ count, ...fault }) => (count > 1 ? { ...fault, count } : fault));
  }
}

/** Whether an element is a drawing of its own and large enough to be one that is read, not an icon. */
function isDrawing(element) {
  if (tagOf(element) !== "svg" || element.ownerSVGElement) return false;
  const box = element.getBoundingClientRect();
  return box.width >= 80 && box.height >= 40;
}

function isDrawn(mark) {
  return !mark.closest(CHART_DEFINITIONS) && styleOf(mark)?.display !== "none";
}

/** Coordinates that came of a computation without a result. */
function findNoNumbers(svg, faults) {
  for (const mark of [...svg.querySelectorAll(`${CHART_MARKS}, ${CHART_PLACED}`)].slice(0, LIMIT.CHART_MARKS)) {
    for (const attr of CHART_NUMBERS) {
      const text = mark.getAttribute(attr);
      const at = text === null ? -1 : text.search(NO_NUMBER);
      if (at >= 0) faults.add("non-finite-coordinates", { tag: tagOf(mark), attr, sample: text.slice(Math.max(0, at - 20)) });
    }
  }
}

/** The attribute in which a shape of many points has them. */
function outlineAttribute(tag) {
  return tag === "path" ? "d" : tag === "polyline" || tag === "polygon" ? "points" : null;
}

/** Whether a shape would be seen if it had an extent. */
function isPainted(mark) {
  const style = styleOf(mark);
  return Boolean(style) && (style.stroke !== "none" || style.fill !== "none") && style.visibility === "visible" && Number(style.opacity) > 0;
}

/** Lines without points, of one point, and sizes below nothing. */
function findWithoutExtent(marks, faults) {
  for (const mark of marks) {
    const tag = tagOf(mark);
    const attr = outlineAttribute(tag);
    const text = attr && (mark.getAttribute(attr) || "");
    if (attr && NO_NUMBER.test(text)) continue;
    if (attr && text.trim() === "") {
      if (isPainted(mark)) faults.add("empty-geometry", { tag, attr, sample: mark.outerHTML.replace(/>[\s\S]*/, ">") });
    } else if (attr && mark.getTotalLength() === 0) faults.add("degenerate-geometry", { tag, attr, sample: text });
    for (const size of ["width", "height", "r"]) {
      if (Number(mark.getAttribute(size)) < 0) faults.add("degenerate-geometry", { tag, attr: size, sample: `${size}=${mark.getAttribute(size)}` });
    }
  }
}

/** Whether a shape is an axis or a line of the grid: thin, and as long as half of the drawing. */
function isRule({ width, height }, whole) {
  return (height <= 2 && width >= whole.width / 2) || (width <= 2 && height >= whole.height / 2);
}

/** Whether a shape lies behind all others. */
function isGround({ width, height }, whole) {
  return width * height >= 0.5 * whole.width * whole.height;
}

/** Where data may be drawn: between the ends of upright and level rules, where there are any; else all of the drawing. */
function plotOf(rules, whole) {
  const level = rules.filter(({ box }) => box.height <= 2).map(({ box }) => box);
  const upright = rules.filter(({ box }) => box.width <= 2).map(({ box }) => box);
  return {
    left: level.length > 0 ? Math.min(...level.map((box) => box.left)) : whole.left,
    right: level.length > 0 ? Math.max(...level.map((box) => box.right)) : whole.right,
    top: upright.length > 0 ? Math.min(...upright.map((box) => box.top)) : whole.top,
    bottom: upright.length > 0 ? Math.max(...upright.map((box) => box.bottom)) : whole.bottom,
  };
}

/** Over which edge a shape goes, by more than the width of a line; undefined for one that stays inside. */
function edgePassed(box, plot) {
  return ["left", "right", "top", "bottom"].find((side) => (side === "left" || side === "top" ? box[side] < plot[side] - 2 : box[side] > plot[side] + 2));
}

/** Whether the numbers that place a shape are numbers. */
function isPlaced(mark) {
  return !CHART_NUMBERS.some((attr) => NO_NUMBER.test(mark.getAttribute(attr) || ""));
}

/** Marks that belong together: of one tag and class, in one parent or each in one of its own. */
function seriesOfMarks(shapes) {
  const series = new Map();
  for (const shape of shapes) {
    const key = `${tagOf(shape.mark)}.${shape.mark.getAttribute("class") || ""}`;
    if (!series.has(key)) series.set(key, []);
    series.get(key).push(shape);
  }
  return [...series].filter(([, group]) => group.length > 1);
}

function measures(mark) {
  const side = (name) => (mark.hasAttribute(name) ? Number(mark.getAttribute(name)) : 0);
  return tagOf(mark) === "circle" ? { sides: [side("r")], named: "r" } : { sides: [side("width"), side("height")], named: "width or height" };
}

/** Bars and dots: outside of the plot, or all without a size. */
function findMisplaced(shapes, rules, whole, faults) {
  const plot = plotOf(rules, whole);
  for (const [key, group] of seriesOfMarks(shapes.filter(({ mark }) => ["rect", "circle"].includes(tagOf(mark)) && isPlaced(mark)))) {
    const tag = tagOf(group[0].mark);
    if (group.every(({ mark }) => measures(mark).sides.includes(0))) {
      faults.add("zero-size-marks", { tag, attr: measures(group[0].mark).named, sample: `all ${group.length} of ${key}` });
    }
    for (const { box } of group) {
      const around = tag === "rect" ? plot : whole;
      const edge = box.width > 0 && box.height > 0 ? edgePassed(box, around) : undefined;
      if (edge) faults.add("outside-plot", { tag, sample: `${key} beyond the ${edge} by ${Math.round(Math.abs(box[edge] - around[edge]))} px` });
    }
  }
}

/** Labels that show, each with its box; turned ones have boxes that overlap without their texts doing so. */
function labelsIn(svg) {
  const labels = [];
  for (const text of [...svg.querySelectorAll("text")].slice(0, LIMIT.CHART_LABELS)) {
    const written = fold(text.textContent);
    const turned = text.getScreenCTM();
    if (!written || !isDrawn(text) || !turned || Math.abs(turned.b) > 0.01 || !isPainted(text)) continue;
    labels.push({ written, box: text.getBoundingClientRect() });
  }
  return labels;
}

/** Labels that cover a quarter of each other or more; the same text twice is a way to outline it. */
function findOverlaps(labels, faults) {
  for (const [at, one] of labels.entries()) {
    for (const other of labels.slice(at + 1)) {
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (width <= 0 || height <= 0 || one.written === other.written) continue;
      const smaller = Math.min(one.box.width * one.box.height, other.box.width * other.box.height);
      if (width * height > smaller / 4) faults.add("overlapping-labels", { tag: "text", sample: `${one.written} / ${other.written}` });
    }
  }
}

const LEGEND_ITEMS = '[class*="legend-item"], [class*="legendItem"], [class*="legend_item"], [class*="legend"] li';
const CHART_SERIES = ".recharts-line, .recharts-bar, .recharts-area, .recharts-scatter, g.highcharts-series, g[data-series], g[class~=series]";

/** A legend with another number of entries than there are series, where both can be told. */
function findLegend(svg, faults) {
  const outermost = (found) => [...found].filter((one) => isVisible(one) && ![...found].some((other) => other !== one && other.contains(one)));
  const series = outermost(svg.querySelectorAll(CHART_SERIES)).length;
  const inside = outermost(svg.querySelectorAll(LEGEND_ITEMS));
  const around = svg.parentElement && svg.parentElement.querySelectorAll("svg").length === 1 ? outermost(svg.parentElement.querySelectorAll(LEGEND_ITEMS)) : [];
  const entries = (inside.length > 0 ? inside : around).length;
  if (series > 0 && entries > 0 && series !== entries) faults.add("legend-mismatch", { tag: "svg", sample: `${entries} in the legend, ${series} series` });
}

/** What is wrong with the shapes of a drawing. */
function drawingFaults(svg) {
  const faults = new ChartFaults();
  findNoNumbers(svg, faults);
  const marks = [...svg.querySelectorAll(CHART_MARKS)].slice(0, LIMIT.CHART_MARKS).filter(isDrawn);
  findWithoutExtent(marks, faults);
  const whole = svg.getBoundingClientRect();
  const shapes = marks.map((mark) => ({ mark, box: mark.getBoundingClientRect() })).filter(({ box }) => !isGround(box, whole) || box.width > whole.width + 4 || box.height > whole.height + 4);
  const rules = shapes.filter(({ box }) => isRule(box, whole));
  const data = shapes.filter((shape) => !rules.includes(shape));
  const labels = labelsIn(svg);
  if (rules.length > 0 && labels.length > 1 && data.length === 0 && faults.found.size === 0) {
    faults.add("empty-geometry", { tag: "svg", sample: `${labels.length} labels, ${rules.length} axes or grid lines, and no marks` });
  }
  findMisplaced(data, rules, whole, faults);
  findOverlaps(labels, faults);
  findLegend(svg, faults);
  return faults.list();
}

/**
 * How much of a bar's track it takes by a style of its own, in percent; a standing bar may be as wide as its track. NaN where
 * that is not said so, or where the bar is moved as well.
 */
function barPercent(bar) {
  const { width, height, transform } = bar.style;
  const lengths = [width, height].filter((length) => /^[\d.]+%$/.test(length)).map(parseFloat);
  const [length] = [...lengths.filter((percent) => percent !== 100), ...lengths];
  if (!transform || transform === "none") return length ?? NaN;
  const scaled = /^scale[XY]\(([\d.]+)\)$/.exec(transform);
  return scaled ? (length ?? 100) * Number(scaled[1]) : NaN;
}

const METER = Object.freeze({
  /** A bar may be rounded, or be moved by a look of its own, by so much of its track. */
  PERCENT: 2,
  /** What is drawn of next to nothing may be as long as can be seen, and the same of what is next to all. */
  SLIVER: 6,
});

/** Whether a bar that takes so much of its track shows a value that does, or what is left of it. */
function isDrawnAs(stated, drawn) {
  return Math.abs(stated - drawn) <= METER.PERCENT || Math.max(stated, drawn) <= METER.SLIVER || Math.min(stated, drawn) >= 100 - METER.SLIVER;
}

/** A meter whose bar is not as long as its value says; one that shows what is left is as long as the rest. */
function meterFaults(meter) {
  const bar = meter.firstElementChild;
  if (!bar || meter.childElementCount > 1 || bar.firstElementChild || !bar.style) return [];
  const [low, high] = [ariaOf(meter, "aria-valuemin") ?? 0, ariaOf(meter, "aria-valuemax") ?? 100].map(Number);
  const [now, drawn] = [ariaOf(meter, "aria-valuenow"), barPercent(bar)];
  const stated = Math.min(100, Math.max(0, ((Number(now) - low) / (high - low)) * 100));
  if (now === null || !Number.isFinite(drawn) || !Number.isFinite(stated)) return [];
  if (isDrawnAs(stated, drawn) || isDrawnAs(100 - stated, drawn)) return [];
  const faults = new ChartFaults();
  faults.add("value-mismatch", { tag: tagOf(meter), attr: "aria-valuenow", sample: `${now} of ${low} to ${high}, drawn at ${drawn}%` });
  return faults.list();
}

const METER_ROLES = new Set(["meter", "progressbar"]);

/** Faults of a chart, be it drawn as SVG, on a canvas that tells its chart, or as a bar; empty for all else. */
function chartFaults(element) {
  const tag = tagOf(element);
  if (METER_ROLES.has(roleOf(element))) return attempt("chart", () => meterFaults(element), []);
  if ((tag !== "svg" && tag !== "canvas") || !hasLayout()) return [];
  return attempt("chart", () => (tag === "canvas" ? canvasFaults(element) : isDrawing(element) ? drawingFaults(element) : []), []);
}
