/**
 * Isolated tools: moves the calls of a crew's tools into threads, as the tools and the crew's settings ask.
 */
import type { Crew, Tool } from "@baton/core";
import type { Isolation } from "@baton/core/ports";
import type { SourceFile } from "./yaml/source-file.ts";
import { toNamedPart } from "./modules/import-file.ts";

/** Where a thread finds a tool. */
export interface ToolSource {
  /** The file, absolute, whose default export has it. */
  readonly file: string;
  /** If the export is a crew or a list of them: the crew's name, then each step inside, `after` or `sub:NAME`. */
  readonly crew?: readonly string[];
  /** The code as it was read, if it is read again when it changes. */
  readonly version?: CodeVersion;
}

/** The modules of a crew's own code at one moment. */
export interface CodeVersion {
  readonly id: string;
  /** By their URLs, which carry the version. */
  readonly modules: ReadonlyMap<string, CodeText>;
}

/** The text of a module, and how to read it. */
export interface CodeText {
  readonly format: string;
  readonly source: string;
}

/** Where a tool's calls run; `auto` is decided when it is called. */
export type IsolationLevel = Isolation | "auto";

/** Moves the calls of a tool into threads; `ToolThreads` of `@baton/durable/threads` is one. */
export interface ThreadPool {
  /** The tool with every call at this level, which is not `inline`. */
  wrap(tool: Tool, source: ToolSource, level: IsolationLevel): Tool;
}

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
