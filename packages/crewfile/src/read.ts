/**
 * Read: a folder of YAML, or one file of it, as a checked crew. Start reading here.
 *
 * Nothing is thrown for what is wrong with a crew: all of it is returned as findings, each with its place, and a crew
 * is returned only if none of them is an error.
 */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  checkCrew,
  type Crew,
  type CrewDefinition,
  defineCrew,
  type Isolation,
  type Script,
  type Tool,
} from "@baton/core";
import { readAgents } from "./agent-file.ts";
import { readCrewFields } from "./crew-fields.ts";
import { toFieldName } from "./cursor.ts";
import { explore } from "./explore.ts";
import { isFile, openYaml } from "./file.ts";
import { given } from "./fields.ts";
import { byPlace, type FileFinding } from "./finding.ts";
import { locate, type Origins } from "./place.ts";
import { readScriptFields, type ScriptFields, type ScriptNames, toScript } from "./script-fields.ts";
import type { Source } from "./source.ts";
import { type ImportModule, loadTools, type OnShutdown, type ToolModule } from "./tool-module.ts";
import type { ToolThreads } from "./tool-threads.ts";
import type { GraphFinding } from "./view.ts";
import type { WorstCase } from "./worst-case.ts";

/** What reading a crew depends on. */
export interface ReadOptions {
  /** Names of the model providers there are; `script` and `offline` always are. */
  readonly providers: readonly string[];
  /** Tools the caller brings; those of the crew's own tools.ts are added. */
  readonly tools?: readonly Tool[];
  readonly importModule?: ImportModule;
  /** Where tools with `isolation: thread` run; without it a crew that has such tools cannot run. */
  readonly threads?: ToolThreads;
}

/** A crew as it was read. */
export interface CrewFile {
  /** Only if no finding is an error. */
  readonly crew?: Crew;
  /** What script.yaml says, if there is one and the crew can run. */
  readonly script?: Script;
  /** In the order of the files, then of the lines. */
  readonly findings: readonly FileFinding[];
  /** What one input can cause at most; there with the crew. */
  readonly worst?: WorstCase;
  /** What tools.ts exports under this name: to be called once, before the process ends. */
  readonly onShutdown?: OnShutdown;
  /** The text of each file that was read, by the name findings use. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A script as it was read. */
export type ScriptFile = Pick<CrewFile, "script" | "findings" | "texts">;

const CREW = "crew.yaml";
const START = { start: 0, end: 0 };

/** Reads the crew in a folder, or in a single file. */
export async function readCrew(path: string, options: ReadOptions): Promise<CrewFile> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(path, CREW) : path;
  const folder = dirname(file);
  const { source, root } = await openYaml(file);
  if (root === undefined) return toCrewFile([source], {});
  const fields = readCrewFields(root, toName(file), options.providers);
  const agents = await readAgents(fields.agents, folder, options.providers);
  const module = await loadModule(join(folder, "tools.ts"), options);
  const isolation = fields.definition.settings?.toolIsolation;
  const tools = [...(options.tools ?? []), ...toIsolated(module, options.threads, isolation)];
  const definition = { ...fields.definition, agents: agents.map((agent) => agent.definition), tools };
  const script = await openScript(join(folder, "script.yaml"), toNames(definition, module));
  const origins = { crew: root, agents, ...(module === undefined ? {} : { tools: module.source }) };
  const findings = checkCrew(definition);
  addFindings(isLost(module) ? findings.filter(({ code }) => code !== "unknown_tool") : findings, origins);
  const sources = [source, ...agents.map((agent) => agent.source), module?.source, script?.source];
  return {
    ...finish({ definition, origins, sources: sources.filter((one) => one !== undefined), script: script?.fields }),
    ...given({ onShutdown: module?.onShutdown }),
  };
}

/** Reads a script for a crew from any file. */
export async function readScript(path: string, crew: Crew): Promise<ScriptFile> {
  const { source, root } = await openYaml(path);
  const names = { agents: new Set(crew.agents.keys()), tools: new Set(crew.tools.keys()) };
  return toCrewFile(
    [source],
    root === undefined ? {} : { script: toScript(readScriptFields(root, names), crew.entry) },
  );
}

