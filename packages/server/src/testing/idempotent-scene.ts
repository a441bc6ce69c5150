/**
 * Idempotent scene: requests under an `Idempotency-Key` to a server that dies at some moment of them, and again to the next.
 */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { aroundCalls } from "@baton/store/testing";
import { z } from "zod";
import { sentOf } from "./sent.ts";
import { type Scripted, startTestServer, type TestServer } from "./test-server.ts";

const MESSAGES = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** Long enough for any lease to be over. */
const LEASE_MS = 60_000;
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

/** Requests under keys, to a server that dies. */
export interface IdempotentScene {
  /** The crews that are served. */
  readonly crews: readonly Scripted[];
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
export async function playIdempotent(scene: IdempotentScene, moment: number): Promise<Played> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "baton-once-"));
  const path = join(folder.path, "baton.db");
  let now = Date.now();
  const open = () => openSqlite({ path, now: () => now });
  const { crews, keys = ["k"], body } = scene;
  const send = (server: TestServer, key: string) =>
    server.post("/api/runs", body, { "Idempotency-Key": key, Prefer: "wait" });
  const mortal = toMortal(await open());
  const first = await startTestServer(crews, { database: mortal.database });
  try {
    await scene.prepare(first);
    mortal.dieAt(moment);
    const lost = Promise.all(keys.map((key) => send(first, key)));
    const hasDied = await Promise.race([mortal.died.then(() => true), lost.then(() => false)]);
    now += LEASE_MS;
    await using second = await startTestServer(crews, { database: await open() });
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

/** Returns the user messages in the session of a scene. */
export async function saidIn(server: TestServer): Promise<readonly string[]> {
  const said = MESSAGES.parse(await (await server.get("/api/sessions/s/messages")).json());
  return said.messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

/** Throws if the server has other runs than these, or they have another status. */
export async function checkRuns(server: TestServer, expected: readonly (readonly [unknown, string])[]): Promise<void> {
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  assert.deepEqual(
    runs.map(({ id, status }) => [id, status]),
    expected,
  );
}
