/*
 * Charts in a real Chromium: faults of their geometry, and what a canvas hides.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, link, show } from "./tab.mjs";

inChromium("charts in Chromium", () => {
  const AXES = '<path class="domain" d="M30,10V170" stroke="black" fill="none"/><path class="domain" d="M30,170H290" stroke="black" fill="none"/>';
  const bars = (...heights) => heights.map((height, at) => `<rect class="bar" x="${40 + at * 50}" y="${170 - height}" width="30" height="${height}"/>`).join("");
  const chart = (name, inside) => `<svg role="img" aria-label="${name}" width="300" height="200">${AXES}${inside}</svg>`;
  const faultsOf = async (name, role = "img") => {
    const { elements } = await link.ask("query", { role, name });
    assert.equal(elements.length, 1, name);
    return elements[0].chart ?? [];
  };

  test("A sound chart, an icon, a chart with a zero among its bars and one with turned labels have no faults.", async () => {
    await show("/sound", chart("Bars", bars(100, 0, 60))
      + chart("Line", '<path class="line" d="M40,100L90,20L140,160" stroke="blue" fill="none"/><circle class="dot" cx="40" cy="100" r="4"/><circle class="dot" cx="90" cy="20" r="4"/>')
      + '<svg role="img" aria-label="Icon" width="16" height="16"><path d=""/><text>N</text></svg>'
      + chart("Turned", bars(10, 20) + [0, 1, 2].map((at) => `<text transform="translate(${40 + at * 12},190) rotate(-45)">A long label ${at}</text>`).join(""))
      + chart("Halo", `${bars(10, 20)}<text x="50" y="50" stroke="white">42</text><text x="50" y="50">42</text>`)
      + chart("Definitions", `<defs><clipPath id="c"><rect width="0" height="0"/></clipPath><marker><path d=""/></marker></defs>${bars(10, 20)}`));
    for (const name of ["Bars", "Line", "Icon", "Turned", "Halo", "Definitions"]) assert.deepEqual(await faultsOf(name), [], name);
    assert.ok(!(await link.ask("snapshot")).tree.includes("chart"));
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });

  test("A bar that is not as long as its meter says is told; one that fits, shows the rest, or says nothing of its length is not.", async () => {
    const meter = (name, now, style, more = "", inside = "") =>
      `<div role="meter" aria-label="${name}" aria-valuenow="${now}" ${more}><div style="${style}">${inside}</div></div>`;
    await show("/meters", meter("Short", 47, "width: 0.47%") + meter("Scaled", 3, "transform: scaleX(0.3)", 'aria-valuemax="5"')
      + meter("Fits", 47, "width: 46.6%") + meter("Of five", 3, "width: 60%", 'aria-valuemax="5"') + meter("High", 30, "height: 30%")
      + meter("Rest", 30, "width: 70%") + meter("Pixels", 30, "width: 9px") + meter("Track", 30, "width: 100%", "", '<div style="width: 30%"></div>')
      + '<div role="progressbar" aria-label="Unknown"><div style="width: 100%"></div></div><meter aria-label="Native" value="0.3"></meter>');
    const told = async (name, role = "meter") => (await faultsOf(name, role)).map(({ kind, sample }) => [kind, sample]);
    assert.deepEqual(await told("Short"), [["value-mismatch", "47 of 0 to 100, drawn at 0.47%"]]);
    assert.deepEqual(await told("Scaled"), [["value-mismatch", "3 of 0 to 5, drawn at 30%"]]);
    for (const name of ["Fits", "Of five", "High", "Rest", "Pixels", "Track", "Native"]) assert.deepEqual(await told(name), [], name);
    assert.deepEqual(await told("Unknown", "progressbar"), []);
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });

  test("A standing bar, one scaled within its track, a sliver and one that is full up are as their meters say; of these the wrong ones are told.", async () => {
    const meter = (name, now, style) => `<div role="meter" aria-label="${name}" aria-valuenow="${now}"><div style="${style}">&nbsp;</div></div>`;
    const sound = { Standing: [40, "width: 100%; height: 40%"], Lying: [40, "width: 40%; height: 100%"], Within: [30, "width: 100%; transform: scaleX(0.3)"],
      Sliver: [1, "width: 5%"], Over: [130, "width: 100%"], Moved: [30, "width: 100%; transform: translateX(-70%)"] };
    const wrong = { Upright: [70, "width: 100%; height: 40%"], Complete: [100, "width: 40%; height: 100%"], "Scaled down": [80, "width: 100%; transform: scaleX(0.3)"],
      Half: [50, "width: 0%"] };
    await show("/standing", Object.entries({ ...sound, ...wrong }).map(([name, [now, style]]) => meter(name, now, style)).join(""));
    for (const name of Object.keys(sound)) assert.deepEqual(await faultsOf(name, "meter"), [], name);
    for (const name of Object.keys(wrong)) assert.deepEqual((await faultsOf(name, "meter")).map(({ kind }) => kind), ["value-mismatch"], name);
  });

  test("Numbers that are none, an empty series and a single point are told with the attribute and a sample.", async () => {
    await show("/numbers", chart("Nan", '<path class="line" d="M40,100L90,NaNL140,160" stroke="blue" fill="none"/><circle cx="undefined" cy="4" r="3"/><circle cx="undefined" cy="5" r="3"/><g transform="translate(Infinity,0)"></g>')
      + chart("Empty", '<path class="line" d="" stroke="blue" fill="none"/>')
      + chart("Single", '<path class="line" d="M40,100Z" stroke="blue" fill="none"/><polyline points="5,5" stroke="red"/>')
      + chart("Negative", '<rect x="40" y="20" width="30" height="-12"/>')
      + `<svg width="300" height="200"><path d="MNaN,1" stroke="red"/></svg>`
      + chart("Nothing", "<text x=20 y=190>Jan</text><text x=120 y=190>Feb</text>"));
    assert.deepEqual(await faultsOf("Nan"), [
      { kind: "non-finite-coordinates", tag: "g", attr: "transform", sample: "translate(Infinity,0)" },
      { kind: "non-finite-coordinates", tag: "path", attr: "d", sample: "M40,100L90,NaNL140,160" },
      { kind: "non-finite-coordinates", tag: "circle", attr: "cx", sample: "undefined", count: 2 },
    ].sort((a, b) => ["path", "circle", "g"].indexOf(a.tag) - ["path", "circle", "g"].indexOf(b.tag)));
    assert.match((await link.ask("snapshot")).tree, /^- [\w-]+ \(ref=e\d+\) \[chart faults: non-finite-coordinates\]$/m);
    const [empty] = await faultsOf("Empty");
    assert.deepEqual([empty.kind, empty.tag, empty.attr], ["empty-geometry", "path", "d"]);
    assert.deepEqual((await faultsOf("Single")).map(({ kind, tag, sample }) => [kind, tag, sample]), [["degenerate-geometry", "path", "M40,100Z"], ["degenerate-geometry", "polyline", "5,5"]]);
    assert.deepEqual(await faultsOf("Negative"), [{ kind: "degenerate-geometry", tag: "rect", attr: "height", sample: "height=-12" }]);
    assert.deepEqual((await faultsOf("Nothing")).map(({ kind, sample }) => [kind, sample]), [["empty-geometry", "2 labels, 2 axes or grid lines, and no marks"]]);
  });

  test("Bars beyond the axes, bars that all are without a height, labels on top of each other and a legend of another length are told.", async () => {
    await show("/places", chart("High", bars(100, 165, 60)) + chart("Flat", bars(0, 0, 0))
      + chart("Crowded", `${bars(10, 20)}<text x="40" y="190">January</text><text x="55" y="190">February</text><text x="200" y="190">March</text>`)
      + `<div>${chart("Legend", `<g data-series="a">${bars(10)}</g><g data-series="b">${bars(20)}</g>`)}<ul class="legend"><li>A</li><li>B</li><li>C</li></ul></div>`
      + `<div>${chart("Agreed", `<g data-series="a">${bars(10)}</g><g data-series="b">${bars(20)}</g>`)}<ul class="legend"><li>A</li><li>B</li></ul></div>`);
    assert.deepEqual(await faultsOf("High"), [{ kind: "outside-plot", tag: "rect", sample: "rect.bar beyond the top by 5 px" }]);
    assert.deepEqual((await faultsOf("Flat")).map(({ kind, sample }) => [kind, sample]), [["zero-size-marks", "all 3 of rect.bar"]]);
    assert.deepEqual(await faultsOf("Crowded"), [{ kind: "overlapping-labels", tag: "text", sample: "January / February" }]);
    assert.deepEqual((await faultsOf("Legend")).map(({ kind, sample }) => [kind, sample]), [["legend-mismatch", "3 in the legend, 2 series"]]);
    assert.deepEqual(await faultsOf("Agreed"), []);
    const [high] = (await link.ask("query", { role: "img", name: "High" })).elements;
    const { tree } = await link.ask("snapshot");
    assert.match(tree, /- \w+ "High" \(ref=e\d+\) \[chart faults: outside-plot\]/);
    assert.deepEqual((await link.ask("inspect", { ref: high.ref })).chart.map(({ kind }) => kind), ["outside-plot"]);
  });

  test("A chart of Chart.js tells its faults; any canvas hides text, and is declared when a text is not found.", async () => {
    await show("/canvas", `<div style="width:300px"><canvas id=good aria-label=Good role=img></canvas></div><div style="width:300px"><canvas id=bad aria-label=Bad role=img></canvas></div><script>
      const make = (id, datasets) => new Chart(document.getElementById(id), { type: 'bar', data: { labels: ['a', 'b'], datasets }, options: { animation: false } });
      make('good', [{ label: 'Sales', data: [1, null] }]);
      make('bad', [{ label: 'Sales', data: [1, NaN] }, { label: 'Costs', data: [] }, { label: 'Zero', data: [0, 0] }, { label: 'Long', data: [1, 2, 3] }]);
    </script>`, '<script src="/chart.js"></script>');
    assert.deepEqual(await faultsOf("Good"), []);
    const bad = (await faultsOf("Bad")).map(({ kind, attr, sample }) => `${kind} ${attr}: ${sample}`);
    for (const one of ["non-finite-coordinates Sales: NaN", "empty-geometry Costs: no points", "zero-size-marks Zero: all 2 bars", "label-mismatch Long: 3 points, 2 labels"]) {
      assert.ok(bad.includes(one), `${one} not in ${bad.join("; ")}`);
    }
    assert.deepEqual(link.ofType("blind-spot", ({ kind }) => kind === "canvas"), []);
    await link.ask("read", { questions: [{ kind: "text", contains: "Nowhere" }] });
    assert.deepEqual(link.ofType("blind-spot", ({ kind }) => kind === "canvas").map(({ data }) => data.count), [2]);
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });
});
