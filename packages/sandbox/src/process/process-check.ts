/**
 * Process check: what is wrong with the grants of a tool before its first call: hosts, and paths that the user of every
 * call cannot use.
 */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { LevelTool } from "@baton/core/ports";
import { NOBODY } from "./bwrap-arguments.ts";
import { parseEntry } from "./host-list.ts";

const READ = 4;
const WRITE = 2;
const SEARCH = 1;

/** Describes the first problem of a tool; undefined if there is none. */
export async function checkProcessTool({ folder, sandbox, paths }: LevelTool): Promise<string | undefined> {
  const wrong = sandbox.hosts?.find((text) => parseEntry(text) === undefined);
  if (wrong !== undefined) {
    return `\`hosts\`: "${wrong.slice(0, 100)}" is not a host; write name, name:port, *.name or address:port`;
  }
  // Only root becomes another user; the paths of all others are their own.
  if (process.getuid?.() !== 0) return undefined;
  const used = [
    { path: folder, isWritable: false },
    ...paths.map(({ real, isWritable }) => ({ path: real, isWritable })),
  ];
  for (const { path, isWritable } of used) {
    const problem = await findRefusal(path, isWritable ? READ | WRITE : READ);
    if (problem === undefined) continue;
    const verb = isWritable ? "write" : "read";
    return `Baton runs as root and tools as uid ${NOBODY}, which cannot ${verb} ${path}: change the mode of ${problem}`;
  }
  return undefined;
}

/** The first folder on the way to a path, or the path itself, that does not let the tools' user through. */
async function findRefusal(path: string, wanted: number): Promise<string | undefined> {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!(await mayUse(at, SEARCH))) return at;
    if (at === dirname(at)) break;
  }
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  return (await mayUse(path, isFolder ? wanted | SEARCH : wanted)) ? undefined : path;
}

async function mayUse(path: string, wanted: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return false;
  const shift = found.uid === NOBODY ? 6 : found.gid === NOBODY ? 3 : 0;
  return ((found.mode >> shift) & wanted) === wanted;
}
