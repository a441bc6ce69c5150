/** Alerts and schedules with the store's own scheduler: what is set in a conversation starts a run there, once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Crew, defineCrew, scriptModel } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { DurableEngine, Scheduler, SCHEDULES } from "@baton/durable";
import { type Database, type Owner, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { openPostgres } from "@baton/store/postgres";
import { PostgresServer } from "@baton/store/postgres/embedded";
import { MarketError } from "../../market/port/market-error.ts";
import { type Quoted, quotedMarket, SetClock, toolsOn } from "./testing/watch-harness.ts";

const ANN: Owner = { tenant: "acme", user: "ann" };
const MINUTE = 60_000;
const ALERT = { symbol: "BTCUSD", kind: "price_above", value: 150 };

/** One server of several. */
interface Server {
  readonly engine: DurableEngine;
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly said: string[];
}

/** Servers on one database, and the market they see; the scheduler's time is the test's. */
interface Place {
  readonly quoted: Quoted;
  readonly clock: SetClock;
  readonly crew: Crew;
  readonly servers: readonly Server[];
  readonly database: Database;
}

async function openPlace(databases: readonly Database[], args: object = ALERT): Promise<Place> {
  const quoted: Quoted = { price: 140 };
  const clock = new SetClock(new SystemClock().now());
  const tools = toolsOn(quotedMarket(quoted, clock), clock);
  const tool = "cron" in args ? "setSchedule" : "setAlert";
  const crew = defineCrew({ name: "desk", agents: [{ id: "a", tools: [tool], isTerminal: true }], tools: [...tools] });
  const set = { when: "tell me when", call: [{ tool, args: { ...args } }] };
  const model = scriptModel({ a: [set, { say: "It is done." }] });
  const servers: Server[] = [];
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

/** The user asks in the conversation, and the agent sets the alert. */
async function ask({ servers, crew }: Place): Promise<void> {
  const started = await servers[0]?.engine.start(crew, { input: "Tell me when", session: "talk", ...ANN });
  assert.equal((await started?.result)?.outcome, "done");
}

/** All servers look at the same moment; gives how many runs were started, once they have ended. */
async function lookAll({ servers, clock }: Place, afterMs = 2 * MINUTE): Promise<number> {
  clock.pass(afterMs);
  const counts = await Promise.all(servers.map(({ scheduler }) => scheduler.tick()));
  await Promise.all(servers.map(({ engine }) => engine.idle()));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function inputsOf({ database }: Place): Promise<readonly string[]> {
  const runs = await database.runs.list({ ...ANN, session: "talk" });
  return runs.map(({ input }) => input).toSorted();
}

async function end({ servers }: Place): Promise<void> {
  for (const { scheduler, engine } of servers) {
    await scheduler.stop();
    await engine.stop();
  }
  for (const { store } of servers) await store[Symbol.asyncDispose]();
}

const FIRED = "Alert: BTCUSD is above 150 USDT: 160 USDT";

async function firesOnce(place: Place): Promise<void> {
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

describe("an alert that is set through the tool", () => {
  test("fires once, in the conversation in which it was set", async () => {
    await firesOnce(await openPlace([openMemory()]));
  });

  test("fires once with two servers that look at the same moment", async () => {
    const database = openMemory();
    await firesOnce(await openPlace([database, database]));
  });

  test("fires once with two servers on Postgres", async () => {
    await using server = await PostgresServer.start();
    const url = await server.newSchema();
    await firesOnce(await openPlace([await openPostgres({ url }), await openPostgres({ url })]));
  });

  test("and repeats fires at every crossing, and stays", async () => {
    const place = await openPlace([openMemory()], { ...ALERT, repeat: true });
    await ask(place);
    const counts: number[] = [];
    for (const price of [160, 165, 140, 155]) {
      place.quoted.price = price;
      counts.push(await lookAll(place));
    }
    assert.deepEqual(counts, [1, 0, 0, 1]);
    assert.equal((await place.database.documents(ANN).list(SCHEDULES)).documents.length, 1);
    await end(place);
  });

  test("outlives a source that is down, which is told once", async () => {
    const place = await openPlace([openMemory()]);
    await ask(place);
    place.quoted.failure = new MarketError("upstream", "the source is down");
    for (let tick = 0; tick < 3; tick++) assert.equal(await lookAll(place), 0);
    assert.equal(place.servers[0]?.said.filter((text) => text.includes("could not be checked")).length, 1);
    delete place.quoted.failure;
    place.quoted.price = 160;
    assert.equal(await lookAll(place), 1);
    await end(place);
  });
});

test("a schedule that is set through the tool asks its question at its time", async () => {
  const place = await openPlace([openMemory()], { cron: "0 * * * *", ask: "Brief my watchlist" });
  await ask(place);
  assert.equal(await lookAll(place, 61 * MINUTE), 1);
  assert.deepEqual(await inputsOf(place), ["Brief my watchlist", "Tell me when"]);
  await end(place);
});
