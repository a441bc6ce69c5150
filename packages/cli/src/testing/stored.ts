/**
 * Stored: what the command has kept. It is read here, because a process for each look takes most of a test's time.
 */
import { join } from "node:path";
import { hasDatabase } from "@baton/baton/store";
import { readAll } from "@baton/store";
import { z } from "zod";
import { requireDatabase } from "../runs/data-folder.ts";
import { requireRun, listRuns } from "../runs/run-search.ts";
import { baton } from "./command.ts";

const Stored = z.looseObject({ id: z.string(), state: z.string(), input: z.string(), session: z.string().optional() });
const Event = z.looseObject({ type: z.string(), seq: z.int(), run: z.string() });

/** A run as `baton runs --json` lists it. */
export type StoredRun = z.infer<typeof Stored>;
/** An event as `--json` prints it. */
export type PrintedEvent = z.infer<typeof Event>;

/** The runs that are kept in a folder, newest first, as the command lists them. */
export async function listedIn(cwd: string, ...args: readonly string[]): Promise<readonly StoredRun[]> {
  const { stdout } = await baton(["runs", "--json", ...args], { cwd });
  return z.object({ runs: z.array(Stored) }).parse(JSON.parse(stdout)).runs;
}

/** The runs that are kept in a folder, newest first. */
export async function runsIn(cwd: string): Promise<readonly StoredRun[]> {
  const folder = join(cwd, ".baton");
  if (!hasDatabase({ data: folder })) return [];
  await using database = await requireDatabase(folder);
  const all = { crew: undefined, session: undefined, status: undefined, limit: Infinity };
  return z.array(Stored).parse(await listRuns(database, all));
}

/** The log of a run, by its id or a part of it. */
export async function logIn(cwd: string, run: string): Promise<readonly PrintedEvent[]> {
  await using database = await requireDatabase(join(cwd, ".baton"));
  const { id } = await requireRun(database, run);
  return z.array(Event).parse(await readAll(database, id));
}

/** The id of the newest run. */
export async function newestIn(cwd: string): Promise<string> {
  const [newest] = await runsIn(cwd);
  if (newest === undefined) throw new Error(`nothing is kept in ${cwd}`);
  return newest.id;
}

/** Events that were printed one a line. */
export function toEvents(stdout: string): readonly PrintedEvent[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => Event.parse(JSON.parse(line)));
}

/** The arguments of the command that the last line of a text suggests. */
export function toSuggested(text: string): readonly string[] {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  const [name, ...args] = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = ""]) => quoted ?? bare);
  if (name !== "baton") throw new Error(`no command: ${line}`);
  return args;
}
