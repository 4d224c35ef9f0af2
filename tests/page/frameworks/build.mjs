/*
 * Build the pages of the frameworks: each folder that has a `build.mjs` builds itself into `dist/<folder>`.
 */
import { existsSync, readdirSync } from "node:fs";

for (const folder of readdirSync(".").sort()) {
  if (existsSync(`${folder}/build.mjs`)) await import(`./${folder}/build.mjs`);
}
