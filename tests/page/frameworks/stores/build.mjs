/*
 * One page for each state library, and one app in each framework for component state: `dist/stores/<name>.js`.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { build as bundle } from "esbuild";
import { compileModule } from "svelte/compiler";
import { build as vite } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../dist/stores/");
mkdirSync(OUT, { recursive: true });

/** Modules with runes need the compiler, and nothing else of it. */
const runes = {
  name: "runes",
  setup: (build) =>
    build.onLoad({ filter: /\.svelte\.js$/ }, ({ path }) => ({
      contents: compileModule(readFileSync(path, "utf-8"), { filename: basename(path), generate: "client" }).js.code,
    })),
};

const script = (name, entry, more = {}) =>
  bundle({
    entryPoints: [here(entry)],
    outfile: `${OUT}${name}.js`,
    bundle: true,
    define: {
      "process.env.NODE_ENV": '"development"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    plugins: [runes],
    logLevel: "error",
    ...more,
  });

const STORES = ["redux", "toolkit", "zustand", "pinia", "vue", "svelte", "mobx", "jotai", "xstate", "valtio", "query", "getter", "global", "alpine", "htmx", "htmx-2"];
for (const name of STORES) await script(name, `${name}.js`);
await script("runes", "runes.svelte.js", { conditions: ["browser"] });
await script("found-vue", "found-vue.js");
await script("found-react", "found-react.jsx");

for (const [version, mount] of [[16, "old"], [17, "old"], [18, "new"], [19, "new"]]) {
  const alias = version < 19 ? { react: `react-${version}`, "react-dom": `react-dom-${version}` } : {};
  const path = here(`mount-${mount}.js`);
  const plugin = { name: "mount", setup: (build) => build.onResolve({ filter: /^\.\/mount$/ }, () => ({ path })) };
  await script(`react-${version}`, "components.jsx", { alias, plugins: [plugin] });
}
await script("preact", "preact.jsx", { jsx: "automatic", jsxImportSource: "preact" });

/** An app of single-file components, in its development build. */
const components = (name, plugin, mode) =>
  vite({
    root: here("."),
    configFile: false,
    mode,
    logLevel: "error",
    plugins: [plugin],
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    build: {
      outDir: OUT,
      emptyOutDir: false,
      minify: false,
      lib: { entry: here(`components-${name}.js`), formats: ["iife"], name: "App", fileName: () => `${name}-${mode}.js` },
    },
  });
// as a development server gives it: the template is no part of setup
await components("vue", vue({ features: { prodDevtools: true } }), "development");
await components("vue", vue(), "production");
await components("svelte", svelte({ configFile: false, compilerOptions: { css: "injected" } }), "development");
