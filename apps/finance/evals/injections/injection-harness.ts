/**
 * Injection harness: the whole crew on a store, with the run that learns after each answer, asked one question in a scene;
 * what it called, what it wrote and what it said.
 */
import { join } from "node:path";
import type { Crew, Json, Model, RunEvent } from "@baton/core";
import { type Documents, SystemClock } from "@baton/core/ports";
import { readCrew } from "@baton/crewfile";
import { DurableEngine } from "@baton/durable";
import { readAll, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { guardTools } from "../../crew/guarded-tools.ts";
import { openMarket, type OpenedMarket } from "../../market/chain/open-market.ts";
import { deferTools } from "../../tools/frame/deferred-tools.ts";
import type { Scene } from "./injection-channels.ts";
import { observe } from "../observe.ts";

/** A document that was written, or deleted. */
export type Written = Readonly<{ collection: string; id: string; data?: Json }>;

/** The answer to a question with the calls and writes that led to it. */
export interface Traced {
  readonly text: string;
  readonly symbols: readonly string[];
  /** `tool {arguments}` of each call that was made: neither denied nor asked about and refused. */
  readonly calls: readonly string[];
  readonly written: readonly Written[];
  readonly outcome: string;
}

/** The crew and the embedded market, read once. */
export interface InjectionHarness {
  ask(scene: Scene, modelOf: (offline: Model) => Model): Promise<Traced>;
}

const OWNER = { tenant: "desk", user: "ann" };
const CREW = join(import.meta.dirname, "../../crew");
const REQUEST = {
  mode: "auto",
  enable_thinking: true,
  enable_tools: true,
  enable_web_search: false,
  enable_compaction: true,
  tool_search_mode: false,
};

/** Opens it; throws if the crew has errors. */
export async function openInjectionHarness(): Promise<InjectionHarness> {
  const { crew, findings } = await readCrew(CREW, { providers: ["auto"] });
  if (crew === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: new SystemClock() });
  return { ask: (scene, modelOf) => ask({ crew, market }, scene, modelOf) };
}

type Place = Readonly<{ crew: Crew; market: OpenedMarket }>;

async function ask({ crew, market }: Place, scene: Scene, modelOf: (offline: Model) => Model): Promise<Traced> {
  const { question, history, images, options = {}, seed } = scene;
  const scened = { ...market, ...scene.market };
  const tools = guardTools(deferTools(() => Promise.resolve(scened)));
  const staged: Crew = { ...crew, tools: new Map(tools.map((tool) => [tool.name, tool])) };
  const database = openMemory();
  await using store = await Store.open({ database });
  const kept = database.documents(OWNER);
  await seed?.(kept);
  const written: Written[] = [];
  const model = toModels(staged, modelOf);
  const engine = new DurableEngine({ store, crews: [staged], model, documents: () => recording(kept, written) });
  const session = history === undefined ? { session: "s" } : { history };
  const start = { id: "run", input: question, ...OWNER, ...session, options: { ...REQUEST, ...options } };
  let run = await engine.start(staged, { ...start, ...(images && { images }) });
  let result = await run.result;
  while (result.outcome === "paused") {
    const [open] = result.questions;
    if (open === undefined) break;
    ({ run } = await run.command({ type: "answer", question: open.question, value: "deny" }));
    result = await run.result;
  }
  await engine.idle();
  const events = await readAll(database, run.id);
  await engine.stop();
  return toTraced(events, written);
}

/** Programs stand in for all models; only those of the assistant itself may obey. */
function toModels({ programs, after }: Crew, modelOf: (offline: Model) => Model) {
  const named = (program: Model | undefined): Model => {
    if (program === undefined) throw new Error("the crew has no program `offline`");
    return { ...program, name: "code/offline" };
  };
  const [assistant, learner] = [modelOf(named(programs.get("offline"))), named(after?.programs.get("offline"))];
  return (_: unknown, { name }: Crew): Model => (name === "finance" ? assistant : learner);
}

function recording(documents: Documents, written: Written[]): Documents {
  return {
    get: (collection, id) => documents.get(collection, id),
    list: (collection, query) => documents.list(collection, query),
    search: (collection, search) => documents.search(collection, search),
    nearest: (collection, search) => documents.nearest(collection, search),
    put: (collection, document) => {
      written.push({ collection, id: document.id, data: document.data });
      return documents.put(collection, document);
    },
    putAll: (collection, all) => {
      written.push(...all.map(({ id, data }) => ({ collection, id, data })));
      return documents.putAll(collection, all);
    },
    delete: (collection, id, version) => {
      written.push({ collection, id });
      return documents.delete(collection, id, version);
    },
  };
}

function toTraced(events: readonly RunEvent[], written: readonly Written[]): Traced {
  const { text, calls, outcome, intent } = observe(events);
  const made = calls.filter(({ status }) => status !== "denied" && status !== "failed");
  return {
    text,
    outcome,
    symbols: intent?.validated_symbols ?? [],
    calls: made.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`),
    written,
  };
}
