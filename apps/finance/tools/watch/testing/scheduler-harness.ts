/**
 * Scheduler harness: several servers with the store's own scheduler on one database, and the market that their tools see.
 */
import assert from "node:assert/strict";
import { type Crew, defineCrew, scriptModel } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { DurableEngine, Scheduler, SCHEDULES } from "@baton/durable";
import { type Database, type Owner, Store } from "@baton/store";
import { type Quoted, quotedMarket, SetClock, toolsOn } from "./watch-harness.ts";

/** The user who sets the alerts. */
export const ANN: Owner = { tenant: "acme", user: "ann" };
export const MINUTE = 60_000;
/** An alert that fires above 150. */
export const ALERT = { symbol: "BTCUSD", kind: "price_above", value: 150 };

/** One server of several. */
interface SchedulerServer {
  readonly engine: DurableEngine;
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly said: string[];
}

/** Servers on one database, and the market they see; the scheduler's time is the test's. */
export interface SchedulerHarness {
  readonly quoted: Quoted;
  readonly clock: SetClock;
  readonly crew: Crew;
  readonly servers: readonly SchedulerServer[];
  readonly database: Database;
}

/** Opens a server on each database, with a crew that sets the alert or schedule of `args`. */
export async function openSchedulers(databases: readonly Database[], args: object = ALERT): Promise<SchedulerHarness> {
  const quoted: Quoted = { price: 140 };
  const clock = new SetClock(new SystemClock().now());
  const tools = toolsOn(quotedMarket(quoted, clock), clock);
  const tool = "cron" in args ? "setSchedule" : "setAlert";
  const crew = defineCrew({
    name: "finance",
    agents: [{ id: "a", tools: [tool], isTerminal: true }],
    tools: [...tools],
  });
  const set = { when: "tell me when", call: [{ tool, args: { ...args } }] };
  const model = scriptModel({ a: [set, { say: "It is done." }] });
  const servers: SchedulerServer[] = [];
  for (const [at, database] of databases.entries()) {
    const store = await Store.open({ database, owner: `server-${at}` });
    const engine = new DurableEngine({ store, crews: [crew], model: () => model });
    const said: string[] = [];
    servers.push({
      store,
      engine,
      said,
      scheduler: new Scheduler({ store, engine, crews: [crew], clock, warn: (text) => said.push(text) }),
    });
  }
  const [database] = databases;
  assert.ok(database);
  return { quoted, clock, crew, servers, database };
}

/** Asks in the conversation, so that the agent sets the alert. */
export async function ask({ servers, crew }: SchedulerHarness): Promise<void> {
  const started = await servers[0]?.engine.start(crew, { input: "Tell me when", session: "talk", ...ANN });
  assert.equal((await started?.result)?.outcome, "done");
}

/** Lets all servers look at the same moment; returns the number of runs they started, once these have ended. */
export async function lookAll({ servers, clock }: SchedulerHarness, afterMs = 2 * MINUTE): Promise<number> {
  clock.pass(afterMs);
  const counts = await Promise.all(servers.map(({ scheduler }) => scheduler.tick()));
  await Promise.all(servers.map(({ engine }) => engine.idle()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the inputs of all runs of the conversation, sorted. */
export async function inputsOf({ database }: SchedulerHarness): Promise<readonly string[]> {
  const runs = await database.runs.list({ ...ANN, session: "talk" });
  return runs.map(({ input }) => input).toSorted();
}

/** Stops all servers and closes their stores. */
export async function end({ servers }: SchedulerHarness): Promise<void> {
  for (const { scheduler, engine } of servers) {
    await scheduler.stop();
    await engine.stop();
  }
  for (const { store } of servers) await store[Symbol.asyncDispose]();
}

const FIRED = "Alert: BTCUSD is above 150 USDT: 160 USDT";

/** Sets the alert and lets the price cross its level three times: it fires at the first crossing only. */
export async function firesOnce(place: SchedulerHarness): Promise<void> {
  await ask(place);
  assert.equal(await lookAll(place), 0);
  place.quoted.price = 160;
  assert.equal(await lookAll(place), 1);
  for (const price of [140, 170]) {
    place.quoted.price = price;
    assert.equal(await lookAll(place), 0);
  }
  assert.deepEqual(await inputsOf(place), [FIRED, "Tell me when"]);
  assert.equal((await place.database.documents(ANN).list(SCHEDULES)).documents.length, 0);
  await end(place);
}
