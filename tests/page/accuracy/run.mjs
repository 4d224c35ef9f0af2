/*
 * `make accuracy`: role, name, states and value of every element of the corpus, ours beside those of Chromium's own
 * accessibility tree. A difference that allowed.json does not list fails, and so does a listed one that is gone.
 */
import { compareAll, told } from "./judge.mjs";

const judged = await compareAll();
console.log(told(judged).join("\n"));
process.exit(judged.faults.length > 0 ? 1 : 0);
