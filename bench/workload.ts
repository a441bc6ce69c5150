/**
 * Workload: what each side of the benchmark is made to do, and what must come of it.
 *
 * The same replies, tool, input and history for the floor and for Baton; each side only brings them into its own
 * shape. A `World` counts what was really done, so that no side can leave work out.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** Workloads that are timed run by run; W6 is many of `w2` at once. */
export type WorkloadName = "w1" | "w2" | "w3" | "w4" | "w5";

/** A model's reply: deltas one by one, then tool calls. */
interface Reply {
  readonly deltas: readonly string[];
  readonly calls: readonly { readonly tool: string; readonly args: string }[];
}

/** What one run must give. */
export interface Expected {
  readonly chars: number;
  readonly toolCalls: number;
  readonly modelCalls: number;
  /** Messages in the prompt of the last model call. */
  readonly promptMessages: number;
}

/** What the models and tools of one side have seen. */
export interface World {
  readonly modelDelayMs: number;
  modelCalls: number;
  toolCalls: number;
  promptMessages: number;
}

/** One message of a history that came from outside. */
interface PastMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

const WORDS = "the quick brown fox jumps over one lazy dog and then ".repeat(40);
const DELTA_CHARS = 16;

const toDeltas = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => WORDS.slice(index * DELTA_CHARS, (index + 1) * DELTA_CHARS));

const FIFTY = toDeltas(50);
const TEN = toDeltas(10);
const THREE_CALLS = ["Oslo", "Lima", "Pune"].map((city, index) => ({
  tool: "lookup",
  args: JSON.stringify({ city, limit: index + 1 }),
}));

/** By which one agent of the chain hands over to the next. */
export const SIGNALS = { second: "[SECOND]", third: "[THIRD]" } as const;

/** Those who work at the same time in W4. */
export const MEMBERS: readonly string[] = ["member1", "member2", "member3", "member4", "member5"];

export const INPUT = "What is the weather like in Oslo, Lima and Pune today?";

/** 500 messages of about 50 tokens: just what the default window holds. */
export const HISTORY: readonly PastMessage[] = Array.from({ length: 500 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}: ${WORDS.slice(0, 200)}`,
}));

export const EXPECTED: Readonly<Record<WorkloadName, Expected>> = {
  w1: { chars: 800, toolCalls: 0, modelCalls: 1, promptMessages: 1 },
  w2: { chars: 160, toolCalls: 3, modelCalls: 2, promptMessages: 5 },
  w3: { chars: 480 + SIGNALS.second.length + SIGNALS.third.length, toolCalls: 1, modelCalls: 4, promptMessages: 5 },
  w4: { chars: 960, toolCalls: 0, modelCalls: 6, promptMessages: 2 },
  w5: { chars: 800, toolCalls: 0, modelCalls: 1, promptMessages: 501 },
};

/** A world in which nothing has happened yet. */
export function newWorld(modelDelayMs = 0): World {
  return { modelDelayMs, modelCalls: 0, toolCalls: 0, promptMessages: 0 };
}

/** What an agent's model says, after the tools of its own reply or before. */
export function toReply(agent: string, after: "tools" | "message"): Reply {
  const isAnswer = after === "tools";
  switch (agent) {
    case "solo":
      return { deltas: FIFTY, calls: [] };
    case "tooler":
      return isAnswer ? { deltas: TEN, calls: [] } : { deltas: [], calls: THREE_CALLS };
    case "first":
      return { deltas: [...TEN, SIGNALS.second], calls: [] };
    case "second":
      return { deltas: [...TEN, SIGNALS.third], calls: [] };
    case "third":
      return isAnswer ? { deltas: TEN, calls: [] } : { deltas: [], calls: THREE_CALLS.slice(0, 1) };
    default:
      return { deltas: TEN, calls: [] };
  }
}

/** A model call: counted, and as slow as the world says. */
export async function think(world: World, promptMessages: number): Promise<void> {
  world.modelCalls++;
  world.promptMessages = promptMessages;
  if (world.modelDelayMs > 0) await sleep(world.modelDelayMs);
}

/** The tool: counted, and done at once. */
export function lookup(world: World, { city, limit }: { readonly city: string; readonly limit: number }) {
  world.toolCalls++;
  return { city, celsius: 20 + limit };
}
