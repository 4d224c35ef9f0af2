/*
 * Roles of the parts of an HTML table (HTML-AAM), which depend on what their table is.
 */

/** What an element's table is: `table`, `grid` (a tree grid too), or empty where it says that it is none. */
function tableKind(element) {
  const table = element.closest("table");
  const role = table ? roleOf(table) : "table";
  if (role === "grid" || role === "treegrid") return "grid";
  return role === "table" ? "table" : "";
}

/** A cell's role; a cell of no row is only its content. */
function cellRole(cell) {
  const kind = tableKind(cell);
  const row = cell.parentElement;
  if (!kind || (row && tagOf(row) === "tr" && writtenRole(row) === "presentation")) return "generic";
  if (tagOf(cell) === "th") return headerRole(cell);
  return kind === "grid" ? "gridcell" : "cell";
}

/** What a header cell is for: as it says, else as its neighbours let suppose (a guess of Chromium's that fits HTML's rules). */
function headerRole(cell) {
  const scope = String(cell.getAttribute("scope") || "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const beside = [cell.previousElementSibling, cell.nextElementSibling].filter(Boolean).map(tagOf);
  return beside.includes("td") ? "rowheader" : "columnheader";
}
