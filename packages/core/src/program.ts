/**
 * Program: a model that is code, so that rules, assemblies and plans are ordinary agents.
 *
 * It decides from its prompt alone and does nothing to the world but through tool calls. What it says is one reply of
 * a model; what it throws is a failure for good.
 */
import type { Json } from "./json.ts";
import { NO_USAGE } from "./message.ts";
import type { Chunk, Model, Prompt } from "./model.ts";
import type { Scope } from "./scope.ts";

/** What a program decides; every field may be left out. */
export interface Decision {
  readonly say?: string;
  readonly call?: readonly { readonly tool: string; readonly args?: Json }[];
  /** What the agent gives, if it has an output schema. */
  readonly output?: Json;
  /** What it wants back at its next step. */
  readonly state?: Json;
  /** What it changes in the run's state. */
  readonly set?: { readonly [key: string]: Json };
  readonly notes?: readonly { readonly kind: string; readonly data: Json }[];
  readonly warnings?: readonly string[];
  /** The run ends `done` after this turn, whatever the routing says. */
  readonly end?: boolean;
}

/** Code that decides at once, later, or as a stream of chunks; the end chunk may be left out. */
export type Decide = (prompt: Prompt, scope: Scope) => Decision | Promise<Decision> | AsyncIterable<readonly Chunk[]>;

const PREFIX = "code/";

/** The name of the program that a model's name means; undefined if it is not a program. */
export function toProgramName(model: string): string | undefined {
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : undefined;
}

/** Makes a model of code. */
export function defineProgram(decide: Decide): Model {
  return {
    name: "code",
    isProgram: true,
    async *stream(prompt, scope) {
      const decided = decide(prompt, scope);
      if (!isStream(decided)) {
        yield toChunks(await decided);
        return;
      }
      let hasEnded = false;
      for await (const chunks of decided) {
        yield chunks;
        hasEnded ||= chunks.some(({ type }) => type === "end");
      }
      if (!hasEnded) yield toChunks({});
    },
  };
}

function isStream(decided: ReturnType<Decide>): decided is AsyncIterable<readonly Chunk[]> {
  return typeof decided === "object" && decided !== null && Symbol.asyncIterator in decided;
}

/** A program's code may have no types, so only what is clearly there is taken. */
function toChunks(decision: Decision | undefined | null): readonly Chunk[] {
  if (typeof decision !== "object" || decision === null) {
    throw new TypeError(`a program gives an object such as { say: "…" }, not ${String(decision)}`);
  }
  const { say = "", call = [], output, state, set, notes = [], warnings = [], end } = decision;
  if (typeof say !== "string") throw new TypeError("`say` of a program is text");
  if (!Array.isArray(call) || !Array.isArray(notes) || !Array.isArray(warnings)) {
    throw new TypeError("`call`, `notes` and `warnings` of a program are lists");
  }
  const noted: NonNullable<Decision["notes"]> = notes;
  const chunks: Chunk[] = say === "" ? [] : [{ type: "text", text: say }];
  for (const { tool, args } of call)
    chunks.push({ type: "call", tool: String(tool), args: JSON.stringify(args ?? {}) });
  for (const { kind, data } of noted) chunks.push({ type: "note", kind, data });
  for (const text of warnings) chunks.push({ type: "warning", text: String(text) });
  const extra = {
    ...(state === undefined ? {} : { state }),
    ...(set === undefined ? {} : { set }),
    ...(output === undefined ? {} : { output }),
    ...(end === true ? { end: true as const } : {}),
  };
  return [...chunks, { type: "end", finish: call.length === 0 ? "stop" : "calls", usage: NO_USAGE, ...extra }];
}
