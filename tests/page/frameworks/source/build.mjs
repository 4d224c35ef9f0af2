/*
 * One small app in each framework, as its development build makes it: `dist/source/<name>.js`.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setEnableTemplateSourceLocations } from "@angular/compiler";
import { formatDiagnostics, performCompilation } from "@angular/compiler-cli";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { build as bundle } from "esbuild";
import { build as vite } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../dist/source/");
mkdirSync(OUT, { recursive: true });

const script = (name, entry, more) =>
  bundle({
    entryPoints: [here(entry)],
    outfile: `${OUT}${name}.js`,
    bundle: true,
    sourcemap: true,
    jsx: "automatic",
    jsxDev: true,
    define: { "process.env.NODE_ENV": '"development"', ngDevMode: "true" },
    logLevel: "error",
    ...more,
  });

/** React of a version, and how it shows something. */
const react = (version, mount, more) => {
  const other = { react: `react-${version}`, "react-dom": `react-dom-${version}` };
  const name = typeof version === "number" ? `react${version}` : version;
  const alias = { ...(version < 19 ? other : {}), "mount-react": here(mount) };
  return script(name, "react.jsx", { alias, ...more });
};
await react(16, "mount-react-16.js");
await react(17, "mount-react-16.js");
await react(18, "mount-react-18.js");
await react(19, "mount-react-18.js");
await react("react19-inline", "mount-react-18.js", { sourcemap: "inline", minifySyntax: true, minifyWhitespace: true });
await script("preact", "preact.jsx", { jsxImportSource: "preact" });

/** A development build by the plugins that a framework's own template uses. */
const components = (name, plugin) =>
  vite({
    root: here("."),
    configFile: false,
    logLevel: "error",
    mode: "development",
    plugins: [plugin],
    define: { "process.env.NODE_ENV": '"development"' },
    build: {
      outDir: OUT,
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      lib: { entry: here(`${name}.js`), formats: ["iife"], name: "App", fileName: () => `${name}.js` },
    },
  });
// by this the plugins tell a development build
process.env.NODE_ENV = "development";
await components("vue", vue());
await components("svelte", svelte({ configFile: false, compilerOptions: { dev: true, css: "injected" } }));
delete process.env.NODE_ENV;

/** Angular's own compiler, then a bundle. */
const angular = async (name, isLocated) => {
  setEnableTemplateSourceLocations(isLocated);
  const { diagnostics } = performCompilation({
    rootNames: [here("angular/main.ts")],
    options: {
      target: 9,
      module: 7,
      moduleResolution: 100,
      experimentalDecorators: true,
      skipLibCheck: true,
      sourceMap: true,
      inlineSources: true,
      outDir: `${OUT}${name}`,
      rootDir: here("."),
      basePath: here("."),
      types: [],
    },
  });
  if (diagnostics.length > 0) throw new Error(formatDiagnostics(diagnostics));
  await script(name, `../dist/source/${name}/angular/main.js`);
};
await angular("angular", false);
await angular("angular-located", true);
