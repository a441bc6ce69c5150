/** The feed of changes: what a reader begins with, what it is told, and what it is not. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SystemClock } from "@baton/core/ports";

import { openMemory, openSqlite } from "@baton/store/sqlite";
import { z } from "zod";
import { KeyRing } from "../gateway/keys.ts";
import { GatedModel, RELAY, SLOW, WAITS } from "../testing/crews.ts";
import { parseFrames } from "../testing/frames.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const CHANGE = z.discriminatedUnion("type", [
  z.object({ type: z.literal("snapshot"), runs: z.array(z.looseObject({ id: z.string() })), crews: z.unknown() }),
  z.object({ type: z.literal("run"), run: z.looseObject({ id: z.string(), status: z.string() }) }),
  z.object({ type: z.literal("removed"), id: z.string() }),
  z.object({ type: z.literal("crews"), crews: z.unknown() }),
]);
type FeedChange = z.infer<typeof CHANGE>;

/** A reader of the feed, change by change. */
class Reader implements AsyncDisposable {
  readonly #abort = new AbortController();
  readonly #changes: AsyncGenerator<FeedChange, void, undefined>;

  constructor({ url }: { readonly url: string }, key?: string) {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    this.#changes = this.#read(fetch(`${url}/api/feed`, { headers, signal: this.#abort.signal }));
  }

  async *#read(answer: Promise<Response>): AsyncGenerator<FeedChange, void, undefined> {
    let text = "";
    const { body } = await answer;
    for await (const bytes of body ?? []) {
      text += Buffer.from(bytes).toString();
      const end = text.lastIndexOf("\n\n") + 2;
      for (const { data } of parseFrames(text.slice(0, end))) yield CHANGE.parse(JSON.parse(data));
      text = text.slice(end);
    }
  }

  /** The next change that fits. */
  async find(isWanted: (change: FeedChange) => boolean): Promise<FeedChange> {
    for (;;) {
      const { value, done } = await this.#changes.next();
      if (done === true) throw new Error("the feed ended");
      if (isWanted(value)) return value;
    }
  }

  /** The next word of a run with this status. */
  findRun(id: string | undefined, status: string): Promise<FeedChange> {
    return this.find((change) => change.type === "run" && change.run.id === id && change.run.status === status);
  }

  snapshot(): Promise<FeedChange> {
    return this.find(({ type }) => type === "snapshot");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#changes.return().catch(() => undefined);
  }
}

const start = (server: TestServer, body: object) =>
  server.post("/api/runs", { input: "hello", ...body }, { Prefer: "wait" });

test("a reader begins with the runs that have not ended, and is told of each that changes", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const { id: waiting } = await sentOf(await start(server, { crew: "waits", session_id: "s" }));
  await start(server, { crew: "relay" });
  await using reader = new Reader(server);
  const first = await reader.snapshot();
  assert.ok(first.type === "snapshot");
  assert.deepEqual(
    first.runs.map(({ id }) => id),
    [waiting],
  );
  assert.deepEqual(first.crews, [
    { id: "relay", name: "relay", errors: 0, warnings: 0 },
    { id: "waits", name: "waits", errors: 0, warnings: 0 },
  ]);
  const { id: other } = await sentOf(await start(server, { crew: "relay" }));
  const told = await reader.findRun(other, "ended");
  assert.partialDeepStrictEqual(told, { run: { crew: "relay", outcome: "done", agent: "second", questions: [] } });
  await start(server, { crew: "waits", session_id: "s" });
  assert.partialDeepStrictEqual(await reader.findRun(waiting, "ended"), { run: { session_id: "s" } });
});

