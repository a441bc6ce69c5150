/**
 * Backend: bubblewrap on this machine, tried once before it is trusted.
 *
 * The trial runs with the arguments of every call and prints what it sees. If one namespace is Baton's own, or a variable
 * is there that was not given, the backend is missing: a `bwrap` that only executes its command is no sandbox.
 */
import { accessSync, constants, readlinkSync } from "node:fs";
import { release } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { limitsOf, type Scope } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { NOBODY, toArguments, type SandboxView } from "./bwrap-arguments.ts";
import { listInherited, runChild } from "./child.ts";

/** Variables of Baton's own process. */
export type HostVariables = Readonly<Record<string, string | undefined>>;

/** Programs that start a sandbox; bubblewrap's options follow. */
export type Starter = readonly string[];

const NAMESPACES = ["net", "pid", "mnt", "user", "ipc", "uts"];
const LEAST_KERNEL = [5, 14];
const INSTALL = "install bubblewrap 0.8 or newer (apt-get install bubblewrap, dnf install bubblewrap)";
const FORBIDDEN =
  "user namespaces may be forbidden here: allow them (sysctl kernel.unprivileged_userns_clone=1, " +
  "kernel.apparmor_restrict_unprivileged_userns=0; in Docker, --security-opt seccomp=unconfined --security-opt " +
  "systempaths=unconfined)";
const MARK = "=";
const PROBE = [
  `for n in ${NAMESPACES.join(" ")}; do echo "$n${MARK}$(readlink /proc/self/ns/$n)"; done`,
  `echo "uid${MARK}$(id -u)"`,
  "echo --",
  "cat /proc/1/environ /proc/self/environ | tr '\\0' '\\n'",
].join("; ");

/** The variables that every call has. */
export const BASE_ENV: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin",
  HOME: "/tmp",
  LANG: "C.UTF-8",
};

/** The folder of Baton's own Node. */
export const NODE_FOLDER = dirname(process.execPath);

/** The programs that start a sandbox on this machine, or what is missing. */
export function findStarter(env: HostVariables): Starter | string {
  if (process.platform !== "linux")
    return `it needs Linux, and this is ${process.platform}; use \`wasm\` or a container`;
  const [major = 0, minor = 0] = release()
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  const [least = 0, second = 0] = LEAST_KERNEL;
  if (major < least || (major === least && minor < second))
    return `it needs Linux 5.14 or newer, and this is ${release()}`;
  const named = env["BATON_BWRAP"];
  const bwrap = named === undefined || named === "" ? findProgram("bwrap", env) : toExecutable(named);
  if (bwrap === undefined) {
    return named
      ? `BATON_BWRAP is ${named}, which cannot be executed; ${INSTALL}`
      : `there is no \`bwrap\`; ${INSTALL}`;
  }
  if (toExecutable("/usr/bin/prlimit") === undefined) return "there is no /usr/bin/prlimit; install util-linux";
  if (process.getuid?.() !== 0) return [bwrap];
  const setpriv = findProgram("setpriv", env);
  if (setpriv === undefined) return "Baton runs as root, and there is no `setpriv`; install util-linux";
  const drop = ["--reuid", `${NOBODY}`, "--regid", `${NOBODY}`, "--clear-groups", "--no-new-privs"];
  return [setpriv, ...drop, bwrap];
}

/** Tries the starter; gives what is missing. */
export async function probe(starter: Starter, scope: Scope): Promise<string | undefined> {
  const sandbox = limitsOf("process");
  const view: SandboxView = { folder: "/tmp", entries: [], readable: [NODE_FOLDER], hidden: [], paths: [], links: [] };
  const { command: options, list } = toArguments(view, sandbox);
  const command = [...starter, ...options, "/bin/sh", "-c", PROBE];
  try {
    const plan = { command, list, inherited: listInherited(), env: BASE_ENV, sandbox, input: "" };
    const { code, output, complaint } = await runChild(plan, scope);
    if (code === 0) return findLeak(output);
    const why = complaint.trim() || `it ended with code ${code}`;
    if (why.includes("nknown option")) return `${why}; ${INSTALL}`;
    if (process.getuid?.() === 0 && why.includes(NODE_FOLDER)) return `${why}: uid ${NOBODY} cannot read Node's folder`;
    return `${why}; ${FORBIDDEN}`;
  } catch (error) {
    return `${toMessage(error)}; ${INSTALL}`;
  }
}

/** Names what the trial saw that it should not have seen. */
function findLeak(output: string): string | undefined {
  const [seen = "", environment = ""] = output.split("\n--\n");
  const values = new Map(seen.split("\n").map((line) => toPair(line)));
  const shared = NAMESPACES.filter((name) => {
    const inside = values.get(name);
    return inside === undefined || inside === "" || inside === readlinkSync(`/proc/self/ns/${name}`);
  });
  const fake = "the program is no sandbox; set BATON_BWRAP to bubblewrap itself";
  if (shared.length > 0) return `what it starts shares ${shared.join(", ")} with Baton: ${fake}`;
  if (values.get("uid") !== `${NOBODY}`) return `what it starts has uid ${values.get("uid")}: ${fake}`;
  const names = environment.split("\n").flatMap((line) => (line === "" ? [] : toPair(line)[0]));
  const foreign = names.filter((name) => !Object.hasOwn(BASE_ENV, name) && name !== "PWD");
  return foreign.length > 0 ? `what it starts sees variables that were not given: ${fake}` : undefined;
}

function toPair(line: string): readonly [string, string] {
  const at = line.indexOf(MARK);
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}

function findProgram(name: string, { PATH = "" }: HostVariables): string | undefined {
  const folders = [...PATH.split(delimiter), "/usr/bin", "/bin"].filter((folder) => isAbsolute(folder));
  return folders.map((folder) => toExecutable(join(folder, name))).find((path) => path !== undefined);
}

function toExecutable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
