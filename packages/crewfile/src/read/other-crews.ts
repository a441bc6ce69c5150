/**
 * Other crews: the crews that `sub_crews` and `after` name, each read once, however many crews name it.
 *
 * Everything wrong with one of them is also a finding at the place that names it.
 */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { omitUndefined } from "@baton/core/util";
import type { CrewFields } from "./fields/crew-fields.ts";
import { type CrewFile, errorsOf, heightOf, type OtherCrews } from "./crew-file.ts";
import { report, readTextItem, type Cursor } from "./yaml/cursor.ts";
import { isFile } from "./yaml/yaml-file.ts";

/** One reading of a crew with all that it contains. */
export interface CrewReading {
  /** The real names of the files of the crews that contain each other here, the outermost first. */
  readonly chain: readonly string[];
  /** Crews that were read, by the real names of their files. */
  readonly known: Map<string, CrewFile>;
  /** Reads a crew that is inside the crews of a chain. */
  readonly read: (path: string, chain: readonly string[]) => Promise<CrewFile>;
}

/** The file of a crew in a folder. */
const CREW = "crew.yaml";

const MAX_DEPTH = 4;

/** The file that a path means: itself, or the crew.yaml of a folder. */
export async function findCrewFile(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(path, CREW) : path;
}

/** The name of a file by which it is recognised, by any path that leads to it. */
export async function toRealName(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

/** Reads the crews that a crew in `folder` names. */
export async function readOthers(
  { subCrews, after }: Pick<CrewFields, "subCrews" | "after">,
  folder: string,
  reading: CrewReading,
): Promise<OtherCrews> {
  const read = new Map<string, CrewFile>();
  for (const [name, cursor] of subCrews) {
    const file = await readOther(cursor, folder, reading);
    if (file !== undefined) read.set(name, file);
  }
  const next = after === undefined ? undefined : await readOther(after, folder, reading);
  return { subCrews: read, ...omitUndefined({ after: next }) };
}

async function readOther(cursor: Cursor, folder: string, reading: CrewReading): Promise<CrewFile | undefined> {
  const { chain, known, read } = reading;
  const named = readTextItem(cursor);
  if (named === undefined) return undefined;
  const path = isAbsolute(named) ? named : join(folder, named);
  const file = await findCrewFile(path);
  if (!(await isFile(file))) return reportMissing(cursor, path, named);
  const real = await toRealName(file);
  if (chain.includes(real)) return reportCycle(cursor, [...chain.slice(chain.indexOf(real)), real]);
  if (chain.length > MAX_DEPTH) return reportDepth(cursor, chain);
  const crew = known.get(real) ?? (await read(path, chain));
  known.set(real, crew);
  if (chain.length + heightOf(crew) > MAX_DEPTH) return reportDepth(cursor, chain);
  const errors = errorsOf(crew).length;
  if (crew.crew === undefined) {
    const message = `the crew in ${toShort(named)} has ${errors === 1 ? "an error" : `${errors} errors`}`;
    report(cursor, { code: "broken_crew", message, fix: "fix what is found in its own files" });
  }
  return crew;
}

async function reportMissing(cursor: Cursor, path: string, named: string): Promise<undefined> {
  const beside = await readdir(dirname(path)).catch(() => []);
  const near = cursor.source.nearest(basename(path), beside);
  const fix = "write the path of a crew's folder or file, as seen from this folder";
  report(cursor, {
    code: "missing_crew",
    message: `there is no crew in ${toShort(named)}`,
    fix: near === undefined ? fix : `did you mean \`${join(dirname(named), near)}\`?`,
  });
}

function reportCycle(cursor: Cursor, files: readonly string[]): undefined {
  const message = `the crew contains itself: ${files.map(toCrewName).join(" → ")}`;
  report(cursor, { code: "crew_cycle", message, fix: "remove one of these from `sub_crews` or `after`" });
}

function reportDepth(cursor: Cursor, chain: readonly string[]): undefined {
  const message = `crews can be nested at most ${MAX_DEPTH} deep, and this one is deeper: ${chain.map(toCrewName).join(" → ")}`;
  report(cursor, {
    code: "too_deep_crews",
    message,
    fix: "merge two of these crews, or name this one in a crew further out",
  });
}

/** A crew is called after its folder, or after its file if that is not crew.yaml. */
export function toCrewName(file: string): string {
  return basename(file) === CREW ? basename(dirname(file)) : basename(file).replace(/\.ya?ml$/, "");
}

function toShort(path: string): string {
  return `\`${path.length <= 60 ? path : `${path.slice(0, 60)}…`}\``;
}
