/*
 * Builds the three apps into dist/<name>, as a developer's build: names and lines are kept.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vue from "@vitejs/plugin-vue";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** One app, or a part of one as a file of its own. */
async function built(name, options = {}) {
  await build({
    root: here(name),
    base: `/${name}/`,
    configFile: false,
    logLevel: "warn",
    mode: "development",
    plugins: name === "vue" ? [vue()] : [],
    esbuild: { jsx: "automatic", jsxDev: true },
    define: { "process.env.NODE_ENV": '"development"' },
    build: { outDir: here(`dist/${name}`), emptyOutDir: true, minify: false, modulePreload: false, ...options },
  });
}

rmSync(here("dist"), { recursive: true, force: true });
await built("react");
await built("vue");
await built("plain", { lib: { entry: here("plain/kit.js"), formats: ["es"], fileName: "kit" } });
for (const file of ["index.html", "second.html", "app.js"]) cpSync(here(`plain/${file}`), here(`dist/plain/${file}`));
writeFileSync(here("dist/.built"), "");
