/**
 * Path grants: the paths that a sandbox names, resolved when the crew is read; a dangerous one is a problem.
 */
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";
import type { PathGrant, Sandbox } from "@baton/core/ports";
import type { SandboxProblem } from "./sandbox-rules.ts";

/** Folders whose grant would give away everything. */
export interface PrivateFolders {
  readonly folder: string;
  readonly dataFolder?: string;
}

type Grants = Readonly<{ paths: readonly PathGrant[]; problems: readonly SandboxProblem[] }>;

/** Folders of the kernel: with them a tool would look at all processes and devices of the machine. */
const OF_KERNEL = ["/proc", "/sys", "/dev"];

/** Resolves the paths of a sandbox. */
export async function resolvePaths({ read = [], write = [] }: Sandbox, own: PrivateFolders): Promise<Grants> {
  const paths: PathGrant[] = [];
  const problems: SandboxProblem[] = [];
  const wanted = [...read.map((path) => ({ path, field: "read" })), ...write.map((path) => ({ path, field: "write" }))];
  for (const { path, field } of wanted) {
    const place = resolve(own.folder, path);
    const real = await realpath(place).catch(() => undefined);
    const why = real === undefined ? "does not exist" : await findDanger({ path, place, real }, own);
    if (real !== undefined && why === undefined) paths.push({ path: place, real, isWritable: field === "write" });
    else problems.push({ field: `sandbox.${field}`, message: `the path \`${path.slice(0, 200)}\` ${why}`, fix: FIX });
  }
  return { paths, problems };
}

const FIX = "name a file or folder that the tool may use, in the crew's folder or absolute";

type Named = Readonly<{ path: string; place: string; real: string }>;

async function findDanger({ path, place, real }: Named, own: PrivateFolders): Promise<string | undefined> {
  const folder = await realpath(own.folder);
  if (!isAbsolute(path) && !(isInside(place, own.folder) && isInside(real, folder))) {
    return "leaves the crew's folder";
  }
  const data = own.dataFolder === undefined ? undefined : await toReal(own.dataFolder);
  const home = await toReal(homedir());
  const held: readonly (readonly [string | undefined, string])[] = [
    ["/", "the whole file system"],
    [folder, "the crew's folder"],
    [data, "the data folder"],
    [home, "the home folder"],
  ];
  const found = held.find(([one]) => one !== undefined && isInside(one, real));
  if (found !== undefined) return `is or contains ${found[1]}`;
  if (data !== undefined && isInside(real, data)) return "is in the data folder";
  return OF_KERNEL.some((one) => isInside(real, one)) ? "shows other processes and devices" : undefined;
}

function toReal(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** Whether a path is a folder or something in it. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
