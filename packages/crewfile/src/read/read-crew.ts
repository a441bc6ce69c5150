/**
 * Read crew: a folder of YAML, or one file of it, as a checked crew. Start reading here.
 *
 * Nothing is thrown for what is wrong with a crew: all of it is returned as findings, each with its place, and a crew
 * is returned only if none of them is an error.
 */
import { dirname, join, resolve } from "node:path";
import { type Crew, type CrewDefinition, defineCrew, type Tool } from "@baton/core";
import type { Finding } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { readAgents } from "./agent-file.ts";
import { findInterpreter } from "./code-interpreter.ts";
import { type CodeModule, loadPrograms } from "./modules/code-module.ts";
import { readCrewFields } from "./fields/crew-fields.ts";
import { type CrewFile, type OtherCrews, type ScriptFile, toCrewFile, withSubScripts } from "./crew-file.ts";
import { readPolicies, reportPolicies } from "./policy-file.ts";
import { type Cursor, toFieldName } from "./yaml/cursor.ts";
import { checkParts } from "../check/check-crew.ts";
import { explore } from "../check/explore.ts";
import { isFile, openYaml } from "./yaml/yaml-file.ts";
import { toDefaultExport, toNamedPart } from "./modules/import-file.ts";
import { type Isolating, isolateTools, toShutdown } from "./isolated-tools.ts";
import { type SandboxedSource, sandboxTools } from "./levels/sandboxed-tools.ts";
import { readTools, reportTool, type ToolFields } from "./fields/tool-fields.ts";
import { isCode, readCrewCode } from "./read-crew-code.ts";
import type { ReadOptions } from "./read-options.ts";
import { readOthers, type CrewReading, toCrewName, findCrewFile, toRealName } from "./other-crews.ts";
import { locate, type FieldOrigins } from "./yaml/field-location.ts";
import {
  readScriptFields,
  type ScriptFields,
  type ScriptNames,
  scriptNamesOf,
  toolNamesOf,
  toScript,
} from "./fields/script-fields.ts";
import { readA2a } from "./a2a/read-a2a.ts";
import { readMcp, toStandIns, withMcpTools } from "./mcp/read-mcp.ts";
import { readSkills, withSkills } from "./skills/read-skills.ts";
import { toSkillTools } from "./skills/skill-tools.ts";
import { SourceFile } from "./yaml/source-file.ts";
import { loadTools, type OnShutdown, type ToolModule } from "./modules/tool-module.ts";
import type { GraphFinding } from "../check/routing-analysis.ts";

/** Separates the path of a file of code from the name of one of its crews. */
const NAME_MARK = "#";

/** Reads every crew of a path: the one of a folder or a YAML file, or all that a file of code exports. */
export async function readCrews(path: string, options: ReadOptions): Promise<readonly CrewFile[]> {
  if (!isCode(path)) return [await readCrew(path, options)];
  return readCrewCode(path, options, readScript);
}

/** Reads one crew of a file of code, by the name after `#` if the file has several. */
async function readCode(path: string, options: ReadOptions): Promise<CrewFile> {
  const mark = path.lastIndexOf(NAME_MARK);
  const [file, name] = isCode(path) ? [path, undefined] : [path.slice(0, mark), path.slice(mark + 1)];
  const all = await readCrews(file, options);
  const [first] = all;
  const found =
    name === undefined ? (all.length === 1 ? first : undefined) : all.find(({ crew }) => crew?.name === name);
  if (found !== undefined) return found;
  const broken = all.find(({ crew }) => crew === undefined);
  if (broken !== undefined) return broken;
  const names = all.flatMap(({ crew }) => (crew === undefined ? [] : `${file}${NAME_MARK}${crew.name}`));
  const source = new SourceFile(file, "");
  const message = name === undefined ? "the file has several crews" : `the file has no crew \`${name.slice(0, 60)}\``;
  source.report({ start: 0, end: 0 }, "", { code: "several_crews", message, fix: `name one of ${names.join(", ")}` });
  return toCrewFile([source], {});
}

/** Whether a path names a file of code, or one crew of it. */
export function isCrewCode(path: string): boolean {
  const mark = path.lastIndexOf(NAME_MARK);
  return isCode(path) || (mark !== -1 && isCode(path.slice(0, mark)));
}

/** Reads the crew in a folder, in a single file, or in a file of code, with all crews that it contains. */
export async function readCrew(path: string, options: ReadOptions): Promise<CrewFile> {
  const known: CrewReading["known"] = new Map();
  const hooks = new Set<OnShutdown>();
  const read: CrewReading["read"] = async (at, chain) => {
    const file = await readOne(at, options, { chain, known, read });
    if (file.onShutdown !== undefined) hooks.add(file.onShutdown);
    return file;
  };
  return { ...(await read(path, [])), ...omitUndefined({ onShutdown: toOneHook([...hooks]) }) };
}

