/**
 * Floor: the workloads in the least plain TypeScript that does them, with no framework.
 *
 * Async generators, a tool loop and a list of messages: what a careful developer would write for one crew. It has no
 * limits, no cancel, no log and no retries.
 */
import { HISTORY, INPUT, MEMBERS, SIGNALS, lookup, think, toReply, type World, type WorkloadName } from "./workload.ts";

interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
}

interface ChatMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
  readonly calls?: readonly ToolCall[];
  readonly call?: string;
}

type ChatChunk =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly call: ToolCall }
  | { readonly type: "end" };

type ChatEvent =
  | { readonly type: "text"; readonly agent: string; readonly text: string }
  | { readonly type: "call"; readonly agent: string; readonly call: ToolCall }
  | { readonly type: "result"; readonly agent: string; readonly call: string; readonly output: unknown }
  | { readonly type: "done"; readonly agent: string };

/** One run of a workload; gives the text its reader received. */
export function floorRun(name: WorkloadName, world: World): () => Promise<string> {
  switch (name) {
    case "w1":
      return () => drain(converse(world, "solo", [toUser(INPUT)]));
    case "w2":
      return () => drain(converse(world, "tooler", [toUser(INPUT)]));
    case "w3":
      return () => drain(converse(world, "first", [toUser(INPUT)]));
    case "w4":
      return () => fanOut(world);
    case "w5":
      return () => drain(converse(world, "solo", [...HISTORY, toUser(INPUT)]));
  }
}

async function fanOut(world: World): Promise<string> {
  const texts = await Promise.all(MEMBERS.map((member) => drain(converse(world, member, [toUser(INPUT)]))));
  const joined = texts.join("\n\n");
  return joined.replaceAll("\n\n", "") + (await drain(converse(world, "aggregator", [toUser(INPUT), toUser(joined)])));
}

async function* converse(world: World, entry: string, messages: ChatMessage[]): AsyncGenerator<ChatEvent> {
  let agent = entry;
  for (;;) {
    const calls: ToolCall[] = [];
    let text = "";
    for await (const chunk of answer(world, agent, messages)) {
      if (chunk.type === "text") {
        text += chunk.text;
        yield { type: "text", agent, text: chunk.text };
      } else if (chunk.type === "call") {
        calls.push(chunk.call);
        yield { type: "call", agent, call: chunk.call };
      }
    }
    messages.push({ role: "assistant", content: text, calls });
    if (calls.length > 0) {
      const outputs = await Promise.all(calls.map((call) => use(world, call)));
      for (const [index, call] of calls.entries()) {
        const output = outputs[index];
        messages.push({ role: "tool", call: call.id, content: JSON.stringify(output) });
        yield { type: "result", agent, call: call.id, output };
      }
      continue;
    }
    yield { type: "done", agent };
    const next = follow(text);
    if (next === undefined) return;
    agent = next;
  }
}

async function* answer(world: World, agent: string, messages: readonly ChatMessage[]): AsyncGenerator<ChatChunk> {
  await think(world, messages.length);
  const { deltas, calls } = toReply(agent, messages.at(-1)?.role === "tool" ? "tools" : "message");
  for (const text of deltas) yield { type: "text", text };
  for (const [index, { tool, args }] of calls.entries())
    yield { type: "call", call: { id: `call${index}`, tool, args } };
  yield { type: "end" };
}

async function use(world: World, { tool, args }: ToolCall): Promise<unknown> {
  if (tool !== "lookup") throw new Error(`there is no tool ${tool}`);
  const input: unknown = JSON.parse(args);
  if (!isInput(input)) throw new Error("the arguments do not fit");
  return lookup(world, input);
}

function isInput(input: unknown): input is { readonly city: string; readonly limit: number } {
  if (typeof input !== "object" || input === null || !("city" in input) || !("limit" in input)) return false;
  return typeof input.city === "string" && typeof input.limit === "number";
}

function follow(text: string): "second" | "third" | undefined {
  if (text.includes(SIGNALS.second)) return "second";
  return text.includes(SIGNALS.third) ? "third" : undefined;
}

async function drain(events: AsyncIterable<ChatEvent>): Promise<string> {
  let text = "";
  for await (const event of events) if (event.type === "text") text += event.text;
  return text;
}

const toUser = (content: string): ChatMessage => ({ role: "user", content });
