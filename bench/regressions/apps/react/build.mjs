/* Bundle the app of this folder into dist/, its source map beside it. */
import { build } from "esbuild";

await build({
  entryPoints: ["src/main.jsx"],
  outfile: "dist/main.js",
  bundle: true,
  sourcemap: "linked",
  jsx: "automatic",
  jsxDev: true,
  define: { "process.env.NODE_ENV": '"development"' },
  logLevel: "warning",
});