async function readOne(path: string, options: ReadOptions, reading: CrewReading): Promise<CrewFile> {
  if (isCrewCode(path)) return readCode(path, options);
  const file = await findCrewFile(path);
  const folder = dirname(file);
  const { source, root } = await openYaml(file);
  if (root === undefined) return toCrewFile([source], {});
  const fields = readCrewFields(root, toCrewName(resolve(file)), options.providers);
  const { skills, sources: skillSources } = await readSkills(fields.skills, folder);
  const listed = await readAgents(fields.agents, folder, options.providers);
  const mcp = await readMcp(fields.mcp, folder, options);
  const partners = await readA2a(fields.a2a, options);
  const agents = listed.map((agent) => withSkills(withMcpTools(agent, mcp), skills, fields.definition.model));
  const module = await load(join(folder, "tools.ts"), (at) => loadTools(at, options.importModule));
  const code = await load(join(folder, "code.ts"), (at) => loadPrograms(at, options.importModule));
  const others = await readOthers(fields, folder, {
    ...reading,
    chain: [...reading.chain, await toRealName(resolve(file))],
  });
  const { policies, ...policyFile } = await readPolicies(fields.policies, folder);
  const setting = fields.definition.settings?.toolIsolation;
  const own = readTools(fields.tools, isLost(module) ? undefined : new Set(module?.tools?.map(({ name }) => name)));
  const isolating = { ...options, threads: options.threads, setting, reportSandbox: toReport(own, module) };
  const { interpreter, findings } = await findInterpreter(
    agents.map((agent) => agent.definition),
    options,
  );
  const definition: CrewDefinition = {
    ...fields.definition,
    agents: agents.map((agent) => agent.definition),
    tools: [
      ...(options.tools ?? []),
      ...(await toTools(module, own, isolating)),
      ...(await sandboxTools(own.tools, { ...isolating, folder, report: isolating.reportSandbox })),
      ...toSkillTools(skills, agents),
      ...mcp.tools,
      ...partners,
      ...toStandIns(agents, mcp),
    ],
    programs: code?.programs ?? new Map(),
    subCrews: new Map([...fields.subCrews.keys()].map((name) => [name, others.subCrews?.get(name)?.crew ?? UNREAD])),
    ...omitUndefined({ after: others.after?.crew, wrapModel: code?.wrapModel, policies, interpreter }),
  };
  const script = await openScript(join(folder, "script.yaml"), namesOf(definition, others, module));
  const toolNames = (definition.tools ?? []).map(({ name }) => name);
  const places = omitUndefined({ tools: module?.source, policies: policyFile.root });
  const origins = { crew: root, agents, toolNames, toolFields: own.cursors, ...places };
  addFindings([...findings, ...withoutLost(checkParts(definition), module, code)], origins);
  const codeFiles = [module?.source, code?.source, script?.source, policyFile.source];
  const sources = [source, ...agents.map((agent) => agent.source), ...codeFiles];
  const written = [...sources.filter((one) => one !== undefined), ...skillSources, ...mcp.sources];
  return {
    ...finish({ definition, origins, sources: written, script: script?.fields, others }),
    ...omitUndefined({ expose: fields.expose }),
    ...(module === undefined ? {} : toShutdown(module, { ...options, setting })),
  };
}

/** Replaces a sub-crew with errors, so that its name is not reported again as a target that does not exist. */
const UNREAD = defineCrew({ name: "unread", agents: [{ id: "unread" }] });

/** Reads a script for a crew from any file; with its `subCrews`, agents it does not name there play their own scripts. */
export async function readScript(
  path: string,
  crew: Crew,
  others: Pick<CrewFile, "subCrews"> = {},
): Promise<ScriptFile> {
  const { source, root } = await openYaml(path);
  if (root === undefined) return toScriptFile(source, {});
  const script = toScript(readScriptFields(root, scriptNamesOf(crew)), crew.entry);
  return toScriptFile(source, { script: withSubScripts(script, others) });
}

function toScriptFile(source: SourceFile, parts: Pick<ScriptFile, "script">): ScriptFile {
  const { findings, texts } = toCrewFile([source], {});
  return { ...parts, findings, texts };
}

/** One function for those of all crews; they run together, and one that fails does not stop the others. */
function toOneHook(hooks: readonly OnShutdown[]): OnShutdown | undefined {
  if (hooks.length <= 1) return hooks[0];
  return async () => {
    const ended = await Promise.allSettled(hooks.map(async (hook) => hook()));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  };
}

async function load<T>(path: string, read: (path: string) => Promise<T>): Promise<T | undefined> {
  return (await isFile(path)) ? read(path) : undefined;
}

/** The tools of tools.ts, as crew.yaml changes them, each where it should run. */
async function toTools(
  module: ToolModule | undefined,
  { changes }: ToolFields,
  isolating: Omit<Isolating, "report"> & Pick<ReadOptions, "version">,
): Promise<readonly Tool[]> {
  if (module?.tools === undefined) return [];
  const { file, source, tools } = module;
  const changed = tools.map((tool) => (changes.has(tool.name) ? { ...tool, ...changes.get(tool.name) } : tool));
  const { version } = isolating;
  return isolateTools(changed, { file, ...omitUndefined({ version }) }, { ...isolating, report: source });
}

