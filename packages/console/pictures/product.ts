/**
 * Product: the real product for pictures and page tests: the finance assistant and the crews of this repository with
 * their offline models, served with the built console on a free port of this machine.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { join, relative } from "node:path";
import type { Agent, Crew, Model } from "@baton/core";
import { type Database, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { openThreads } from "../../cli/src/crew/crew-loader.ts";
import { toDialects, toMounts } from "../../cli/src/serve/assistant-module.ts";
import { findServedCrews } from "../../cli/src/serve/served-crews.ts";
import { ModelChoice } from "../../baton/src/model-choice.ts";
import { startServer } from "../../server/src/index.ts";
import { toGuard } from "../../policy/src/index.ts";
import { ensureConsole } from "../build/build.ts";
import { makeOwnCrews } from "./own-crews.ts";
import type { StillClock } from "./still-clock.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SERVED = ["apps/finance/crew", "crews"];
const STARTED = z.object({ id: z.string(), session_id: z.string() });
const RUN = z.object({ status: z.string() });
const LOG = z.object({ events: z.array(z.object({ type: z.string() })) });
const WAIT_MS = 25;
/** The time that a word of an own crew takes by a clock that stands still. */
const OWN_WORD_MS = 1;

/** A run that was started. */
export type ProductRun = Readonly<{ id: string; session: string }>;

/** The product while it is served. */
export interface Product extends AsyncDisposable {
  readonly url: string;
  /** Starts a run and does not wait for it. */
  start(crew: string, input: string): Promise<ProductRun>;
  /** Starts a run and waits until it ends, or waits for a person. */
  settle(crew: string, input: string): Promise<ProductRun>;
  /** Waits until the log of a run has an event of this type. */
  until(run: string, type: string): Promise<void>;
  /** Sends a command to a run. */
  command(run: string, command: object): Promise<void>;
}

/** The options of a product. */
export interface ProductOptions {
  readonly database?: Database;
  /** The time a model takes for a word, by the product's clock; by default none. */
  readonly wordMs?: number;
  /** Where the product's time comes from; by default the machine's clock. */
  readonly clock?: StillClock;
  /** Puts something around the model of an agent. */
  readonly wrap?: (model: Model, agent: Agent, crew: Crew) => Model;
}

/** Serves it. */
export async function serveProduct(options: ProductOptions = {}): Promise<Product> {
  const { database = openMemory(), wordMs = 0, clock, wrap = (model) => model } = options;
  const folder = await ensureConsole();
  const found = await findServedCrews(
    { crews: SERVED.map((path) => relative(process.cwd(), join(ROOT, path))) },
    { threads: openThreads() },
  );
  const models = await ModelChoice.open(
    found.map(({ source }) => source),
    { env: {}, override: undefined },
  );
  const own = makeOwnCrews();
  const ownModels = new Map(own.map(({ crew, model }) => [crew.name, model]));
  const store = await Store.open({ database, ...(clock === undefined ? {} : { clock }) });
  models.spendIn(store.database.ledger);
  const modelOf = (agent: Agent, crew: Crew): Model => {
    const owned = ownModels.get(crew.name);
    if (owned !== undefined) return clock === undefined ? owned : withPace(owned, () => clock.advance(OWN_WORD_MS));
    const model = models.modelOf(agent, crew);
    return wrap(wordMs === 0 ? model : withPace(model, () => takeTime(wordMs, clock)), agent, crew);
  };
  const assistants = found.flatMap(({ id, assistant }) => (assistant === undefined ? [] : [{ id, assistant }]));
  const server = await startServer({
    store,
    port: 0,
    graceMs: 0,
    logLevel: "silent",
    rateLimits: "off",
    console: folder,
    about: { version: "0.1.0", model: models.describe(found).join("; ") },
    crews: [...found.map(({ served }) => served), ...own.map(({ crew }) => ({ id: crew.name, crew, findings: [] }))],
    model: modelOf,
    replaceProgram: models.replaceProgram,
    guardOf: toGuard,
    routes: assistants.flatMap(({ id, assistant }) => toMounts(id, assistant)),
    dialects: assistants.flatMap(({ id, assistant }) => toDialects(id, assistant)),
  });
  return {
    ...toActions(server.url),
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

function toActions(url: string): Pick<Product, "start" | "settle" | "until" | "command"> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const start = async (crew: string, input: string): Promise<ProductRun> => {
    const { id, session_id: session } = STARTED.parse(await post("/api/runs", { crew, input }));
    return { id, session };
  };
  return {
    start,
    settle: async (crew, input) => {
      const started = await start(crew, input);
      for (;;) {
        const run = RUN.parse(await (await fetch(`${url}/api/runs/${started.id}`)).json());
        if (run.status === "ended" || run.status === "paused") return started;
        await sleep(WAIT_MS);
      }
    },
    until: async (run, type) => {
      for (;;) {
        const answer = await fetch(`${url}/api/runs/${run}/events?deltas=none`, {
          headers: { Accept: "application/json" },
        });
        const { events } = LOG.parse(await answer.json());
        if (events.some((event) => event.type === type)) return;
        await sleep(WAIT_MS);
      }
    },
    command: async (run, command) => {
      await post(`/api/runs/${run}/commands`, command);
    },
  };
}

/** Waits for a word to be written: the machine's clock by a part of it, the product's by all of it. */
async function takeTime(wordMs: number, clock: StillClock | undefined): Promise<void> {
  if (clock === undefined) return sleep(wordMs);
  await sleep(1);
  clock.advance(wordMs);
}

/** A model that takes its time. */
function withPace(model: Model, pause: () => Promise<void> | void): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        for (const chunk of chunks) {
          if (chunk.type === "text") await pause();
          yield [chunk];
        }
      }
    },
  };
}
