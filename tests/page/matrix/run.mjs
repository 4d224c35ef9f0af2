/*
 * `make matrix`: the acting matrix as a table. Fails when a cell is not as listed in cells.mjs. An argument is the name
 * of the one framework to look at.
 */
import { judgeAll, table } from "./judge.mjs";

const judged = await judgeAll(process.argv[2] ?? null);
console.log(table(judged).join("\n"));
process.exit(judged.faults.length > 0 ? 1 : 0);
