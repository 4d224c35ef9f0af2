/*
 * docs/howto/state.md against the pages that are tested with the real libraries: people copy from it.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const PAGES = fileURLToPath(new URL("./frameworks/stores/", import.meta.url));
const HOWTO = readFileSync(new URL("../../docs/howto/state.md", import.meta.url), "utf-8");

test("Each library's section has the code that its page is tested with, and each section with code has such a page.", () => {
  const titles = [];
  for (const name of readdirSync(PAGES).filter((file) => file.endsWith(".js"))) {
    const [, title, code] = /^\/\/ docs: (.+)\n([\s\S]*?)\n\/\/ end\n/.exec(readFileSync(PAGES + name, "utf-8")) ?? [];
    if (!title) continue;
    titles.push(title);
    assert.ok(HOWTO.includes(`\n## ${title}\n\n\`\`\`js\n${code}\n\`\`\`\n`), `${title}: docs/howto/state.md is not what ${name} does`);
  }
  const sections = [...HOWTO.matchAll(/\n## (.+)\n\n```js\n/g)].map(([, title]) => title);
  assert.deepEqual(sections.sort(), titles.sort());
});
