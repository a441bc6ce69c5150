import { inSlice } from "@baton/core/testing";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { defineCrew, defineTool } from "@baton/core";
import type { Database } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { aroundCalls } from "@baton/store/testing";
import { z } from "zod";
import { ENDS, RELAY, WAITS } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { type Scripted, startTestServer, type TestServer } from "../testing/test-server.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-once-"));
after(() => rmSync(folder, { recursive: true }));

/** Long enough for any lease to be over. */
const LEASE_MS = 60_000;
/** The gate that the tool waits for; the last one counts. */
const gates: PromiseWithResolvers<void>[] = [];
const look = defineTool({
  name: "look",
  description: "Takes its time.",
  effect: "read",
  input: z.object({}),
  run: async () => {
    await gates.at(-1)?.promise;
    return "seen";
  },
});
/** Two steps, so that it can be paused between them. */
const LOOKS: Scripted = {
  crew: defineCrew({ name: "looks", agents: [{ id: "looker", tools: ["look"], isTerminal: true }], tools: [look] }),
  script: { looker: [{ call: [{ tool: "look" }] }, { say: "Done." }] },
};
const CREWS = [RELAY, WAITS, LOOKS, ENDS];
const MESSAGES = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** A database that its process stops using at a call, before that is made or after. */
interface Mortal {
  readonly database: Database;
  /** From here on it dies at the call of this number; each call is two moments, before it and after it. */
  dieAt(moment: number): void;
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  /** Lets it continue where it was: it was not dead, only frozen. */
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
  return {
    database: aroundCalls(database, pass),
    dieAt: (moment) => {
      left = moment;
    },
    died: death.promise,
    wake: () => {
      left = Infinity;
      waking.resolve();
    },
  };
}

interface Scene {
  /** Under which it is sent, at the same time. */
  readonly keys?: readonly string[];
  readonly body: object;
  /** Prepares the state before the crash. */
  readonly prepare: (server: TestServer) => Promise<void>;
  /** Checks the state after recovery, with the run of each answer. */
  readonly check: (server: TestServer, runs: readonly (string | null)[]) => Promise<void>;
}

/** The outcome of a scene. */
interface Played {
  readonly hasDied: boolean;
  /** The results in all answers that were given, to any of the requests. */
  readonly results: readonly unknown[];
}

/**
 * Sends requests to a server that dies at some moment of them, and then to the next; in the end the first one turns out
 * to have been frozen.
 */
async function play(scene: Scene, moment: number): Promise<Played> {
  const path = join(folder, crypto.randomUUID(), "baton.db");
  let now = Date.now();
  const open = () => openSqlite({ path, now: () => now });
  const { keys = ["k"], body } = scene;
  const send = (server: TestServer, key: string) =>
    server.post("/api/runs", body, { "Idempotency-Key": key, Prefer: "wait" });
  const mortal = toMortal(await open());
  const first = await startTestServer(CREWS, { database: mortal.database });
  try {
    await scene.prepare(first);
    mortal.dieAt(moment);
    const lost = Promise.all(keys.map((key) => send(first, key)));
    const hasDied = await Promise.race([mortal.died.then(() => true), lost.then(() => false)]);
    now += LEASE_MS;
    await using second = await startTestServer(CREWS, { database: await open() });
    const runs: (string | null)[] = [];
    const answers: string[] = [];
    const results: unknown[] = [];
    for (const key of keys) {
      const answer = await send(second, key);
      assert.equal(answer.status, 200, `${moment}: ${await answer.clone().text()}`);
      runs.push(answer.headers.get("x-run-id"));
      results.push(await resultOf(answer.clone()));
      const text = await answer.text();
      answers.push(text);
      const again = await send(second, key);
      assert.deepEqual([again.headers.get("idempotency-replayed"), await again.text()], ["true", text]);
    }
    await scene.check(second, runs);
    mortal.wake();
    for (const [index, late] of (await lost).entries()) {
      if (late.status === 409) continue;
      assert.equal(late.headers.get("x-run-id"), runs[index], `${moment}: another run`);
      // One that is not there yet says only where it will be.
      if (late.status === 200) assert.equal(await late.text(), answers[index], `${moment}: another answer`);
    }
    await scene.check(second, runs);
    return { hasDied, results };
  } finally {
    mortal.wake();
    await first[Symbol.asyncDispose]();
  }
}

