import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { defineCrew, defineTool } from "@baton/core";
import type { Database } from "@baton/store";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { withMethods } from "@baton/store/testing";
import { z } from "zod";
import { GatedModel, RELAY, SLOW } from "../../testing/crews.ts";
import { readBytes } from "../../testing/frames.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const LIST = z.object({ events: z.array(z.object({ seq: z.int() })) });
const JSON_ONLY = { Accept: "application/json" };
const folder = mkdtempSync(join(tmpdir(), "baton-run-events-"));
after(() => rmSync(folder, { recursive: true }));

/** Changes a byte of what was written last, or first, of the only log there is. */
function damage(path: string, which: "min" | "max"): void {
  using editor = new DatabaseSync(path);
  editor.exec(
    `UPDATE batches SET body = replace(body, 'type', 'tyqe') WHERE last = (SELECT ${which}(last) FROM batches)`,
  );
}

async function run(server: TestServer): Promise<string> {
  return (await sentOf(await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" }))).id ?? "";
}

/** Returns the errors that the server has logged after it has answered with the list. */
async function errorsOf({ logs }: TestServer): Promise<readonly unknown[]> {
  while (!logs.some((line) => line.includes("/api/runs/:id/events"))) await setImmediate();
  return logs.filter((line) => line.includes('"level":"error"')).map((line): unknown => JSON.parse(line));
}

test("who would rather have JSON than a stream gets a list", async () => {
  await using server = await startTestServer([RELAY]);
  const id = await run(server);
  for (const [accept, type] of [
    ["application/json", "application/json"],
    ["text/html, Application/JSON; q=0.9", "application/json"],
    ["text/event-stream;q=0.1, application/json", "application/json"],
    ["application/json, text/event-stream", "text/event-stream; charset=utf-8"],
    ["application/json;q=0, */*", "text/event-stream; charset=utf-8"],
    ["*/*", "text/event-stream; charset=utf-8"],
    ["application/*, */*;q=0.1", "application/json"],
    ["text/*, application/json;q=0.5", "text/event-stream; charset=utf-8"],
  ] as const) {
    const answer = await server.get(`/api/runs/${id}/events`, { Accept: accept });
    assert.equal(answer.headers.get("content-type"), type, accept);
    await answer.text();
  }
});

test("a log of several pages is one JSON list, without a gap", async () => {
  const bulk = defineTool({
    name: "bulk",
    description: "Gives much.",
    effect: "read",
    input: z.object({}),
    run: () => "x".repeat(900_000),
  });
  const crew = defineCrew({ name: "bulky", agents: [{ id: "a", tools: ["bulk"], isTerminal: true }], tools: [bulk] });
  const call = Array.from({ length: 4 }, () => ({ tool: "bulk", args: {} }));
  await using server = await startTestServer([{ crew, script: { a: [{ call }, { say: "Done." }] } }]);
  const id = await run(server);
  const length = await server.store.database.logs.length(id);
  assert.ok((await server.store.lines(id, 0)).length < length, "the log has one page");
  for (const seen of [0, 3]) {
    const answer = await server.get(`/api/runs/${id}/events?after=${seen}`, JSON_ONLY);
    const { events } = LIST.parse(JSON.parse(await answer.text()));
    assert.deepEqual(
      events.map(({ seq }) => seq),
      Array.from({ length: length - seen }, (_, index) => seen + index + 1),
    );
  }
});

test("a log that is damaged is answered with that, as a stream and as a list", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const path = join(folder, "first.db");
  await using server = await startTestServer([RELAY], { database: await openSqlite({ path }) });
  const id = await run(server);
  damage(path, "min");
  for (const [dialect, headers] of [
    ["baton", {}],
    ["baton", JSON_ONLY],
    ["crew", {}],
    ["ui", {}],
  ] as const) {
    const answer = await server.get(`/api/runs/${id}/events?dialect=${dialect}`, headers);
    assert.equal(answer.status, 500, dialect);
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    assert.equal((await sentOf(answer)).code, "damaged");
  }
  assert.equal(printed.mock.callCount(), 0);
});

test("damage that is met in the middle of a list cuts it off, and is a line of the server's log", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const path = join(folder, "middle.db");
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { database: await openSqlite({ path }), model: () => model });
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello" }));
  const list = async () => (await server.get(`/api/runs/${id}/events`, JSON_ONLY)).text();
  for (let said = 0; said < 30; said++) model.say("x".repeat(50_000));
  while ((await list()).length < 1_500_000);
  model.end();
  while (!(await list()).includes("run.ended"));
  damage(path, "max");
  const answer = await server.get(`/api/runs/${id}/events`, JSON_ONLY);
  assert.equal(answer.status, 200);
  await assert.rejects(answer.text());
  assert.partialDeepStrictEqual(await errorsOf(server), [{ msg: "a log could not be read", run: id }]);
  assert.equal(printed.mock.callCount(), 0);
});

