/*
 * Where an area of an image map can be clicked: areas have no box, only numbers on a picture (HTML, "Image maps").
 */

/** What scrolling brings an element into view by: an area has no place but its picture's. */
function shownBy(element) {
  return (tagOf(element) === "area" && pictureOfArea(element)) || element;
}

/** The shape of an area: its numbers, and whether a point of the picture's content lies inside. */
function shapeOf(area) {
  const numbers = (area.getAttribute("coords") || "").split(/[\s,;]+/).map(Number.parseFloat).filter(Number.isFinite);
  const kind = (area.getAttribute("shape") || "rect").toLowerCase();
  if (kind === "default") return { box: null, contains: () => true };
  if (/^circ/.test(kind)) {
    const [x, y, radius] = numbers;
    return { box: [x - radius, y - radius, x + radius, y + radius], contains: (px, py) => Math.hypot(px - x, py - y) < radius };
  }
  const corners = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) corners.push([numbers[at], numbers[at + 1]]);
  const [across, down] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const box = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
  if (/^poly/.test(kind)) return { box, contains: (px, py) => isInPolygon(corners, px, py) };
  return { box, contains: (px, py) => px > box[0] && px < box[2] && py > box[1] && py < box[3] };
}

/** Whether a ray from the point crosses the outline an odd number of times. */
function isInPolygon(corners, px, py) {
  let inside = false;
  corners.forEach(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length];
    if (y > py !== nextY > py && px < x + ((nextX - x) * (py - y)) / (nextY - y)) inside = !inside;
  });
  return inside;
}

/** How far into the box of a shape points are tried, nearest to the middle first; none is exactly on a symmetry of it. */
const AREA_STEPS = [0.5, 0.37, 0.63, 0.23, 0.77, 0.11, 0.89, 0.04, 0.96];

/**
 * Points inside an area, in the document's window; areas before it in the map are left for the hit test to see. Where a
 * picture has a border or padding browsers differ in where they count from: its corner, or that of its content.
 */
function* pointsInArea(area) {
  const picture = pictureOfArea(area);
  if (!picture) return;
  const outer = picture.getBoundingClientRect();
  const style = styleOf(picture);
  const content = { x: picture.clientLeft + (parseFloat(style.paddingLeft) || 0), y: picture.clientTop + (parseFloat(style.paddingTop) || 0) };
  const scale = { x: picture.offsetWidth > 0 ? outer.width / picture.offsetWidth : 1, y: picture.offsetHeight > 0 ? outer.height / picture.offsetHeight : 1 };
  for (const origin of content.x || content.y ? [{ x: 0, y: 0 }, content] : [content]) {
    for (const { x, y } of pointsInShape(area, picture)) {
      yield { x: outer.left + (origin.x + x) * scale.x, y: outer.top + (origin.y + y) * scale.y };
    }
  }
}

function* pointsInShape(area, picture) {
  const { box, contains } = shapeOf(area);
  const [left, top, right, bottom] = box || [0, 0, picture.clientWidth, picture.clientHeight];
  for (const down of AREA_STEPS) {
    for (const across of AREA_STEPS) {
      const [x, y] = [left + (right - left) * across, top + (bottom - top) * down];
      if (contains(x, y)) yield { x, y };
    }
  }
}
