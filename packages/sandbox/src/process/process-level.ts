/**
 * Process level: each call is a child under bubblewrap, which sees the system's programs, the crew's folder and its grants.
 *
 * The children belong to the main thread of Baton's process: `kill -9` of Baton ends them.
 */
import { realpath } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { type Json, ToolError } from "@baton/core";
import type { Level, LevelJob, Sandbox, Scope } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { BASE_ENV, type HostVariables, findStarter, NODE_FOLDER, probe, type Starter } from "./backend.ts";
import { SOCKET, toArguments, type SandboxView } from "./bwrap-arguments.ts";
import { type ChildEnd, type ChildPlan, listInherited, outOfCpu, runChild } from "./child.ts";
import { type FolderEntry, isInside, listEntries, listModules } from "./folder-entries.ts";
import { MOVED } from "./mount-check.ts";
import { checkProcessTool } from "./process-check.ts";
import { type OpenProxy, openProxy, type Resolve } from "./proxy.ts";
import { talk } from "./runner-message.ts";

/** Options of the level. */
export interface ProcessLevelOptions {
  /** Variables of Baton's own process: `PATH` and `BATON_BWRAP`. */
  readonly env: HostVariables;
  /** The scope in which the backend is tried. */
  readonly scope: Scope;
  /** Finds the addresses of hosts; the system's by default. */
  readonly resolve?: Resolve;
}

const MAX_ATTEMPTS = 3;
const TEMPORARY = 75;
const FIRST_SIGNAL = 128;
const PROXY_ENV = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => [name, "http://127.0.0.1:3128"]),
);
/** Words by which programs report that the disk is full, or a file too long. */
const DISK_FULL = ["No space left on device", "ENOSPC", "File too large", "EFBIG"];

// The sources are TypeScript here and JavaScript in a published package.
const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));
const PACKAGE = dirname(dirname(OWN_FOLDER));
const workerOf = (name: string): string => join(OWN_FOLDER, `${name}-worker${extname(import.meta.url)}`);

/** The level `process`. Nothing is looked for before it is used. */
export function processLevel({ env, scope, resolve }: ProcessLevelOptions): Level {
  let trial: Promise<string | undefined> | undefined;
  let inherited: readonly number[] | undefined;
  const missing = async (): Promise<string | undefined> => {
    const starter = findStarter(env);
    if (typeof starter === "string") return starter;
    trial ??= probe(starter, scope);
    return trial;
  };
  return {
    level: "process",
    missing,
    check: checkProcessTool,
    async run(job, callScope) {
      const problem = await missing();
      const starter = findStarter(env);
      if (problem !== undefined || typeof starter === "string") {
        throw new ToolError("permanent", `\`isolation: process\` is missing: ${problem ?? String(starter)}`);
      }
      await using proxy = await openIfAsked(job.sandbox, resolve);
      inherited ??= listInherited();
      return await call({ job, starter, proxy, inherited }, callScope);
    },
  };
}

function openIfAsked({ hosts = [] }: Sandbox, resolve: Resolve | undefined): Promise<OpenProxy> | undefined {
  return hosts.length === 0 ? undefined : openProxy(hosts, resolve);
}

type Call = Readonly<{
  job: LevelJob;
  starter: Starter;
  proxy: OpenProxy | undefined;
  inherited: readonly number[];
}>;

/** Makes a call; a folder that changes while it is mounted is looked at again, as long as the program was not started. */
async function call(made: Call, scope: Scope): Promise<Json> {
  for (let attempt = 1; ; attempt++) {
    const answer = Promise.withResolvers<Json>();
    const { code, hasStarted, complaint, ...end } = await runChild(await toPlan(made, answer.resolve), scope);
    const {
      sandbox,
      code: { kind },
    } = made.job;
    if (hasStarted && kind === "command") return readOutput({ code, hasStarted, complaint, ...end }, sandbox);
    if (hasStarted) return Promise.race([answer.promise, Promise.reject(toCrash({ code, complaint }, sandbox))]);
    if (attempt < MAX_ATTEMPTS) continue;
    if (code === MOVED) throw new ToolError("permission", "a path leads to another place than a moment before");
    throw new ToolError("permanent", `the sandbox cannot start: ${complaint.trim() || `code ${code}`}`);
  }
}

