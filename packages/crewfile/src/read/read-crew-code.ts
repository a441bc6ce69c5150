/**
 * Read crew code: the crews that a TypeScript file exports, as if they were read from YAML.
 *
 * The default export is a crew of `defineCrew`, or a list of them. What is wrong with a crew is found by the same check as
 * in YAML, at the place where it was defined.
 */
import { interpretCrew } from "./code-interpreter.ts";
import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { checkCrew } from "../check/check-crew.ts";
import { findOrigin } from "../check/crew-origin.ts";
import { explore } from "../check/explore.ts";
import { type CrewFile, type ScriptFile, toCrewFile } from "./crew-file.ts";
import { isolateCrew, toShutdown } from "./isolated-tools.ts";
import { type ImportedFile, importFile, openCode, toDefaultExport } from "./modules/import-file.ts";
import { readOnShutdown } from "./modules/tool-module.ts";
import type { ReadOptions } from "./read-options.ts";
import type { SourceFile } from "./yaml/source-file.ts";
import { isFile } from "./yaml/yaml-file.ts";

/** Reads a script for a crew. */
type ReadScript = (path: string, crew: Crew) => Promise<ScriptFile>;

const CODE = /\.[cm]?[jt]s$/;
const FIX = "write `export default defineCrew({ … })`, or export a list of such crews";

/** Whether a path is that of a file of code. */
export function isCode(path: string): boolean {
  return CODE.test(path);
}

/** Reads every crew of a file; one entry without a crew if the file cannot be used. */
export async function readCrewCode(path: string, options: ReadOptions, play: ReadScript): Promise<readonly CrewFile[]> {
  const module = await importFile(path, "unloadable_crew", options.importModule);
  const { source, exports } = module;
  if (exports === undefined) return [toCrewFile([source], {})];
  const crews = toCrews(exports.get("default"));
  if (typeof crews === "string") {
    source.report(toDefaultExport(source), "", { code: "no_crew", message: crews, fix: FIX });
    return [toCrewFile([source], {})];
  }
  const tools = crews.flatMap((crew) => [...crew.tools.values()]);
  const hook = toShutdown({ ...module, tools, ...readOnShutdown(module) }, options);
  const script = join(dirname(path), "script.yaml");
  const played = crews.length === 1 && (await isFile(script)) ? (crew: Crew) => play(script, crew) : undefined;
  return Promise.all(
    crews.map(async (crew) => ({ ...(await readOne({ path, crew, module, played }, options)), ...hook })),
  );
}

type Reading = Readonly<{
  path: string;
  crew: Crew;
  module: ImportedFile;
  played: ((crew: Crew) => Promise<ScriptFile>) | undefined;
}>;

async function readOne({ path, crew, module, played }: Reading, options: ReadOptions): Promise<CrewFile> {
  const place = findOrigin(crew);
  const folder = dirname(await realpath(module.file));
  const source =
    place === undefined ? module.source : await openCode(join(dirname(path), relative(folder, place.file)));
  const span = place === undefined ? toDefaultExport(source) : source.spanAt(place.line, place.column);
  const isolated = await isolateCrew(
    await interpretCrew(crew, options),
    { file: module.file, ...omitUndefined({ version: options.version }) },
    { ...options, threads: options.threads, report: source },
  );
  for (const { file: _file, line: _line, column: _column, path: field, ...defect } of checkCrew(isolated, options)) {
    source.report(span, field, defect);
  }
  const script = played === undefined ? undefined : await played(isolated);
  const read = toCrewFile([source], {});
  const findings = [...read.findings, ...(script?.findings ?? [])];
  const texts = new Map([...read.texts, ...(script?.texts ?? [])]);
  if (findings.some(({ severity }) => severity === "error")) return { findings, texts };
  const { worst } = explore(isolated);
  const prompts = findPrompts(isolated, source, span.start);
  return { crew: isolated, worst, prompts, findings, texts, ...omitUndefined({ script: script?.script }) };
}

/** The lines in which the ids of agents are first written as texts, from the place of the crew on. */
function findPrompts({ agents }: Crew, source: SourceFile, start: number): NonNullable<CrewFile["prompts"]> {
  const { file } = source;
  return new Map(
    Array.from(agents.keys(), (id) => {
      const at = source.text.indexOf(`"${id}"`, start);
      return [id, { file, line: source.lineAt(at === -1 ? start : at) }];
    }),
  );
}

/** The crews of a default export, or what it is instead. */
function toCrews(value: unknown): readonly Crew[] | string {
  if (value === undefined) return "the file has no default export";
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) return "the default export is an empty list";
  const crews = list.filter(isCrew);
  if (crews.length < list.length) {
    const which = Array.isArray(value) ? `item ${list.findIndex((item) => !isCrew(item))} of the` : "the";
    return `${which} default export is not a crew of defineCrew`;
  }
  const names = crews.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? crews : `two crews of the default export have the name \`${twice.slice(0, 60)}\``;
}

/** The crew's own copy of Baton may be another one than this. */
function isCrew(value: unknown): value is Crew {
  if (typeof value !== "object" || value === null) return false;
  const isNamed = "name" in value && typeof value.name === "string" && "entry" in value;
  return isNamed && "agents" in value && value.agents instanceof Map && "tools" in value && value.tools instanceof Map;
}
