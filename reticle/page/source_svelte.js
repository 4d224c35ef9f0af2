/*
 * What Svelte's development build notes at each element that a component's markup makes: file, line and column.
 */

/** @returns {Written | undefined} */
function svelteWritten(element) {
  const { loc } = element.__svelte_meta;
  if (!loc || !loc.file || !Number.isInteger(loc.line)) return undefined;
  // Svelte counts columns from 0
  return { source: `${loc.file}:${loc.line}${Number.isInteger(loc.column) ? `:${loc.column + 1}` : ""}` };
}

/** @type {Framework} */
const SVELTE = {
  knows: (element) => Boolean(element.__svelte_meta),
  written: svelteWritten,
  *names(element) {
    const { loc, parent } = element.__svelte_meta;
    if (loc && loc.file) yield fileStem(loc.file);
    // each entry is a block of markup in the file that names it; those of components tell whom they show
    for (let entry = parent, depth = 0; entry && depth < 300; entry = entry.parent, depth += 1) {
      if (entry.type === "component" && entry.file) yield fileStem(entry.file);
    }
  },
};
