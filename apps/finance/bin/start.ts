/**
 * `npm start`: serves the finance assistant, and beside it the example crews, with `baton serve`.
 *
 * `--live`, `--sources NAMES` and `--data-pack NAME` become the assistant's variables; all other options are passed on.
 * With `--live`, the contact that the SEC wants is asked for once, if there is a terminal.
 */
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { settleContact } from "./sec-contact.ts";
import { type Start, toDataFolder, toStart } from "./start-flags.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const CREWS = ["apps/finance/crew", "crews"] as const;
const WRONG_USAGE = 2;
/** Options that only tell something. */
const TELLING = ["--help", "-h", "--print-config"];

const { args, env } = read();
Object.assign(process.env, env);
const isLive = process.env["BATON_FINANCE_LIVE"]?.trim().toLowerCase() === "on";
if (isLive && !args.some((arg) => TELLING.includes(arg))) await settle();
const crews = CREWS.map((path) => relative(process.cwd(), join(ROOT, path)));
process.argv.splice(2, Infinity, "serve", ...crews, ...args);
await import(import.meta.resolve("@baton/cli/bin/baton.js"));

function read(): Start {
  try {
    return toStart(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(WRONG_USAGE);
  }
}

async function settle(): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const contact = await settleContact({
    env: process.env,
    folder: toDataFolder(args, process.env),
    say: (line) => process.stderr.write(`npm start: ${line}\n`),
    ...(isTerminal ? { ask } : {}),
  });
  if (contact !== undefined) process.env["SEC_CONTACT"] = contact;
}

/** Asks on standard error; the end of the input is an empty answer. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  terminal.once("close", () => resolve(""));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
}
