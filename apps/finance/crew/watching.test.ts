/** An alert that is set in a conversation fires there, once, however many servers look. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Crew, Model } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { readCrew } from "@baton/crewfile";
import { DurableEngine, Scheduler } from "@baton/durable";
import { type Owner, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { FakeServer } from "../market/testing/fake-server.ts";

const MINUTE_MS = 60_000;
const ANN: Owner = { tenant: "acme", user: "ann" };
const MESSAGE = z.object({ role: z.string(), content: z.string() });

/** The price of Bitcoin at the exchange. */
const exchange = { price: 140_000 };
const binance = await FakeServer.start(({ path, query }) => {
  const symbol = query.get("symbol") ?? "BTCUSDT";
  const price = exchange.price.toFixed(2);
  const now = Date.now();
  const day = { openTime: now - 86_400_000, closeTime: now, firstId: 1, lastId: 2, count: 2 };
  const change = { priceChange: "0", priceChangePercent: "0", weightedAvgPrice: price, prevClosePrice: price };
  const book = { bidPrice: price, bidQty: "1", askPrice: price, askQty: "1", lastQty: "1" };
  const range = { openPrice: price, highPrice: price, lowPrice: price, volume: "1", quoteVolume: price };
  const ticker = { symbol, lastPrice: price, ...change, ...book, ...range, ...day };
  const body = path.endsWith("/price") ? { symbol, price } : path.endsWith("/24hr") ? ticker : undefined;
  return body === undefined ? { status: 404, body: "{}" } : { body: JSON.stringify(body) };
});
Object.assign(process.env, {
  BATON_FINANCE_DATA: "live",
  BATON_FINANCE_WITHOUT: "kraken,coingecko",
  BINANCE_BASE_URL: binance.url,
});

/** Milliseconds that the tests let pass; what is kept in memory counts by the monotonic clock. */
let passed = 0;
before(() => {
  const system = performance.now.bind(performance);
  mock.method(performance, "now", () => system() + passed);
  mock.timers.enable({ apis: ["Date"], now: new SystemClock().now() });
});
after(async () => {
  mock.timers.reset();
  mock.restoreAll();
  await binance[Symbol.asyncDispose]();
});

async function openFinance(): Promise<{ readonly crew: Crew; readonly offline: Model }> {
  const { crew, findings } = await readCrew(join(import.meta.dirname), { providers: ["auto"] });
  const program = crew?.programs.get("offline");
  if (crew === undefined || program === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  return { crew, offline: { ...program, name: "code/offline" } };
}

const finance = await openFinance();

/** Two servers on one database. */
async function openServers() {
  const { crew, offline } = finance;
  const database = openMemory();
  return Promise.all(
    ["one", "two"].map(async (owner) => {
      const store = await Store.open({ database, owner });
      const engine = new DurableEngine({ store, crews: [crew], model: () => offline });
      return { store, engine, scheduler: new Scheduler({ store, engine, crews: [crew] }) };
    }),
  );
}

type Servers = Awaited<ReturnType<typeof openServers>>;

/** Time passes, and both servers look at the same moment; gives how many runs they started. */
async function look(servers: Servers, ms = 2 * MINUTE_MS): Promise<number> {
  mock.timers.tick(ms);
  passed += ms;
  // The system clock reads the time once in a turn of the event loop.
  await setImmediate();
  const counts = await Promise.all(servers.map(({ scheduler }) => scheduler.tick()));
  await Promise.all(servers.map(({ engine }) => engine.idle()));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function messagesOf([server]: Servers): Promise<readonly z.infer<typeof MESSAGE>[]> {
  const texts = (await server?.store.database.sessions.messages(ANN, "talk")) ?? [];
  return texts.map((text) => MESSAGE.parse(JSON.parse(text)));
}

async function ask([server]: Servers, crew: Crew, input: string): Promise<string> {
  const run = await server?.engine.start(crew, { input, session: "talk", ...ANN });
  const result = await run?.result;
  assert.equal(result?.outcome, "done");
  await server?.engine.idle();
  return result?.content ?? "";
}

async function close(servers: Servers): Promise<void> {
  for (const { scheduler, engine } of servers) {
    await scheduler.stop();
    await engine.stop();
  }
  for (const { store } of servers) await store[Symbol.asyncDispose]();
}

test("an alert set in chat fires once with two servers, and is shown in its conversation", async (t) => {
  const servers = await openServers();
  t.after(() => close(servers));
  const set = await ask(servers, finance.crew, "Alert me when BTC goes above 150,000");
  assert.match(set, /150,000/);
  assert.equal(await look(servers), 0);
  exchange.price = 160_000;
  assert.equal(await look(servers), 1);
  exchange.price = 170_000;
  assert.equal(await look(servers), 0);
  const said = (await messagesOf(servers)).slice(-2);
  assert.match(said[0]?.content ?? "", /^Alert: BTCUSDT? is above 150,?000/);
  assert.match(said[1]?.content ?? "", /160,000/);
  assert.match(await ask(servers, finance.crew, "my alerts"), /no alerts|none|not.*any/i);
});
