/**
 * Machine: a folder that is the whole file system of the commands that run in it, with Node, npm, a shell and little else.
 *
 * A command there sees no file of this machine, no variable of its environment, and an empty home. It needs Linux, `unshare`
 * and `script`; it needs no root.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { openProject, succeed } from "../installed/project.ts";
import { openShell, type Shell } from "./shell.ts";

const execute = promisify(execFile);
/** Programs that the tutorial's reader has beside Node and npm; `env` starts npm. */
const PROGRAMS = ["sh", "env", "stty", "cp", "curl"];
const FOLDERS = ["dev", "proc", "tmp", "root", "etc", "usr/bin", "usr/lib/node_modules"];
const FILES = {
  "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n",
  "etc/hosts": "127.0.0.1 localhost\n",
  "etc/nsswitch.conf": "hosts: files\n",
};
/** Programs that start others by these names find them. */
const LINKS = {
  bin: "usr/bin",
  "usr/bin/npm": "../lib/node_modules/npm/bin/npm-cli.js",
  "usr/bin/npx": "../lib/node_modules/npm/bin/npx-cli.js",
};

const NAMESPACES = "--map-root-user --mount --pid --fork --kill-child";

/** Packages that are installed in a machine, by versions that npm knows. */
export interface Equipment {
  readonly node: string;
  readonly npm: string;
}

/** A file system, and what every shell in it starts with. */
export interface Machine {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Makes a machine in a new folder. Its npm uses the registry that is given, and no other. */
export async function makeMachine(folder: string, { node, npm }: Equipment, registry: string): Promise<Machine> {
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  for (const [name, target] of Object.entries(LINKS)) await symlink(target, join(folder, name));
  const store = await fetchNode(`${folder}-node`, { node, npm });
  await cp(join(store, "npm"), join(folder, "usr/lib/node_modules/npm"), { recursive: true });
  await copyProgram(folder, await realpath(join(store, "node/bin/node")), "node");
  for (const name of PROGRAMS) await copyProgram(folder, await find(name), name);
  await writeFile(`${folder}-enter`, toEntry(folder));
  await writeFile(join(folder, "root/.npmrc"), `registry=${registry}\n`);
  return { folder, env: { HOME: "/root", PATH: "/usr/bin", TERM: "xterm-256color", LANG: "C.UTF-8" } };
}

/** A terminal in the home folder of a machine. */
export function openTerminal({ folder, env }: Machine, more: Readonly<Record<string, string>> = {}): Promise<Shell> {
  return openShell({ command: `unshare ${NAMESPACES} sh ${folder}-enter`, env: { ...env, ...more } });
}

/** Run in namespaces of its own, so the mounts end with it. */
function toEntry(folder: string): string {
  const mounts = `mount --rbind /dev ${folder}/dev && mount -t proc proc ${folder}/proc`;
  return `${mounts} && exec "$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)" ${folder} /usr/bin/env -i "$@" sh -c 'cd && exec sh -i'\n`;
}

/** Node's package on npm has no npm in it. */
async function fetchNode(folder: string, versions: Equipment): Promise<string> {
  const project = await openProject(folder, "");
  const manifest = { private: true, dependencies: versions, allowScripts: { node: true } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await succeed(project, "npm", ["install", "--no-audit", "--no-fund"]);
  return join(folder, "node_modules");
}

async function find(name: string): Promise<string> {
  const { stdout } = await execute("sh", ["-c", `command -v ${name}`]);
  return realpath(stdout.trim());
}

/** Copies a program with the libraries that it is linked to. */
async function copyProgram(folder: string, path: string, name: string): Promise<void> {
  await cp(path, join(folder, "usr/bin", name));
  const isScript = (await readFile(path)).subarray(0, 2).toString() === "#!";
  if (isScript) throw new Error(`${path} is a script`);
  const { stdout } = await execute("ldd", [path]);
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    const to = join(folder, library);
    await mkdir(dirname(to), { recursive: true });
    await cp(await realpath(library), to);
  }
}