async function resultOf(answer: Response): Promise<unknown> {
  return (await sentOf(answer))["result"];
}

/** More than the database calls of any scene. */
const MAX_MOMENTS = 2_000;

/** Plays a scene with a crash at every moment of this run's slice; every answer is the same as without a crash. */
async function playAll(scene: Scene): Promise<void> {
  const { results: expected } = await play(scene, Infinity);
  assert.ok(expected.length > 0);
  const moments = Array.from({ length: MAX_MOMENTS }, (_, moment) => moment);
  for (const moment of inSlice(moments)) {
    const { hasDied, results } = await play(scene, moment);
    for (const result of results)
      assert.ok(
        expected.some((known) => isDeepStrictEqual(known, result)),
        `${moment}: ${JSON.stringify(result)} is not one of ${JSON.stringify(expected)}`,
      );
    if (hasDied) continue;
    assert.ok(moment > 10, `it died at ${moment} moments`);
    return;
  }
  assert.fail(`it has more than ${MAX_MOMENTS} moments`);
}

/** Returns the user messages in the session of a scene. */
async function saidIn(server: TestServer): Promise<readonly string[]> {
  const said = MESSAGES.parse(await (await server.get("/api/sessions/s/messages")).json());
  return said.messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

async function checkRuns(server: TestServer, expected: readonly (readonly [unknown, string])[]): Promise<void> {
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  assert.deepEqual(
    runs.map(({ id, status }) => [id, status]),
    expected,
  );
}

test("a process may die at any moment of a start under a key: who asks again gets the one run and its answer", async () => {
  await playAll({
    body: { crew: "ends", input: "hello" },
    prepare: async () => {},
    check: async (server, [run]) => {
      await checkRuns(server, [[run, "ended"]]);
      assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${run}`)), { outcome: "done" });
    },
  });
});

test("a process may die at any moment of going on with a run under a key: what was said is said once", async () => {
  await playAll({
    body: { crew: "waits", input: "that one", session_id: "s" },
    prepare: async (server) => {
      await server.post("/api/runs", { crew: "waits", input: "hello", session_id: "s" }, { Prefer: "wait" });
    },
    check: async (server, [run]) => {
      await checkRuns(server, [[run, "ended"]]);
      assert.deepEqual(await saidIn(server), ["hello", "that one"]);
    },
  });
});

test("the same holds for a run that was paused by a command", async () => {
  await playAll({
    body: { crew: "looks", input: "and this", session_id: "s" },
    prepare: async (server) => {
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      const begun = await server.post("/api/runs", { crew: "looks", input: "hello", session_id: "s" });
      const run = `/api/runs/${begun.headers.get("x-run-id")}`;
      await server.post(`${run}/commands`, { type: "pause" });
      gate.resolve();
      while ((await sentOf(await server.get(run)))["status"] !== "paused") await sleep(5);
    },
    check: async (server, [run]) => {
      await checkRuns(server, [[run, "ended"]]);
      assert.deepEqual(await saidIn(server), ["hello", "and this"]);
    },
  });
});

test("two keys with the same words are two messages, whenever the process died", async () => {
  await playAll({
    keys: ["k1", "k2"],
    body: { crew: "waits", input: "that one", session_id: "s" },
    prepare: async (server) => {
      await server.post("/api/runs", { crew: "waits", input: "hello", session_id: "s" }, { Prefer: "wait" });
    },
    check: async (server, runs) => {
      assert.equal(new Set(runs).size, 2);
      assert.deepEqual(await saidIn(server), ["hello", "that one", "that one"]);
    },
  });
});
