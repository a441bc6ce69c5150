/** Alerts and schedules with the store's own scheduler: what is set in a conversation starts a run there, once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SCHEDULES } from "@baton/durable";
import { openMemory } from "@baton/store/sqlite";
import { MarketError } from "../../market/port/market-error.ts";
import {
  ALERT,
  ANN,
  ask,
  end,
  firesOnce,
  inputsOf,
  lookAll,
  MINUTE,
  openSchedulers,
} from "./testing/scheduler-harness.ts";

describe("an alert that is set through the tool", () => {
  test("fires once, in the conversation in which it was set", async () => {
    await firesOnce(await openSchedulers([openMemory()]));
  });

  test("fires once with two servers that look at the same moment", async () => {
    const database = openMemory();
    await firesOnce(await openSchedulers([database, database]));
  });

  test("and repeats fires at every crossing, and stays", async () => {
    const place = await openSchedulers([openMemory()], { ...ALERT, repeat: true });
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
    const place = await openSchedulers([openMemory()]);
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
  const place = await openSchedulers([openMemory()], { cron: "0 * * * *", ask: "Brief my watchlist" });
  await ask(place);
  assert.equal(await lookAll(place, 61 * MINUTE), 1);
  assert.deepEqual(await inputsOf(place), ["Brief my watchlist", "Tell me when"]);
  await end(place);
});
