/**
 * Isolated tools: moves the calls of a crew's tools into threads, as the tools and the crew's settings ask.
 */
import type { Crew, Tool } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { toNamedPart } from "./modules/import-file.ts";
import type { OnShutdown, ToolModule } from "./modules/tool-module.ts";
import type { IsolationLevel, ReadOptions, ThreadPool, ToolSource } from "./read-options.ts";
import type { SourceFile } from "./yaml/source-file.ts";

/** Everything that decides where tools run. */
export interface Isolating {
  readonly threads: ThreadPool | undefined;
  /** The crew's setting. */
  readonly setting: IsolationLevel | undefined;
  /** Where a missing pool is reported. */
  readonly report: SourceFile;
}

/** The tools of a file, each where it should run. */
export function isolateTools(
  tools: readonly Tool[],
  source: ToolSource,
  { threads, setting = "auto", report }: Isolating,
): readonly Tool[] {
  const levelOf = (tool: Tool): IsolationLevel => (tool.isClient ? "inline" : (tool.isolation ?? setting));
  if (threads !== undefined) {
    return tools.map((tool) => (levelOf(tool) === "inline" ? tool : threads.wrap(tool, source, levelOf(tool))));
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
export function isolateCrew(crew: Crew, source: ToolSource, isolating: Omit<Isolating, "setting">): Crew {
  const steps = source.crew ?? [crew.name];
  const tools = isolateTools(
    [...crew.tools.values()],
    { ...source, crew: steps },
    {
      ...isolating,
      setting: crew.settings.toolIsolation,
    },
  );
  const inside = (other: Crew, step: string) => isolateCrew(other, { ...source, crew: [...steps, step] }, isolating);
  const changed: Crew = {
    ...crew,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    subCrews: new Map(Array.from(crew.subCrews, ([name, other]) => [name, inside(other, `sub:${name}`)])),
    ...(crew.after === undefined ? {} : { after: inside(crew.after, "after") }),
  };
  return Object.freeze(Object.defineProperty(changed, "~origin", { value: crew["~origin"] }));
}
