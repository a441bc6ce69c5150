/**
 * `npm start`: serves the finance assistant, and beside it the example crews, with `baton serve`.
 *
 * `--live`, `--sources NAMES` and `--data-pack NAME` become the assistant's variables; all other options are passed on.
 */
import { join, relative } from "node:path";
import { type Start, toStart } from "./start-flags.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const CREWS = ["apps/finance/crew", "crews"] as const;
const WRONG_USAGE = 2;

/** Variables that no source reads: an option without an effect is said so. */
const UNUSED = { BATON_FINANCE_SOURCES: "--sources", BATON_FINANCE_DATA_PACK: "--data-pack" } as const;

const { args, env } = read();
for (const [variable, flag] of Object.entries(UNUSED)) {
  if (variable in env) process.stderr.write(`npm start: ${flag} has no effect in this version\n`);
}
Object.assign(process.env, env);
const crews = CREWS.map((path) => relative(process.cwd(), join(ROOT, path)));
process.argv.splice(2, Infinity, "serve", ...crews, ...args);
await import(import.meta.resolve("baton/bin/baton.js"));

function read(): Start {
  try {
    return toStart(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(WRONG_USAGE);
  }
}
