/*
 * The parts share one scope: a name given twice would silently replace the first one's function.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptText } from "./parts.mjs";

test("No two parts declare the same name.", () => {
  const declared = [...scriptText().matchAll(/^(?:async )?(?:function\*?|class|const|let) (\w+)/gm)].map((found) => found[1]);
  assert.ok(declared.length > 300, `only ${declared.length} names were read`);
  assert.deepEqual(declared.filter((name, index) => declared.indexOf(name) !== index), []);
});
