/**
 * Eval harness: the finance crew in this process, to be asked questions one after the other or several at once.
 *
 * It stands on the embedded data: keys and switches of the environment are not used, so that the same question always
 * finds the same.
 */
import { join } from "node:path";
import {
  type Agent,
  Engine,
  type EngineOptions,
  type Message,
  type Model,
  type RunEvent,
  type Tool,
} from "@baton/core";
import { readCrew } from "@baton/crewfile";
import { openMemory } from "@baton/store/sqlite";
import { observe } from "./observe.ts";
import type { EvaluatedRun } from "./observed.ts";
import type { Question } from "./question.ts";

/** Settings of a harness. */
export interface EvalHarnessOptions {
  /** The model of an agent; by default the crew's program `offline`. */
  readonly modelOf?: (agent: Agent, offline: Model) => Model;
}

/** A question without its expectations. */
export type Asked = Pick<Question, "earlier" | "text" | "options">;

/** The conversation of a question: each has another user. */
type Conversation = Readonly<{ history: readonly Message[]; user: string }>;

/** An assistant that can be asked. */
export interface EvalHarness extends AsyncDisposable {
  readonly tools: readonly Tool[];
  ask(asked: Asked): Promise<EvaluatedRun>;
  /** The log of the last run of a conversation too. */
  askFully(asked: Asked): Promise<Readonly<{ observed: EvaluatedRun; events: readonly RunEvent[] }>>;
}

const LIVE_SETTINGS = [
  "FMP_API_KEY",
  "TAVILY_API_KEY",
  "BATON_FINANCE_DATA",
  "BATON_FINANCE_WITHOUT",
  "BATON_FINANCE_DATA_PACK",
];
const CREW = join(import.meta.dirname, "../crew");
const REQUEST = {
  mode: "auto",
  enable_thinking: true,
  enable_tools: true,
  enable_web_search: false,
  enable_compaction: true,
  tool_search_mode: false,
};

/** Opens the crew; throws if it has errors. */
export async function openEvalHarness({ modelOf }: EvalHarnessOptions = {}): Promise<EvalHarness> {
  for (const name of LIVE_SETTINGS) Reflect.deleteProperty(process.env, name);
  const { crew, findings } = await readCrew(CREW, { providers: ["auto", "openai", "anthropic", "google", "ollama"] });
  const program = crew?.programs.get("offline");
  if (crew === undefined || program === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  const offline: Model = { ...program, name: "code/offline" };
  const database = openMemory();
  const documents: EngineOptions["documents"] = ({ user = "" }) => database.documents({ tenant: "desk", user });
  const engine = new Engine({ model: (agent) => modelOf?.(agent, offline) ?? offline, documents });
  let conversations = 0;
  const run = async (input: string, { options }: Asked, { history, user }: Conversation) => {
    const identity = { tenant: "desk", user, session: user };
    const started = engine.start(crew, { input, history, ...identity, options: { ...REQUEST, ...options } });
    const events: RunEvent[] = [];
    for await (const event of started.events()) events.push(event);
    return { events, result: await started.result };
  };
  const askFully: EvalHarness["askFully"] = async (asked) => {
    const user = `user-${++conversations}`;
    let history: readonly Message[] = [];
    for (const question of asked.earlier) history = (await run(question, asked, { history, user })).result.history;
    const { events } = await run(asked.text, asked, { history, user });
    return { observed: observe(events), events };
  };
  return {
    tools: [...crew.tools.values()],
    askFully,
    ask: async (asked) => (await askFully(asked)).observed,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
