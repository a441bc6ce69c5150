import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Database } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { z } from "zod";
import { RELAY, WAITS } from "./testing/crews.ts";
import { sentOf } from "./testing/sent.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-once-"));
after(() => rmSync(folder, { recursive: true }));

/** Long enough for any lease to be over. */
const LEASE_MS = 60_000;
const CREWS = [RELAY, WAITS];
const MESSAGES = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** A database that its process stops using for good at a call, before that is made or after. */
interface Mortal {
  readonly database: Database;
  /** From here on it dies at the call of this number; each call is two moments, before it and after it. */
  dieAt(moment: number): void;
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  /** Lets it go on, too late for anything, so that the test can end. */
  wake(): void;
}

function toMortal(database: Database): Mortal {
  const death = Promise.withResolvers<void>();
  const waking = Promise.withResolvers<void>();
  let left = Infinity;
  const pass = async (): Promise<void> => {
    if (left-- > 0) return;
    death.resolve();
    await waking.promise;
  };
  const proxy = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = (parts: unknown[]): unknown => Reflect.apply(value, target, parts);
      if (name === "watch" || name === "ledger" || name === Symbol.asyncDispose)
        return (...parts: unknown[]) => call(parts);
      return async (...parts: unknown[]) => {
        await pass();
        const result = await call(parts);
        await pass();
        return result;
      };
    },
  });
  return {
    database: proxy,
    dieAt: (moment) => {
      left = moment;
    },
    died: death.promise,
    wake: waking.resolve,
  };
}

interface Scene {
  readonly body: object;
  /** What was there before, on the server that is to die. */
  readonly prepare: (server: TestServer) => Promise<void>;
  readonly check: (server: TestServer, answer: Response) => Promise<void>;
}

/** Sends a request to a server that dies at some moment of it, and then to the next; gives whether it died. */
async function play(scene: Scene, moment: number): Promise<boolean> {
  const path = join(folder, crypto.randomUUID(), "baton.db");
  let now = Date.now();
  const open = () => openSqlite({ path, now: () => now });
  const mortal = toMortal(await open());
  const first = await startTestServer(CREWS, { database: mortal.database });
  const send = (server: TestServer) => server.post("/api/runs", scene.body, { "Idempotency-Key": "k", Prefer: "wait" });
  try {
    await scene.prepare(first);
    mortal.dieAt(moment);
    const lost = send(first).catch(() => undefined);
    const hasDied = await Promise.race([mortal.died.then(() => true), lost.then(() => false)]);
    now += LEASE_MS;
    await using second = await startTestServer(CREWS, { database: await open() });
    const answer = await send(second);
    assert.equal(answer.status, 200, `${moment}: ${await answer.clone().text()}`);
    await scene.check(second, answer);
    const again = await send(second);
    assert.deepEqual([again.headers.get("idempotency-replayed"), await again.text()], ["true", await answer.text()]);
    return hasDied;
  } finally {
    mortal.wake();
    await first[Symbol.asyncDispose]();
  }
}

/** Plays a scene with a death at every moment there is. */
async function playAll(scene: Scene): Promise<void> {
  let moment = 0;
  while (await play(scene, moment)) moment++;
  assert.ok(moment > 10, `it died at ${moment} moments`);
}

test("a process may die at any moment of a start under a key: who asks again gets the one run", async () => {
  await playAll({
    body: { crew: "relay", input: "hello" },
    prepare: async () => {},
    check: async (server, answer) => {
      const { runs = [] } = await sentOf(await server.get("/api/runs"));
      assert.deepEqual(
        runs.map(({ id, status, outcome }) => [id, status, outcome]),
        [[answer.headers.get("x-run-id"), "ended", "done"]],
      );
      assert.partialDeepStrictEqual(await sentOf(answer.clone()), { result: { content: "Done: 🎉 \u2028 all." } });
    },
  });
});

test("a process may die at any moment of going on with a run under a key: what was said is said once", async () => {
  await playAll({
    body: { crew: "waits", input: "that one", session_id: "s" },
    prepare: async (server) => {
      await server.post("/api/runs", { crew: "waits", input: "hello", session_id: "s" }, { Prefer: "wait" });
    },
    check: async (server, answer) => {
      const { runs = [] } = await sentOf(await server.get("/api/runs"));
      assert.deepEqual(
        runs.map(({ id, status }) => [id, status]),
        [[answer.headers.get("x-run-id"), "ended"]],
      );
      const said = MESSAGES.parse(await (await server.get("/api/sessions/s/messages")).json());
      assert.deepEqual(
        said.messages.filter(({ role }) => role === "user").map(({ content }) => content),
        ["hello", "that one"],
      );
    },
  });
});
