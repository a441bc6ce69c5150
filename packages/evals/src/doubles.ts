/**
 * Doubles: answers for tools in an eval. A tool that is not `read` never runs without one, unless live tools are allowed.
 */
import { type CallContext, type Crew, type Json, type Tool, ToolError } from "@baton/core";
import type { Prepared } from "@baton/core/ports";
import type { ToolDouble } from "./eval-case.ts";
import { matches } from "./value-match.ts";

/** Doubles by the names of tools. */
export type Doubles = Readonly<Record<string, readonly ToolDouble[]>>;

/** A crew whose tools are played, and what was missing when it ran. */
export interface PlayedCrew {
  readonly crew: Crew;
  /** Sentences about what a call needed and did not have. */
  readonly missing: string[];
}

/** Tools that run although they have no double: none, those that only read, or all. */
export type LiveTools = "none" | "read" | "all";

/** Options of playing tools. */
export type DoubleOptions = Readonly<{
  doubles: Doubles;
  live?: LiveTools | undefined;
  /** Called when a played tool does its work. */
  played?: (tool: string, key: string) => void;
}>;

/** The crew with doubles in place of its tools. */
export function withDoubles(crew: Crew, { doubles, live = "read", played }: DoubleOptions): PlayedCrew {
  const missing: string[] = [];
  const used = new Map<string, Set<ToolDouble>>();
  const play = (tool: Tool, args: Json, { key }: CallContext): Json => {
    const list = doubles[tool.name];
    if (list === undefined) {
      missing.push(`${tool.name} is ${tool.effect} and has no double: write one under \`tools\`, or use --live-tools`);
      throw new ToolError("permanent", `${tool.name} has no double`);
    }
    const taken = used.get(tool.name) ?? new Set();
    used.set(tool.name, taken);
    const fitting = list.filter((one) => one.args === undefined || matches(args, one.args));
    const found = fitting.find((one) => !taken.has(one)) ?? fitting.at(-1);
    if (found === undefined) {
      missing.push(`no double of ${tool.name} fits ${JSON.stringify(args).slice(0, 200)}`);
      throw new ToolError("permanent", `no double of ${tool.name} fits these arguments`);
    }
    taken.add(found);
    played?.(tool.name, key);
    if (found.error !== undefined) throw new ToolError("permanent", found.error);
    return found.output ?? null;
  };
  const isPlayed = ({ name, effect }: Tool) =>
    Object.hasOwn(doubles, name) || live === "none" || (live === "read" && effect !== "read");
  return { crew: playTools(crew, { isPlayed, play }), missing };
}

/** Tools that are played, and what they do instead. */
export type ToolPlay = Readonly<{
  isPlayed: (tool: Tool) => boolean;
  play: (tool: Tool, args: Json, context: CallContext) => unknown;
}>;

/** The crew with played tools, those of its sub-crews and of the crew that runs after it included. */
export function playTools(crew: Crew, how: ToolPlay): Crew {
  const toOwn = (tool: Tool): Tool => (!tool.isClient && how.isPlayed(tool) ? toPlayed(tool, how) : tool);
  const tools = new Map(Array.from(crew.tools, ([name, tool]) => [name, toOwn(tool)]));
  const subCrews = new Map(Array.from(crew.subCrews, ([name, sub]) => [name, playTools(sub, how)]));
  const after = crew.after === undefined ? {} : { after: playTools(crew.after, how) };
  return Object.freeze({ ...crew, tools, subCrews, ...after });
}

/** The tool as it is, but what it does. */
function toPlayed(tool: Tool, { play }: ToolPlay): Tool {
  const { pool: _pool, warmUp: _warmUp, file: _file, isolation: _isolation, ...own } = tool;
  return Object.freeze<Tool>({
    ...own,
    prepare: (args) => {
      const bind = (prepared: Prepared): Prepared =>
        prepared.ok ? { ...prepared, run: async (context) => play(tool, args, context) } : prepared;
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
    },
  });
}
