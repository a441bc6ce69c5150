/**
 * Known crews: crews in code and in folders, by the names that runs and routes use.
 */
import { basename, dirname, resolve } from "node:path";
import { BatonError, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import {
  checkCrew as checkAnyCrew,
  type CheckFinding,
  type CrewFile,
  isCrewCode,
  readCrew,
  readCrews,
  type ReadOptions,
  interpretCrew,
  sandboxCrew,
} from "@baton/crewfile";
import type { ToolThreads } from "@baton/durable/threads";
import { MODEL_PROVIDERS } from "@baton/models/choice";
import type { ServedCrew } from "@baton/server";
import { installedInterpreter } from "./optional/installed-interpreter.ts";
import { assumedLevels, installedLevels } from "./optional/installed-levels.ts";
import { CrewMcp } from "./optional/crew-mcp.ts";
import { importOptional } from "./optional/optional-package.ts";
import type { KnownSource } from "./model-choice.ts";
import { dataFolderOf } from "./store-choice.ts";

/** A crew as it is served, and what was read of it. */
export interface KnownCrew {
  /** Its name in routes. */
  readonly id: string;
  readonly source: KnownSource;
  readonly served: ServedCrew;
  /** The crew as the program has it, if its tools are not the ones that run. */
  readonly given?: Crew;
}

const NO_ID = /[^a-zA-Z0-9_-]+/g;
const MAX_ID = 128;
const NO_PROVIDER: readonly string[] = ["script", "offline", "auto"];
const PROVIDERS = MODEL_PROVIDERS.filter((name) => !NO_PROVIDER.includes(name));

/** Makes the tools of other agents with the package that has them. */
const a2a: NonNullable<ReadOptions["a2a"]> = async (partners) =>
  (await importOptional("@baton/a2a", () => import("@baton/a2a")))?.a2aTools(partners);

/** The loader of a crew's code, if it is read again when it changes. */
export type CodeLoader = Pick<ReadOptions, "importModule" | "version">;

/** Where sandboxed tools and those of MCP servers run, and the folder that the former never see. */
export type SandboxChoice = Pick<ReadOptions, "levels" | "dataFolder" | "interpreter" | "mcp">;

/** Reads a crew with its findings; its tools run on these threads. */
export function readCrewFile(
  path: string,
  threads: ToolThreads,
  options: CodeLoader & SandboxChoice = {},
): Promise<CrewFile> {
  return readCrew(path, { ...defaults(), threads, ...options });
}

/** Reads all crews of a path, which is a folder, or a file of YAML or code. */
export function readCrewFiles(
  path: string,
  threads: ToolThreads,
  options: CodeLoader & SandboxChoice = {},
): Promise<readonly CrewFile[]> {
  return readCrews(path, { ...defaults(), threads, ...options });
}

/** Tools of MCP servers are always made, so that a crew can be checked; they connect only when they are called. */
function defaults(): Pick<ReadOptions, "providers" | "a2a" | "levels" | "dataFolder" | "interpreter" | "mcp"> {
  const { makeTools } = new CrewMcp({ env: process.env, warn: () => {} });
  const dataFolder = dataFolderOf(undefined, process.env);
  return {
    providers: PROVIDERS,
    a2a,
    levels: installedLevels(),
    interpreter: installedInterpreter(),
    dataFolder,
    mcp: makeTools,
  };
}

/** Reads the crews of a path for an application; throws `invalid` with every error if one of them cannot run. */
export async function readKnownCrews(
  path: string,
  threads: ToolThreads,
  sandbox: SandboxChoice,
): Promise<readonly KnownCrew[]> {
  const files = await readCrewFiles(path, threads, sandbox);
  return files.map((file) => {
    const { crew } = file;
    if (crew === undefined) throw refuse(path, file);
    return toKnownCrew(toCrewId(path, crew), { ...file, crew });
  });
}

/** The id of a crew in routes: in code its name, else the name of its folder or file. */
export function toCrewId(path: string, { name }: Crew): string {
  return toId(isCrewCode(path) ? name : crewNameOf(path));
}

/** The whole check of a crew, the same for YAML and code; `file` and `line` are those of the call of `defineCrew`. */
export function checkCrew(crew: Crew): readonly CheckFinding[] {
  return checkAnyCrew(crew, { providers: PROVIDERS });
}

/** A crew that was read, under an id. */
export function toKnownCrew(id: string, file: CrewFile & { readonly crew: Crew }): KnownCrew {
  const { crew, findings, onShutdown, prompts, expose } = file;
  const served = { ...omitUndefined({ onShutdown, prompts, expose }), id, crew, findings: [...findings] };
  return { id, source: file, served };
}

/** A crew in code. */
export function knowCrew(crew: Crew): KnownCrew {
  const id = toId(crew.name);
  return { id, source: { crew }, served: { id, crew, findings: checkCrew(crew) } };
}

/** A crew in code with its tools in their sandboxes; throws `invalid` if one of these cannot be made. */
export async function knowSandboxedCrew(given: Crew, sandbox: SandboxChoice): Promise<KnownCrew> {
  const { crew, findings } = await sandboxCrew(await interpretCrew(given, sandbox), sandbox);
  const first = findings.find(({ severity }) => severity === "error");
  if (first !== undefined) throw new BatonError("invalid", `crew ${given.name}: ${first.message}; ${first.fix}`);
  const { id, source, served } = knowCrew(crew);
  return { id, given, source, served: { ...served, findings: [...findings, ...served.findings] } };
}

/** The name of a crew's folder, or of its file if that is not crew.yaml. For a folder `crew`, the name of its parent. */
export function crewNameOf(path: string): string {
  const name = basename(path).replace(/\.ya?ml$/, "");
  const isFile = name !== basename(path);
  const folder = resolve(isFile ? dirname(path) : path);
  if (isFile && name !== "crew") return name;
  return basename(folder) === "crew" ? basename(dirname(folder)) : basename(folder);
}

function toId(name: string): string {
  return name.replaceAll(NO_ID, "-").slice(0, MAX_ID) || "crew";
}

function refuse(path: string, { findings }: CrewFile): BatonError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const lines = errors.map(({ file, line, message, fix }) => `  ${file}:${line} ${message}; ${fix}`);
  return new BatonError("invalid", [`the crew in ${path} cannot run:`, ...lines].join("\n"));
}

export { assumedLevels, installedInterpreter, installedLevels };