async function toPlan({ job, starter, proxy, inherited }: Call, onAnswer: (answer: Json) => void): Promise<ChildPlan> {
  const { sandbox, code, env } = job;
  const { command: options, list } = toArguments(await toView(job, proxy), sandbox);
  const bridge = proxy === undefined ? [] : [process.execPath, workerOf("bridge"), SOCKET];
  const program = code.kind === "command" ? toProgram(code.command) : [process.execPath, workerOf("run")];
  return {
    command: [...starter, ...options, ...bridge, ...program],
    list,
    inherited,
    env: {
      ...env,
      ...BASE_ENV,
      BATON_KEY: job.context.key,
      ...(proxy === undefined ? {} : { ...PROXY_ENV, NODE_USE_ENV_PROXY: "1" }),
    },
    sandbox,
    ...(code.kind === "command"
      ? { input: JSON.stringify(job.input) }
      : { input: "", talk: (channel) => talk(channel, job).then(onAnswer) }),
  };
}

/** `node` is Baton's own. */
function toProgram([program = "", ...args]: readonly string[]): readonly string[] {
  return [program === "node" ? process.execPath : program, ...args];
}

/** The view of the call; throws `permission` if a path leads elsewhere than when the crew was read. */
async function toView(job: LevelJob, proxy: OpenProxy | undefined): Promise<SandboxView> {
  const { paths, code } = job;
  for (const { path, real } of paths) {
    const now = await realpath(path).catch(() => undefined);
    if (now === real) continue;
    const problem = now === undefined ? "is not there any more" : "leads to another place than when the crew was read";
    throw new ToolError("permission", `the path ${path} ${problem}`);
  }
  const folder = await realpath(job.folder);
  const data = job.dataFolder === undefined ? [] : [await realpath(job.dataFolder).catch(() => job.dataFolder ?? "")];
  const entries = await listEntries(folder, data[0]);
  // The worker imports Baton for a crew that has none of its own.
  const files = code.kind === "run" ? [await realpath(code.file), workerOf("run")] : [];
  const modules = (await Promise.all(files.map(listModules))).flat();
  const own = code.kind === "run" || proxy !== undefined ? [PACKAGE] : [];
  return {
    folder,
    entries,
    readable: [...new Set([NODE_FOLDER, ...own, ...modules])],
    hidden: [folder, ...data],
    paths,
    links: toLinks(
      [{ path: job.folder, link: folder }, ...paths.map(({ path, real }) => ({ path, link: real }))],
      entries,
    ),
    ...(proxy === undefined ? {} : { socket: proxy.socket }),
  };
}

type Link = SandboxView["links"][number];

/** The names that are not there yet: each leads to its place by itself, or by a link before it. */
function toLinks(names: readonly Link[], entries: readonly FolderEntry[]): readonly Link[] {
  const known = entries.filter(({ link }) => link !== undefined).map(({ path }) => path);
  return names.filter(({ path, link }) => {
    if (path === link || known.some((one) => isInside(path, one))) return false;
    known.push(path);
    return true;
  });
}

/** The output of a program, or the failure that its end means. */
function readOutput(end: ChildEnd, sandbox: Sandbox): Json {
  const { code, output, complaint } = end;
  if (code === 0) return parseJson(output) ?? output;
  if (code > FIRST_SIGNAL) throw toCrash(end, sandbox);
  const isFull = DISK_FULL.some((words) => complaint.includes(words));
  const why = isFull ? ` (\`disk_mb\` is ${sandbox.disk_mb})` : "";
  const text = complaint.trim() === "" ? "" : `: ${complaint.trim()}`;
  throw new ToolError(code === TEMPORARY ? "temporary" : "permanent", `it ended with code ${code}${why}${text}`);
}

function toCrash({ code, complaint }: Pick<ChildEnd, "code" | "complaint">, sandbox: Sandbox): ToolError {
  const number = code - FIRST_SIGNAL;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (name === "SIGXCPU") return outOfCpu(sandbox);
  if (name === "SIGXFSZ")
    return new ToolError("permanent", `a file is larger than ${sandbox.disk_mb} MB (\`disk_mb\`)`);
  const text = complaint.trim() === "" ? "" : `: ${complaint.trim()}`;
  return new ToolError("crash", `its process was ended by ${name ?? `code ${code}`}${text}`);
}
