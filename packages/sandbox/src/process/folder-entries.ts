/**
 * Folder entries: what a call sees of a folder: all but dot names, the data folder, sockets and devices.
 */
import type { Dirent } from "node:fs";
import { readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { ToolError } from "@baton/core";

/** A file or folder that is shown whole, or a link that leads where it leads inside the sandbox. */
export interface FolderEntry {
  readonly path: string;
  readonly link?: string;
}

const MAX_ENTRIES = 20_000;
const MODULES = "node_modules";

/** The entries of a folder: as few as show all that may be seen. */
export async function listEntries(folder: string, dataFolder: string | undefined): Promise<readonly FolderEntry[]> {
  const walk = { left: MAX_ENTRIES, root: folder, hidden: dataFolder };
  const inside = await listInside(folder, walk);
  return inside === "whole" ? [{ path: folder }] : inside;
}

type Walk = { left: number; readonly root: string; readonly hidden: string | undefined };

async function listInside(folder: string, walk: Walk): Promise<readonly FolderEntry[] | "whole"> {
  // A folder below may be gone by now.
  const names = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (folder === walk.root) throw error;
    return [];
  });
  walk.left -= names.length;
  if (walk.left < 0) {
    const problem = `${walk.root} has more than ${MAX_ENTRIES} files and folders`;
    throw new ToolError(
      "permanent",
      `${problem}, too many to look for dot names; move the crew to a folder of its own`,
    );
  }
  const shown: FolderEntry[] = [];
  let isWhole = true;
  for (const entry of names) {
    const found = await look(entry, join(folder, entry.name), walk);
    isWhole &&= found === "whole";
    shown.push(...(found === "whole" ? await toEntry(entry, join(folder, entry.name)) : found));
  }
  return isWhole ? "whole" : shown;
}

async function look(entry: Dirent, path: string, walk: Walk): Promise<readonly FolderEntry[] | "whole"> {
  if (entry.name.startsWith(".") || path === walk.hidden) return [];
  if (entry.isDirectory()) return entry.name === MODULES ? "whole" : listInside(path, walk);
  return entry.isFile() || entry.isSymbolicLink() ? "whole" : [];
}

/** A link is made again inside: bubblewrap would mount the place that it leads to. */
async function toEntry(entry: Dirent, path: string): Promise<readonly FolderEntry[]> {
  if (!entry.isSymbolicLink()) return [{ path }];
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? [] : [{ path, link }];
}

/** The folders `node_modules` that a file's imports are found in, and the folders that links in them lead to. */
export async function listModules(file: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const modules = join(folder, MODULES);
    const targets = await listLinks(modules).catch(() => undefined);
    if (targets !== undefined) found.push(modules, ...targets.filter((path) => !isInside(path, modules)));
    if (folder === dirname(folder)) break;
  }
  return [...new Set(found)];
}

async function listLinks(folder: string): Promise<readonly string[]> {
  const targets: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isScope = entry.name.startsWith("@");
    if (entry.isSymbolicLink())
      targets.push(
        ...(await realpath(path).then(
          (one) => [one],
          () => [],
        )),
      );
    if (isScope) targets.push(...(await listLinks(path).catch(() => [])));
  }
  return targets;
}

/** Whether a path is a folder or something in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