/** Reports a problem of a sandbox in crew.yaml if the tool is there, else in tools.ts. */
function toReport({ cursors }: ToolFields, module: ToolModule | undefined): SandboxedSource["report"] {
  return (name, field, defect) => {
    const cursor = cursors.get(name);
    if (cursor !== undefined) reportTool(cursor, field, defect);
    else module?.source.report(toNamedPart(module.source, name), "", defect);
  };
}

function isLost(module: ToolModule | undefined): boolean {
  return module !== undefined && module.tools === undefined;
}

/** Without what follows from a module that could not be used: none of its names is known. */
function withoutLost(
  findings: readonly Finding[],
  module: ToolModule | undefined,
  code: CodeModule | undefined,
): readonly Finding[] {
  const isCodeLost = code !== undefined && code.programs === undefined;
  const lost = [isLost(module) ? "unknown_tool" : "", isCodeLost ? "unknown_program" : ""];
  return findings.filter((finding) => !lost.includes(finding.code));
}

function namesOf(definition: CrewDefinition, others: OtherCrews, module: ToolModule | undefined): ScriptNames {
  const { agents, tools = [] } = definition;
  return {
    agents: new Set(agents.map(({ id }) => id)),
    ...(isLost(module)
      ? {}
      : toolNamesOf(
          agents,
          tools.map(({ name }) => name),
        )),
    subCrews: new Map([...(others.subCrews ?? [])].map(([name, { crew }]) => [name, crew && scriptNamesOf(crew)])),
  };
}

type OpenedScript = Readonly<{ source: SourceFile; fields?: ScriptFields }>;

async function openScript(path: string, names: ScriptNames): Promise<OpenedScript | undefined> {
  if (!(await isFile(path))) return undefined;
  const { source, root } = await openYaml(path);
  return root === undefined ? { source } : { source, fields: readScriptFields(root, names) };
}

/** Where a crew is written: its YAML, and its tools. */
type Origins = FieldOrigins &
  Readonly<{
    tools?: SourceFile;
    toolNames: readonly string[];
    toolFields: ReadonlyMap<string, Cursor>;
    policies?: Cursor;
  }>;

/** Adds what was found in the definition, at its places; an error that is already there is the cause, and stays alone. */
function addFindings(findings: readonly GraphFinding[], origins: Origins): void {
  for (const finding of findings) {
    const { path, part, text, ...defect } = finding;
    if (path[0] === "policies" && origins.policies !== undefined) {
      reportPolicies([finding], origins.policies);
      continue;
    }
    const name = path[0] === "tools" ? origins.toolNames[Number(path[1])] : undefined;
    const written = name === undefined ? undefined : origins.toolFields.get(name);
    if (written !== undefined) {
      reportTool(written, String(path[2] ?? ""), defect);
      continue;
    }
    if (path[0] === "tools" && origins.tools !== undefined) {
      const span = name === undefined ? toDefaultExport(origins.tools) : toNamedPart(origins.tools, name);
      origins.tools.report(span, "", defect);
      continue;
    }
    const { cursor, span } = locate(path, origins, omitUndefined({ part, text }));
    if (cursor.source.hasErrorAt(span.start)) continue;
    // Core does not know how YAML spells a field.
    const message = defect.code === "invalid_value" ? `${toFieldName(cursor)}: ${defect.message}` : defect.message;
    cursor.source.report(span, cursor.path, { ...defect, message });
  }
}

interface Read {
  readonly definition: CrewDefinition;
  readonly origins: Origins;
  readonly sources: readonly SourceFile[];
  readonly script: ScriptFields | undefined;
  readonly others: OtherCrews;
}

/** The graph is looked at only if nothing else is wrong: otherwise every defect would show a second time. */
function finish({ definition, origins, sources, script, others }: Read): CrewFile {
  if (hasError(sources)) return toCrewFile(sources, {}, others);
  // In YAML an agent that no rule leads on from goes to any other agent, unless `auto_route` says otherwise.
  const crew = defineCrew({ autoRoute: true, ...definition });
  const played = script === undefined ? {} : { script: withSubScripts(toScript(script, crew.entry), others) };
  const { findings, worst } = explore(crew);
  addFindings(findings, origins);
  const prompts = findPrompts(definition, origins);
  return toCrewFile(sources, hasError(sources) ? played : { ...played, crew, worst, prompts }, others);
}

/** Where the system prompts are written; an agent without one is where the agent is. */
function findPrompts({ agents }: CrewDefinition, origins: FieldOrigins): NonNullable<CrewFile["prompts"]> {
  return new Map(
    agents.map(({ id }, index) => {
      const { cursor, span } = locate(["agents", index, "systemPrompt"], origins, { part: "name" });
      return [id, { file: cursor.source.file, line: cursor.source.lineAt(span.start) }];
    }),
  );
}

function hasError(sources: readonly SourceFile[]): boolean {
  return sources.some(({ findings }) => findings.some(({ severity }) => severity === "error"));
}
