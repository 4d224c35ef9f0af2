/*
 * The apps of the acting matrix, each bundled as its owner would: `dist/matrix/<name>.js`.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { build as bundle } from "esbuild";
import { build as vite } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../dist/matrix/");
mkdirSync(OUT, { recursive: true });

const react = (version, aliases) =>
  bundle({
    entryPoints: [here("react.jsx")],
    outfile: `${OUT}react${version}.js`,
    bundle: true,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    alias: aliases,
    logLevel: "error",
  });
await react(18, { react: "react-18", "react-dom": "react-dom-18" });
await react(19, {});

/** An app of single-file components, by the plugin that its framework's own template uses. */
const components = (name, plugin) =>
  vite({
    root: here("."),
    configFile: false,
    logLevel: "error",
    plugins: [plugin],
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: OUT,
      emptyOutDir: false,
      minify: false,
      lib: { entry: here(`${name}.js`), formats: ["iife"], name: "App", fileName: () => `${name}.js` },
    },
  });
await components("vue", vue({ template: { transformAssetUrls: false } }));
await components("svelte", svelte({ configFile: false, compilerOptions: { css: "injected" } }));

for (const name of ["alpine", "editors"]) {
  await bundle({ entryPoints: [here(`${name}.js`)], outfile: `${OUT}${name}.js`, bundle: true, logLevel: "error" });
}
copyFileSync(here("../node_modules/htmx.org/dist/htmx.js"), `${OUT}htmx.js`);
