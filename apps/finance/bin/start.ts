/**
 * `npm start`: serves the finance assistant, and beside it the example crews, with `baton serve`.
 *
 * `--offline`, `--live`, `--without NAMES` and `--data-pack NAME` become the assistant's variables; all other options
 * are passed on. `--sec-contact ADDRESS` keeps the address that the SEC asks for in the data folder, for this start and
 * later ones.
 */
import { join, relative } from "node:path";
import { findContact, keepContact } from "../market/chain/kept-contact.ts";
import { toDataFolder, toStart } from "./start-flags.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const CREWS = ["apps/finance/crew", "crews"] as const;
const WRONG_USAGE = 2;

const args = await read().catch((error: unknown) => {
  process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(WRONG_USAGE);
});
const crews = CREWS.map((path) => relative(process.cwd(), join(ROOT, path)));
process.argv.splice(2, Infinity, "serve", ...crews, ...args);
await import(import.meta.resolve("@baton/cli/bin/baton.js"));

/** Sets the assistant's variables; returns the options for `baton serve`. */
async function read(): Promise<readonly string[]> {
  const start = toStart(process.argv.slice(2));
  const folder = toDataFolder(start.args, process.env);
  if (start.secContact !== undefined) await keepContact(folder, start.secContact);
  const contact = await findContact(process.env, folder);
  Object.assign(process.env, start.env, contact === undefined ? {} : { SEC_CONTACT: contact });
  return start.args;
}