/** A crew without a name is called after its folder, or after its file if that is not crew.yaml. */
function toName(file: string): string {
  return basename(file) === CREW ? basename(dirname(resolve(file))) : basename(file).replace(/\.ya?ml$/, "");
}

async function loadModule(path: string, { importModule }: ReadOptions): Promise<ToolModule | undefined> {
  return (await isFile(path)) ? loadTools(path, importModule) : undefined;
}

/** The tools of a module; those that are to run in threads do. */
function toIsolated(
  module: ToolModule | undefined,
  threads: ToolThreads | undefined,
  isolation: Isolation = "inline",
): readonly Tool[] {
  const tools = module?.tools ?? [];
  const isThreaded = (tool: Tool) => !tool.isClient && (tool.isolation ?? isolation) === "thread";
  const first = tools.find(isThreaded);
  if (module === undefined || first === undefined) return tools;
  if (threads === undefined) {
    const message = `\`${first.name}\` is to run in a thread, and there are no threads`;
    module.source.report(START, "", {
      code: "no_threads",
      message,
      fix: "pass `threads: new ToolThreads()` to readCrew",
    });
    return tools.map((tool) => (isThreaded(tool) ? { ...tool, file: module.file } : tool));
  }
  return tools.map((tool) => (isThreaded(tool) ? threads.wrap(tool, module.file) : tool));
}

function isLost(module: ToolModule | undefined): boolean {
  return module !== undefined && module.tools === undefined;
}

function toNames(definition: CrewDefinition, module: ToolModule | undefined): ScriptNames {
  const agents = new Set(definition.agents.map(({ id }) => id));
  return isLost(module) ? { agents } : { agents, tools: new Set((definition.tools ?? []).map(({ name }) => name)) };
}

type OpenedScript = Readonly<{ source: Source; fields?: ScriptFields }>;

async function openScript(path: string, names: ScriptNames): Promise<OpenedScript | undefined> {
  if (!(await isFile(path))) return undefined;
  const { source, root } = await openYaml(path);
  return root === undefined ? { source } : { source, fields: readScriptFields(root, names) };
}

/** Adds what was found in the definition, at its places; an error that is already there is the cause, and stays alone. */
function addFindings(findings: readonly GraphFinding[], origins: Origins & { tools?: Source }): void {
  for (const finding of findings) {
    const { path, part, text, ...defect } = finding;
    if (path[0] === "tools" && origins.tools !== undefined) {
      origins.tools.report(START, "", defect);
      continue;
    }
    const { cursor, span } = locate(path, origins, given({ part, text }));
    if (cursor.source.hasErrorAt(span.start)) continue;
    // Core does not know how YAML spells a field.
    const message = defect.code === "invalid_value" ? `${toFieldName(cursor)}: ${defect.message}` : defect.message;
    cursor.source.report(span, cursor.path, { ...defect, message });
  }
}

interface Reading {
  readonly definition: CrewDefinition;
  readonly origins: Origins;
  readonly sources: readonly Source[];
  readonly script: ScriptFields | undefined;
}

/** The graph is looked at only if nothing else is wrong: otherwise every defect would show a second time. */
function finish({ definition, origins, sources, script }: Reading): CrewFile {
  if (hasError(sources)) return toCrewFile(sources, {});
  const crew = defineCrew(definition);
  const played = script === undefined ? {} : { script: toScript(script, crew.entry) };
  const { findings, worst } = explore(crew);
  addFindings(findings, origins);
  return toCrewFile(sources, hasError(sources) ? played : { ...played, crew, worst });
}

function hasError(sources: readonly Source[]): boolean {
  return sources.some(({ findings }) => findings.some(({ severity }) => severity === "error"));
}

function toCrewFile(sources: readonly Source[], parts: Pick<CrewFile, "crew" | "script" | "worst">): CrewFile {
  const findings = sources.flatMap((source) => source.findings.toSorted(byPlace));
  return { ...parts, findings, texts: new Map(sources.map(({ file, text }) => [file, text])) };
}
