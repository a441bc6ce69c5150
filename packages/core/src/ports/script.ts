/**
 * Script: the model that answers from a list, so that a crew runs, is tested and demonstrated with no provider.
 *
 * Entries are used in order within a run, each once; a `when` entry is skipped until the latest message contains it;
 * the last `say` repeats. How far each agent has got travels as the model's `state`, so that a resume continues from
 * there in any process.
 */
import { BatonError } from "../words/error.ts";
import type { Json } from "../words/json.ts";
import type { Chunk, Model, Prompt } from "./model.ts";
import type { Scope } from "../lifetimes/scope.ts";

/** One scripted reply. */
export interface ScriptEntry {
  /** Only if the latest message contains it, upper or lower case. */
  readonly when?: string;
  readonly say?: string;
  readonly call?: readonly { readonly tool: string; readonly args?: Json }[];
  /** The provider fails with this message. */
  readonly fail?: string;
  /** With `fail`: trying again takes the next entry. */
  readonly retryable?: boolean;
  /** The run ends with this reply, whatever the routing says. */
  readonly end?: true;
  /** Only as the agent's first reply, to an input that fits the `when` of no entry before it. */
  readonly otherwise?: true;
  /** Before each streamed chunk. */
  readonly delayMs?: number;
}

/** Replies by agent. */
export type Script = ReadonlyMap<string, readonly ScriptEntry[]>;

/** A model that plays a script. */
export function scriptModel(script: Script | { readonly [agent: string]: readonly ScriptEntry[] }): Model {
  const replies: Script = script instanceof Map ? script : new Map(Object.entries(script));
  return {
    name: "script",
    stream: (prompt, scope) => play(choose(repliesOf(replies, prompt), prompt), prompt, scope),
  };
}

/** An agent of a sub-crew goes by its path, `alpha/researcher`, or else by its id. */
function repliesOf(replies: Script, { crew = "", agent }: Prompt): readonly ScriptEntry[] {
  return replies.get(crew + agent) ?? replies.get(agent) ?? [];
}

/** The start of another agent's reply, as an agent is shown it. */
const OF_AGENT = /^\[[\w-]{1,128}\] /;

type Choice = Readonly<{ entry: ScriptEntry; used: readonly number[] }>;

function choose(entries: readonly ScriptEntry[], prompt: Prompt): Choice {
  const used = parseUsed(prompt.state);
  const latest = (prompt.messages.at(-1)?.content ?? "").toLowerCase();
  const isToInput = prompt.state === undefined && !OF_AGENT.test(latest);
  const isMeant = ({ when }: ScriptEntry): boolean => when !== undefined && latest.includes(when.toLowerCase());
  const fits = (entry: ScriptEntry, at: number): boolean => {
    if (entry.otherwise === true) return isToInput && !entries.slice(0, at).some(isMeant);
    return (entry.when === undefined || isMeant(entry)) && (entry.call === undefined || prompt.tools.length > 0);
  };
  // A retry plays the entries its failed attempts took once more, and takes the next.
  let chosen: ScriptEntry | undefined;
  for (let attempt = 0; attempt < prompt.attempt; attempt++) {
    const index = entries.findIndex((entry, at) => !used.includes(at) && fits(entry, at));
    chosen = entries[index];
    if (chosen === undefined) break;
    used.push(index);
  }
  if (chosen !== undefined) return { entry: chosen, used };
  const say = entries.findLast((entry) => entry.say !== undefined && entry.otherwise === undefined)?.say;
  if (say !== undefined) return { entry: { say }, used };
  return { entry: { fail: `the script has no reply for agent "${prompt.agent}"` }, used };
}

function parseUsed(state: Json | undefined): number[] {
  if (!Array.isArray(state)) return [];
  return state.filter((index) => typeof index === "number");
}

async function* play({ entry, used }: Choice, prompt: Prompt, scope: Scope): AsyncGenerator<readonly Chunk[]> {
  if (entry.fail !== undefined) {
    throw new BatonError("model", entry.fail, { retryable: entry.retryable ?? false });
  }
  const chunks: Chunk[] = toWords(entry.say ?? "").map((text) => ({ type: "text", text }));
  for (const { tool, args } of entry.call ?? []) {
    chunks.push({ type: "call", tool, args: JSON.stringify(args ?? {}) });
  }
  for (const chunk of chunks) {
    if (entry.delayMs !== undefined && entry.delayMs > 0) await scope.sleep(entry.delayMs);
    yield [chunk];
  }
  const read = prompt.messages.reduce((sum, message) => sum + message.content.length, prompt.system.length);
  const usage = { inputTokens: Math.ceil(read / 4), outputTokens: Math.ceil((entry.say ?? "").length / 4) };
  const finish = entry.call === undefined ? "stop" : "calls";
  yield [{ type: "end", finish, usage, costUsd: 0, state: used, ...(entry.end === true ? { end: true } : {}) }];
}

/** Each word with the white space before it. */
function toWords(text: string): string[] {
  const words: string[] = [];
  let from = 0;
  for (let at = 1; at < text.length; at++) {
    if (!isSpace(text, at) || isSpace(text, at - 1)) continue;
    words.push(text.slice(from, at));
    from = at;
  }
  if (from < text.length) words.push(text.slice(from));
  return words;
}

const isSpace = (text: string, at: number): boolean => text.charCodeAt(at) <= 32;