test("a run that is removed, alone or with its session, is told of to those who could see it", async () => {
  const database = openMemory();
  const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const make = async (user: string) => (await keys.create("t", ["run", "read"], { user })).key;
  const [ann, bob] = [await make("ann"), await make("bob")];
  await using server = await startTestServer([RELAY], { database });
  const as = (key: string) => ({ Authorization: `Bearer ${key}` });
  const begin = async (key: string, session_id: string) =>
    (await sentOf(await server.post("/api/runs", { input: "hi", session_id }, { Prefer: "wait", ...as(key) }))).id;
  const remove = (key: string, path: string) =>
    fetch(`${server.url}/api/${path}`, { method: "DELETE", headers: as(key) });
  const ids = [await begin(ann, "one"), await begin(ann, "two"), await begin(bob, "one")];
  const readers = [new Reader(server, ann), new Reader(server, bob)];
  await Promise.all(readers.map((reader) => reader.snapshot()));
  await remove(ann, `runs/${ids[0]}`);
  await remove(ann, "sessions/two");
  await remove(bob, `runs/${ids[2]}`);
  const [first, second] = readers;
  for (const id of ids.slice(0, 2))
    assert.deepEqual(await first?.find(({ type }) => type === "removed"), { type: "removed", id });
  assert.deepEqual(await second?.find(({ type }) => type === "removed"), { type: "removed", id: ids[2] });
  for (const reader of readers) await reader[Symbol.asyncDispose]();
});

test("of a run that runs here the feed tells who has the baton", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  await using reader = new Reader(server);
  await reader.snapshot();
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello" }));
  assert.partialDeepStrictEqual(await reader.findRun(id, "running"), { run: { crew: "slow" } });
});

test("readers see their own runs, and an admin those of its tenant", async () => {
  const database = openMemory();
  const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const make = async (user: string, tenant: string, scopes: readonly ("run" | "read" | "admin")[]) =>
    (await keys.create(tenant, scopes, { user })).key;
  const [ann, bob, admin, other] = await Promise.all([
    make("ann", "t", ["run", "read"]),
    make("bob", "t", ["run", "read"]),
    make("chief", "t", ["read", "admin"]),
    make("ann", "u", ["run", "read", "admin"]),
  ]);
  await using server = await startTestServer([RELAY], { database });
  const readers = [ann, bob, admin, other].map((key) => new Reader(server, key));
  await Promise.all(readers.map((reader) => reader.snapshot()));
  const begin = async (key: string) =>
    (await sentOf(await server.post("/api/runs", { input: "hi" }, { Prefer: "wait", Authorization: `Bearer ${key}` })))
      .id;
  const ids = [await begin(ann), await begin(bob), await begin(other)];
  const seen = await Promise.all(
    readers.map(async (reader, index) => {
      const last = [ids[0], ids[1], ids[1], ids[2]][index];
      const told = new Set<string | undefined>();
      await reader.find((change) => {
        if (change.type === "run") told.add(change.run.id);
        return change.type === "run" && change.run.id === last && change.run.status === "ended";
      });
      return [...told];
    }),
  );
  assert.deepEqual(seen, [[ids[0]], [ids[1]], [ids[0], ids[1]], [ids[2]]]);
  for (const reader of readers) await reader[Symbol.asyncDispose]();
  assert.equal((await server.get("/api/feed")).status, 401);
});

test("a run of another server on the same store is told of", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-feed-"));
  const path = join(folder, "store.db");
  try {
    await using one = await startTestServer([RELAY], { database: await openSqlite({ path }) });
    await using two = await startTestServer([RELAY], { database: await openSqlite({ path }) });
    await using reader = new Reader(two);
    await reader.snapshot();
    const { id } = await sentOf(await start(one, {}));
    await reader.findRun(id, "ended");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the database is watched once for all readers, and not any more when the last has left", async () => {
  const database = openMemory();
  let watching = 0;
  let most = 0;
  const watchAll = database.logs.watchAll.bind(database);
  database.logs.watchAll = (changed) => {
    const stop = watchAll(changed);
    watching++;
    most = Math.max(most, watching);
    return () => {
      watching--;
      stop();
    };
  };
  await using server = await startTestServer([RELAY], { database });
  const readers = [new Reader(server), new Reader(server), new Reader(server)];
  await Promise.all(readers.map((reader) => reader.snapshot()));
  assert.equal(most, 1);
  for (const reader of readers) await reader[Symbol.asyncDispose]();
  for (let tries = 0; tries < 100; tries++) if (watching > 0) await server.get("/health");
  assert.equal(watching, 0);
  await using again = new Reader(server);
  await again.snapshot();
  assert.equal(most, 1);
});

test("a server that stops tells its readers to come back", async () => {
  const server = await startTestServer([RELAY]);
  const response = await server.get("/api/feed");
  const text = response.text();
  await server[Symbol.asyncDispose]();
  assert.match(await text, /"type":"snapshot"[^\n]*\n\n: the server is stopping\nretry: 1000\n\n$/);
});
