/** Schedules on a server: they start with it, and need room. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { defineCrew } from "@baton/core";
import { type NewSchedule, SCHEDULES, toScheduleDocument } from "@baton/durable";
import { LOCAL } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { type Scripted, startTestServer } from "../testing/test-server.ts";

const DESK: Scripted = {
  crew: defineCrew({
    name: "desk",
    agents: [{ id: "a", isTerminal: true }],
    schedules: [{ name: "yearly", cron: "0 0 1 1 *", timeZone: "UTC", input: "Sum up" }],
  }),
  script: { a: [{ say: "Good morning." }] },
};
const soon: NewSchedule = { name: "soon", crew: "desk", input: "Brief me", when: { everyMs: 1_000 }, origin: "user" };

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate();
}

test("a server keeps the schedules of its crews, starts what is due, and says so in its log", async () => {
  const database = openMemory();
  const documents = database.documents(LOCAL);
  await documents.put(SCHEDULES, toScheduleDocument(soon, Date.now() - 1_000));
  await using server = await startTestServer([DESK], { database, logLevel: "info" });
  assert.notEqual(await documents.get(SCHEDULES, "desk/yearly"), undefined);
  await until(async () => (await database.runs.list({ status: "ended" })).length > 0);
  const runs = await (await server.get("/api/runs")).text();
  assert.match(runs, /"input":"Brief me"/);
  assert.match(server.logs.join(""), /schedule soon of local started run/);
});

test("a server without room starts nothing, and does not call that a failure", async () => {
  const database = openMemory();
  await database.documents(LOCAL).put(SCHEDULES, toScheduleDocument(soon, Date.now() - 1_000));
  let looks = 0;
  const due = database.due.bind(database);
  database.due = async (collection, query) => {
    looks++;
    return due(collection, query);
  };
  await using server = await startTestServer([DESK], { database, maxRuns: 0 });
  await until(async () => looks > 3);
  assert.equal((await database.runs.list({})).length, 0);
  assert.doesNotMatch(server.logs.join(""), /could not start/);
});
