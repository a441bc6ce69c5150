/**
 * Isolated tools: moves the calls of a crew's tools into threads or sandboxes, as the tools and the crew's settings ask.
 */
import { dirname } from "node:path";
import type { Crew, Tool } from "@baton/core";
import { isLevel } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { CheckFinding } from "../check/check-crew.ts";
import { findOrigin } from "../check/crew-origin.ts";
import { sandboxTools, type SandboxedSource } from "./levels/sandboxed-tools.ts";
import { toNamedPart } from "./modules/import-file.ts";
import type { OnShutdown, ToolModule } from "./modules/tool-module.ts";
import type { IsolationLevel, ReadOptions, ThreadPool, ToolSource } from "./read-options.ts";
import type { SourceFile } from "./yaml/source-file.ts";

/** Everything that decides where tools run. */
export interface Isolating extends Pick<ReadOptions, "levels" | "dataFolder" | "env"> {
  readonly threads: ThreadPool | undefined;
  /** The crew's setting. */
  readonly setting: IsolationLevel | undefined;
  /** Where a missing pool is reported. */
  readonly report: SourceFile;
  /** Where a problem of a sandbox is reported, if not there. */
  readonly reportSandbox?: SandboxedSource["report"];
}

/** The tools of a file, each where it should run. */
export function isolateTools(
  tools: readonly Tool[],
  source: ToolSource,
  isolating: Isolating,
): Promise<readonly Tool[]> {
  const { setting, report } = isolating;
  const reportHere: SandboxedSource["report"] = (name, _, defect) =>
    report.report(toNamedPart(report, name), "", defect);
  return sandboxTools(moveTools(tools, source, isolating), {
    ...isolating,
    setting,
    source,
    folder: dirname(source.file),
    report: isolating.reportSandbox ?? reportHere,
  });
}

function moveTools(
  tools: readonly Tool[],
  source: ToolSource,
  { threads, setting = "auto", report }: Isolating,
): readonly Tool[] {
  const levelOf = (tool: Tool): IsolationLevel => (tool.isClient ? "inline" : (tool.isolation ?? setting));
  if (threads !== undefined) {
    const isMoved = (tool: Tool) => levelOf(tool) !== "inline" && !isLevel(levelOf(tool));
    return tools.map((tool) => (isMoved(tool) ? threads.wrap(tool, source, levelOf(tool)) : tool));
  }
  const first = tools.find((tool) => isThreaded(levelOf(tool)));
  if (first === undefined) return tools;
  const message = `\`${first.name}\` has \`isolation: ${levelOf(first)}\`, and the caller gave no threads`;
  const fix = "pass `threads: new ToolThreads()` to readCrew";
  report.report(toNamedPart(report, first.name), "", { code: "no_threads", message, fix });
  return tools.map((tool) => (isThreaded(levelOf(tool)) ? { ...tool, file: source.file } : tool));
}

function isThreaded(level: IsolationLevel): boolean {
  return level === "thread" || level === "shared";
}

/** Ends a file's code: what it exports for that, and its thread if the code is read again when it changes. */
export function toShutdown(
  { file, tools = [], onShutdown }: Pick<ToolModule, "file" | "tools" | "onShutdown">,
  {
    threads,
    version,
    setting,
  }: Pick<ReadOptions, "threads" | "version"> & { readonly setting?: IsolationLevel | undefined },
): { onShutdown?: OnShutdown } {
  if (threads?.toShutdown === undefined || (onShutdown === undefined && version === undefined)) {
    return omitUndefined({ onShutdown });
  }
  const isUsedHere = tools.some((tool) => (tool.isolation ?? setting) === "inline");
  const source = { file, ...omitUndefined({ version }) };
  return { onShutdown: threads.toShutdown(source, { hook: onShutdown, isUsedHere }) };
}

/** A crew in code, and the crews it contains, with all tools where they should run. */
export async function isolateCrew(
  crew: Crew,
  source: ToolSource,
  isolating: Omit<Isolating, "setting">,
): Promise<Crew> {
  const steps = source.crew ?? [crew.name];
  const tools = await isolateTools(
    [...crew.tools.values()],
    { ...source, crew: steps },
    {
      ...isolating,
      setting: crew.settings.toolIsolation,
    },
  );
  return withParts(crew, tools, (other, step) => isolateCrew(other, { ...source, crew: [...steps, step] }, isolating));
}

/** The crew with other tools, and each crew inside it changed; a step is `after` or `sub:NAME`. */
async function withParts(
  crew: Crew,
  tools: readonly Tool[],
  inside: (other: Crew, step: string) => Promise<Crew>,
): Promise<Crew> {
  const subCrews = await Promise.all(
    Array.from(crew.subCrews, async ([name, other]) => [name, await inside(other, `sub:${name}`)] as const),
  );
  const changed: Crew = {
    ...crew,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    subCrews: new Map(subCrews),
    ...(crew.after === undefined ? {} : { after: await inside(crew.after, "after") }),
  };
  return Object.freeze(Object.defineProperty(changed, "~origin", { value: crew["~origin"] }));
}

/** A crew in code with its sandboxed tools at their levels, and what is wrong with them. */
export async function sandboxCrew(
  crew: Crew,
  options: Pick<ReadOptions, "levels" | "dataFolder" | "env">,
): Promise<{ readonly crew: Crew; readonly findings: readonly CheckFinding[] }> {
  const findings: CheckFinding[] = [];
  const origin = findOrigin(crew);
  const folder = origin === undefined ? process.cwd() : dirname(origin.file);
  const report: SandboxedSource["report"] = (name, field, { severity = "error", ...defect }) =>
    findings.push({ ...defect, severity, path: `tools.${name}.${field}` });
  const inside = async (other: Crew): Promise<Crew> => {
    if (!usesSandbox(other)) return other;
    const setting = other.settings.toolIsolation;
    const tools = await sandboxTools([...other.tools.values()], { ...options, folder, setting, report });
    return withParts(other, tools, inside);
  };
  return { crew: await inside(crew), findings };
}

/** Whether a tool of a crew, or of one inside it, declares anything about a sandbox. */
function usesSandbox({ tools, subCrews, after, settings }: Crew): boolean {
  const isAsked = ({ isolation, sandbox, module, command }: Tool) =>
    isLevel(isolation ?? settings.toolIsolation) || [sandbox, module, command].some((one) => one !== undefined);
  const inside = [...subCrews.values(), ...(after === undefined ? [] : [after])];
  return [...tools.values()].some(isAsked) || inside.some(usesSandbox);
}
