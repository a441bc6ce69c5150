import { inSlice } from "@baton/core/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";
import { ENDS, WAITS } from "../testing/crews.ts";
import { checkRuns, type IdempotentScene, playIdempotent, saidIn } from "../testing/idempotent-scene.ts";
import { sentOf } from "../testing/sent.ts";
import type { Scripted } from "../testing/test-server.ts";

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
const CREWS = [WAITS, LOOKS, ENDS];

/** More than the database calls of any scene. */
const MAX_MOMENTS = 2_000;

/** Plays a scene with a crash at every moment of this run's slice; every answer is the same as without a crash. */
async function playAll(scene: IdempotentScene): Promise<void> {
  const { results: expected } = await playIdempotent(scene, Infinity);
  assert.ok(expected.length > 0);
  const moments = Array.from({ length: MAX_MOMENTS }, (_, moment) => moment);
  for (const moment of inSlice(moments)) {
    const { hasDied, results } = await playIdempotent(scene, moment);
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

test("a process may die at any moment of a start under a key: who asks again gets the one run and its answer", async () => {
  await playAll({
    crews: CREWS,
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
    crews: CREWS,
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
    crews: CREWS,
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
    crews: CREWS,
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
