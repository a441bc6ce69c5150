/**
 * `baton connect`: writes crews into the settings of an MCP client, and sees that the entry works.
 *
 * The file is changed only after it was shown and confirmed; if the entry does not work, the old file comes back.
 */
import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importNeeded } from "@baton/baton/optional";
import { BatonError } from "@baton/core";
import { nearest, omitUndefined, toMessage } from "@baton/core/util";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrews } from "../crew/crew-path.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { configure } from "../serve/config.ts";
import { findDefaultCrews } from "../serve/served-crews.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { isConfirmed, requireConsent } from "./crew-servers.ts";
import { CLIENT_FILES, isOwnEntry, toCommandEntry, toUrlEntry } from "./client-entry.ts";
import { readMember, setMember } from "./json-text.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const CONFIG_FILE = "baton.config.yaml";
/** A file with a key is for its owner only. */
const SECRET = 0o600;
const PLAIN = 0o644;

type Entry = ReturnType<typeof toCommandEntry> | ReturnType<typeof toUrlEntry>;

/** A change of a client's file. */
interface Change {
  readonly file: string;
  readonly path: readonly [member: string, name: string];
  readonly entry: Entry;
  /** Undefined if there is no file. */
  readonly old: string | undefined;
}

/** Writes the entry; the exit code is 0 if it works. */
export const command: CliCommand = async (commandLine) => {
  const { flags } = commandLine;
  const change = await toChange(commandLine);
  const needed = { name: "@baton/mcp", needs: "`baton connect`" };
  const { countTools } = await importNeeded(needed, () => import("@baton/mcp/connect"));
  const text = toNewText(change);
  const refusal = text === undefined ? "is not plain JSON" : findForeign(change, flags);
  if (text === undefined || refusal !== undefined) {
    process.stderr.write(toPrintable(`baton: ${change.file} ${refusal}; nothing was written. The entry is:\n`));
    process.stdout.write(toPrintable(toWhole(change.path, change.entry)));
    return EXIT_CODES.failed;
  }
  process.stdout.write(toPrintable(`${change.file}:\n${toDifference(change.old ?? "", text)}`));
  if (flags.has("dry-run")) return EXIT_CODES.done;
  requireConsent(commandLine);
  if (!(await isConfirmed(commandLine, `Write ${change.file}?`))) return EXIT_CODES.failed;
  const restore = text === change.old ? async () => {} : await write(change, text);
  try {
    const tools = await countTools(readMember(await readFile(change.file, "utf8"), change.path));
    process.stdout.write(`verified: ${tools} tools\n`);
    return EXIT_CODES.done;
  } catch (error) {
    await restore();
    const kept = change.old === undefined ? `${change.file} was removed again` : `${change.file} is as it was`;
    process.stderr.write(toPrintable(`baton: the entry does not work: ${toOneLine(toMessage(error))}; ${kept}\n`));
    return EXIT_CODES.failed;
  }
};

async function toChange(commandLine: CommandLine): Promise<Change> {
  const target = toTarget(valueOf(commandLine, "to"));
  const name = valueOf(commandLine, "name") ?? "baton";
  if (!NAME.test(name)) throw new BatonError("invalid", "--name must be at most 64 letters, digits, - and _");
  const entry = await toEntry(commandLine);
  const old = existsSync(target.file) ? await readText(target.file) : undefined;
  return { file: target.file, path: [target.member, name], entry, old };
}

/** The text of the file; what is not UTF-8 is left as something that is not JSON. */
async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new BatonError("invalid", `${file} cannot be read: ${toMessage(error)}`);
  });
  return isUtf8(bytes) ? bytes.toString() : "";
}

function toTarget(word: string | undefined) {
  const names = [...CLIENT_FILES.keys()];
  const target = CLIENT_FILES.get(word ?? "");
  if (target !== undefined) return target;
  const near = nearest(word ?? "", names);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new BatonError("invalid", `--to must be one of ${names.join(", ")}${hint}`);
}

async function toEntry(commandLine: CommandLine): Promise<Entry> {
  const { positionals } = commandLine;
  const [url, key] = [valueOf(commandLine, "url"), valueOf(commandLine, "key")];
  if (url !== undefined) {
    if (positionals.length > 0)
      throw new BatonError("invalid", "name crews or --url, not both: the server has its own");
    return toUrlEntry(toAddress(url), key);
  }
  if (key !== undefined) throw new BatonError("invalid", "--key is for --url; crews of this machine need none");
  const { config } = await configure(commandLine, process.env);
  const crews = config.crews ?? (await findDefaultCrews());
  await Promise.all(crews.map(findCrews));
  const file = valueOf(commandLine, "config") ?? CONFIG_FILE;
  const settings = existsSync(file) ? ["--config", resolve(file)] : [];
  const baton = fileURLToPath(new URL("../../bin/baton.js", import.meta.url));
  const paths = crews.map((path) => resolve(path));
  return toCommandEntry(process.execPath, [
    baton,
    "mcp",
    "serve",
    ...paths,
    "--data",
    resolve(config.data),
    ...settings,
  ]);
}

/** The address of `/mcp`; a server may be named without the path. */
function toAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw new BatonError("invalid", "--url must be a URL, such as https://crews.example.com/mcp");
  if (url.pathname === "/") url.pathname = "/mcp";
  return url.href;
}

function toNewText({ old, path, entry }: Change): string | undefined {
  return old === undefined ? toWhole(path, entry) : setMember(old, path, entry);
}

function toWhole([member, name]: Change["path"], entry: Entry): string {
  return `${JSON.stringify({ [member]: { [name]: entry } }, undefined, 2)}\n`;
}

function findForeign({ old, path, entry }: Change, flags: CommandLine["flags"]): string | undefined {
  const known = old === undefined ? undefined : readMember(old, path);
  const url = "url" in entry ? entry.url : undefined;
  if (known === undefined || flags.has("force") || isOwnEntry(known, omitUndefined({ url }))) return undefined;
  return `has another entry "${path[1]}" (--force replaces it, --name chooses another name)`;
}

/** The lines that differ, as a diff: the change is in one place. */
function toDifference(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const changed = (lines: readonly string[], sign: string) =>
    lines.slice(head, lines.length - tail).map((line) => `${sign} ${line}\n`);
  return [...changed(before === "" ? [] : old, "-"), ...changed(now, "+")].join("") || "no change\n";
}

/** Writes the file and keeps the old one; gives the way back. */
async function write({ file, old, entry }: Change, text: string): Promise<() => Promise<void>> {
  const target = await realpath(file).catch(() => file);
  const mode =
    "headers" in entry && old === undefined
      ? SECRET
      : await stat(target).then(
          (found) => found.mode & 0o777,
          () => PLAIN,
        );
  const made = await mkdir(dirname(target), { recursive: true });
  const backup = `${target}.bak`;
  if (old !== undefined) await writeFile(backup, old, { mode });
  const temporary = `${target}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode });
  await rename(temporary, target);
  if (old !== undefined) return () => rename(backup, target);
  return () => rm(made ?? target, { recursive: made !== undefined });
}