test("a client that leaves a list is no failure of the server", async (t) => {
  const printed = t.mock.method(console, "info", () => {});
  const model = new GatedModel();
  for (let said = 0; said < 70; said++) model.say("x".repeat(50_000));
  model.end();
  await using server = await startTestServer([SLOW], { model: () => model });
  const id = await run(server);
  await readBytes(await server.get(`/api/runs/${id}/events`, JSON_ONLY), 1);
  assert.deepEqual(await errorsOf(server), []);
  assert.equal(printed.mock.callCount(), 0);
});

test("a client that claims to have seen more than there is follows a running run to its end", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello" }));
  const streams = await Promise.all(
    ["baton", "crew", "ui"].map((dialect) =>
      server.get(`/api/runs/${id}/events?dialect=${dialect}`, { "Last-Event-ID": "999999" }),
    ),
  );
  model.say("Hello.");
  model.end();
  for (const stream of streams) assert.match(await stream.text(), /run\.ended|"type":"done"|\[DONE\]/);
  assert.equal((await server.get(`/api/runs/${id}/events`, { "Last-Event-ID": "999999" })).status, 204);
});

test("a place beyond 2^63 is past the end of a run that has ended, in every form and on disk", async () => {
  await using server = await startTestServer([RELAY], {
    database: await openSqlite({ path: join(folder, "beyond.db") }),
  });
  const id = await run(server);
  for (const place of [2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 400n].flatMap((seq) => [
    `${seq}`,
    `${seq}.1`,
    `1.${seq}`,
  ])) {
    const status = place.startsWith("1.") ? 200 : 204;
    for (const dialect of ["baton", "crew", "ui"]) {
      const path = `/api/runs/${id}/events?dialect=${dialect}`;
      assert.equal((await server.get(path, { "Last-Event-ID": place })).status, status, place);
      assert.equal((await server.get(`${path}&after=${place}`)).status, status, place);
    }
    const list = await server.get(`/api/runs/${id}/events?after=${place}`, JSON_ONLY);
    assert.equal(list.status, 200, place);
    if (status === 204) assert.deepEqual(await sentOf(list), { events: [] });
    const again = await server.get("/api/crew/stream?q=hello&session_id=s", { "Last-Event-ID": place });
    assert.equal(again.status, 204, place);
  }
});

test("whoever comes past the end while the run ends is told that there is no more", async () => {
  const model = new GatedModel();
  const memory = openMemory();
  let before: (() => Promise<void>) | undefined;
  /** Lets something happen before it says how long a log is. */
  const length = async (id: string) => {
    const happen = before;
    before = undefined;
    await happen?.();
    return memory.logs.length(id);
  };
  const database = withMethods(memory, { logs: { ...memory.logs, length } });
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const { id = "" } = await sentOf(await server.post("/api/runs", { input: "hello" }));
  before = async () => {
    model.end();
    while ((await database.runs.find(id))?.status !== "ended") await setImmediate();
  };
  const answer = await server.get(`/api/runs/${id}/events`, { "Last-Event-ID": "999999" });
  assert.equal(before, undefined);
  assert.equal(answer.status, 204);
});

test("a log that is deleted while its last frames are counted has no more", async () => {
  const memory = openMemory();
  let isDeleting = false;
  /** Deletes a log at the moment it is looked for. */
  const batches: Database["logs"]["batches"] = async (id, ...place) => {
    if (isDeleting) await memory.runs.delete(id);
    return memory.logs.batches(id, ...place);
  };
  const database = withMethods(memory, { logs: { ...memory.logs, batches } });
  await using server = await startTestServer([RELAY], { database });
  const id = await run(server);
  const last = `${await database.logs.length(id)}.1`;
  isDeleting = true;
  const answer = await server.get(`/api/runs/${id}/events?dialect=ui`, { "Last-Event-ID": last });
  assert.equal(answer.status, 204);
});

test("a list may be had without deltas, and up to an event", async () => {
  await using server = await startTestServer([RELAY]);
  const id = await run(server);
  const whole = LIST.parse(await (await server.get(`/api/runs/${id}/events`, JSON_ONLY)).json()).events;
  const thin = LIST.parse(await (await server.get(`/api/runs/${id}/events?deltas=none`, JSON_ONLY)).json()).events;
  assert.ok(thin.length < whole.length && thin.at(-1)?.seq === whole.length);
  const head = LIST.parse(await (await server.get(`/api/runs/${id}/events?to=3&after=1`, JSON_ONLY)).json()).events;
  assert.deepEqual(
    head.map(({ seq }) => seq),
    [2, 3],
  );
  assert.equal((await server.get(`/api/runs/${id}/events?deltas=some`, JSON_ONLY)).status, 400);
});
