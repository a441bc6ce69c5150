/**
 * Project: a folder outside the repository with packages installed by npm, and a Node of its own.
 *
 * Commands see nothing of the repository: their PATH begins with that Node, and npm runs on it.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

const REPOSITORY = join(import.meta.dirname, "..", "..");
/** Lines of `baton serve` until the one that says where it listens. */
const ADDRESS = /https?:\/\/[\w.:[\]-]+/;

/** Variables of the npm and the test runner that run this, and those that would make crews use a real model. */
const FOREIGN = /^(?:npm_|NODE_(?:TEST|OPTIONS|PATH)|BATON_|INIT_CWD$)|_API_KEY$/i;

/** The exit code and output of a command. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder, and the environment of the commands that run in it. */
export interface Project {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Installs a Node from npm and gives the folder with its `node`. */
export async function installNode(folder: string, version: string): Promise<string> {
  const project = await openProject(folder, "");
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: { node: version }, allowScripts: { node: true } }),
  );
  await succeed(project, "npm", ["install", "--no-audit", "--no-fund"]);
  return join(folder, "node_modules", ".bin");
}

/** Makes an empty project whose commands run on the Node of a folder; on the machine's own if there is none. */
export async function openProject(folder: string, node: string): Promise<Project> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => !entry.startsWith(REPOSITORY));
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const PATH = [...(node === "" ? [] : [node]), ...path].join(delimiter);
  return { folder, env: { ...Object.fromEntries(own), PATH, npm_config_loglevel: "error" } };
}

/** Runs a command to its end. */
export function run({ folder, env }: Project, command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(command, [...args], { cwd: folder, env: { ...env } }, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? 1, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Runs a command that must end well, and gives what it printed. */
export async function succeed(project: Project, command: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(project, command, args);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** A server that runs until it is disposed of. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
}

/** Starts `baton serve` with the installed command, and waits for its address. */
export async function serve({ folder, env }: Project, args: readonly string[]): Promise<Serving> {
  // Not by `npx`, which would not pass signals on.
  const command = join(folder, "node_modules", ".bin", "baton");
  const child = spawn(command, ["serve", "--port", "0", ...args], { cwd: folder, env: { ...env } });
  const ended = once(child, "exit");
  child.stderr.resume();
  for await (const line of createInterface(child.stdout)) {
    const url = ADDRESS.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url,
      async [Symbol.asyncDispose]() {
        child.kill("SIGTERM");
        await ended;
      },
    };
  }
  throw new Error(`baton serve ended with ${String((await ended)[0])} before it listened`);
}

/** The size of an installation: packages, and bytes on disk as `du` counts them. */
export async function measure(project: Project): Promise<{ readonly packages: number; readonly megabytes: number }> {
  const listed = await succeed(project, "npm", ["ls", "--all", "--parseable"]);
  const packages = new Set(listed.split("\n").filter((line) => line.includes("node_modules"))).size;
  const names = await readdir(join(project.folder, "node_modules"), { recursive: true });
  const blocks = await Promise.all(
    names.map(async (name) => (await lstat(join(project.folder, "node_modules", name))).blocks),
  );
  return { packages, megabytes: (blocks.reduce((sum, count) => sum + count, 0) * 512) / 1_024 ** 2 };
}
