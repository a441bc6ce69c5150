/**
 * Assistant harness: the finance crew on the embedded data and a store in memory, with any model in the place of all of
 * its models and any output in the place of a tool's.
 */
import { join } from "node:path";
import type { Crew, Image, Json, Model, Prompt, RunEvent } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { readCrew } from "@baton/crewfile";
import { DurableEngine } from "@baton/durable";
import { readAll, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";

const CREW = join(import.meta.dirname, "../../apps/finance/crew");
const TENANT = "acme";

/** A question, and the world in which it is asked. */
export interface Question {
  readonly input: string;
  readonly images?: readonly Image[];
  readonly options?: { readonly [name: string]: Json };
  readonly session?: string;
  readonly limits?: Prompt["limits"] & {};
  /** Takes the place of tools: their names, and what a call gives or throws. */
  readonly doubles?: ReadonlyMap<string, () => Json>;
}

/** The run of a question: its events, to the end, with every question denied; and what models were sent. */
export interface AskedRun {
  readonly events: readonly RunEvent[];
  readonly prompts: readonly Prompt[];
  readonly text: string;
}

/** A user of the assistant. */
export interface AssistantHarness extends AsyncDisposable {
  readonly crew: Crew;
  readonly documentsOf: (user: string) => Documents;
  readonly ask: (model: Model, question: Question) => Promise<AskedRun>;
}

/** The user who asks. */
export const USER = "ann";

/** Opens the assistant with an empty store. */
export async function openAssistant(): Promise<AssistantHarness> {
  const read = await readCrew(CREW, { providers: ["auto"] });
  if (read.crew === undefined) throw new Error(read.findings.map(({ message }) => message).join("\n"));
  const { after: _, ...crew } = read.crew;
  const database = openMemory();
  const store = await Store.open({ database });
  return {
    crew,
    documentsOf: (user) => database.documents({ tenant: TENANT, user }),
    async ask(model, { doubles = new Map(), ...question }) {
      const prompts: Prompt[] = [];
      const recorded: Model = {
        ...model,
        stream(prompt, scope) {
          prompts.push(prompt);
          return model.stream(prompt, scope);
        },
      };
      const served = withDoubles(crew, doubles);
      await using engine = new DurableEngine({ store, crews: [served], model: () => recorded });
      let run = await engine.start(served, { tenant: TENANT, user: USER, ...question });
      for (let result = await run.result; result.outcome === "paused"; result = await run.result) {
        const open = of(await readAll(database, run.id), "run.paused").at(-1)?.questions ?? [];
        for (const id of open)
          ({ run } = await engine.command(run.id, { type: "answer", question: id, value: "deny" }));
      }
      const events = await readAll(database, run.id);
      return { events, prompts, text: of(events, "run.ended").at(-1)?.text ?? "" };
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The events of a type. */
export const of = <T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

/** A double has the real tool's schema, digest and permission. */
function withDoubles(crew: Crew, doubles: ReadonlyMap<string, () => Json>): Crew {
  const tools = new Map(crew.tools);
  for (const [name, give] of doubles) {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    tools.set(name, Object.freeze({ ...tool, prepare: () => ({ ok: true, run: give }) as const }));
  }
  return { ...crew, tools };
}

/** A reply of a scripted model: text, calls, or both. */
export type ScriptedReply = Readonly<{ text?: string; calls?: readonly Readonly<{ tool: string; args: Json }>[] }>;

/** A model that answers each prompt by a function of it. */
export function scriptedModel(reply: (prompt: Prompt) => ScriptedReply): Model {
  return {
    name: "script/model",
    async *stream(prompt) {
      const { text = "", calls = [] } = reply(prompt);
      if (text !== "") yield [{ type: "text", text }];
      yield calls.map(({ tool, args }) => ({ type: "call", tool, args: JSON.stringify(args) }) as const);
      const finish = calls.length > 0 ? "calls" : "stop";
      yield [{ type: "end", finish, usage: { inputTokens: 1, outputTokens: 1 } }];
    },
  };
}

/** The reply of the agent `intent`. */
export const understood = (more: { readonly [name: string]: Json } = {}): ScriptedReply => ({
  text: JSON.stringify({
    intent_summary: "a question",
    query_type: "stock_price",
    complexity: "tool_required",
    parts: [],
    raw_symbols: [{ said: "Apple", ticker: "AAPL" }],
    wants: [],
    response_language: "en",
    confidence: 0.9,
    ...more,
  }),
});
