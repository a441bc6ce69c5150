/** Schedules on Postgres, by the machine's clock: of several servers one starts each run. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DurableEngine } from "../engine/durable-engine.ts";
import { readSchedule, SCHEDULES, toScheduleDocument } from "./schedule.ts";
import { Scheduler } from "./scheduler.ts";
import { Store } from "@baton/store";
import { openPostgres } from "@baton/store/postgres";
import { PostgresServer } from "@baton/store/postgres/embedded";
import { ANN, hourly } from "../testing/schedule-harness.ts";
import { script, solo } from "../testing/small-crews.ts";

describe("schedules on Postgres", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());

  async function open(url: string) {
    const store = await Store.open({ database: await openPostgres({ url }) });
    const engine = new DurableEngine({ store, crews: [solo], model: script({ a: [{ say: "Good morning." }] }) });
    const scheduler = new Scheduler({ store, engine, crews: [solo] });
    const stop = async (): Promise<void> => {
      await scheduler.stop();
      await engine.stop();
      await store[Symbol.asyncDispose]();
    };
    return { store, engine, scheduler, stop };
  }

  test("of servers that look at the same moment one starts each run, and all times are advanced", async () => {
    const url = await server.newSchema();
    const servers = await Promise.all([1, 2, 3].map(async () => open(url)));
    const [first] = servers;
    assert.ok(first);
    const { database, clock } = first.store;
    const documents = database.documents(ANN);
    const long = clock.now() - 3 * 3_600_000;
    const names = Array.from({ length: 20 }, (_, index) => `plan-${index}`);
    await documents.putAll(
      SCHEDULES,
      names.map((name, index) => {
        const session = index % 2 === 0 ? {} : { session: name };
        return toScheduleDocument({ ...hourly, name, ...session }, long);
      }),
    );
    for (let round = 0; round < 5; round++) {
      await Promise.all(servers.map(({ scheduler }) => scheduler.tick()));
      await Promise.all(servers.map(({ engine }) => engine.idle()));
    }
    const runs = await database.runs.list({ limit: 100 });
    assert.equal(runs.length, names.length);
    assert.deepEqual(new Set(runs.map(({ outcome }) => outcome)), new Set(["done"]));
    for (const name of names) {
      const document = await documents.get(SCHEDULES, name);
      assert.ok(document);
      const { nextAt, lastRun, pending } = readSchedule(document);
      assert.ok(nextAt > clock.now());
      assert.ok(runs.some(({ id }) => id === lastRun));
      assert.equal(pending, undefined);
    }
    for (const one of servers) await one.stop();
  });

  test("a schedule that is due by and by is started by one of the servers that wait for it", async () => {
    const url = await server.newSchema();
    const [one, other] = [await open(url), await open(url)];
    const { database, clock } = one.store;
    await database
      .documents(ANN)
      .put(SCHEDULES, toScheduleDocument({ ...hourly, when: { everyMs: 1_000 } }, clock.now()));
    await Promise.all([one.scheduler.begin(), other.scheduler.begin()]);
    while ((await database.runs.list({})).length < 3) await new Promise<void>((resolve) => clock.after(100, resolve));
    await one.stop();
    await other.scheduler.stop();
    const runs = await other.store.database.runs.list({});
    const times = runs.map(({ options }) => JSON.stringify(options));
    assert.equal(new Set(times).size, times.length);
    await other.stop();
  });
});
