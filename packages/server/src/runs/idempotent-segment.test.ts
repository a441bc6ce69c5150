/** A few of the moments of idempotent-segment.deep.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDS, WAITS } from "../testing/crews.ts";
import { checkRuns, type IdempotentScene, playIdempotent, saidIn } from "../testing/idempotent-scene.ts";

const START: IdempotentScene = {
  crews: [ENDS],
  body: { input: "hello" },
  prepare: async () => {},
  check: (server, [run]) => checkRuns(server, [[run, "ended"]]),
};

const CONTINUE: IdempotentScene = {
  crews: [WAITS],
  body: { input: "that one", session_id: "s" },
  prepare: async (server) => {
    await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
  },
  check: async (server, [run]) => {
    await checkRuns(server, [[run, "ended"]]);
    assert.deepEqual(await saidIn(server), ["hello", "that one"]);
  },
};

for (const [what, scene] of [
  ["starts", START],
  ["continues", CONTINUE],
] as const)
  test(`a request under a key ${what} one run, though its process dies before, during or after`, async () => {
    const { results: expected } = await playIdempotent(scene, Infinity);
    for (const moment of [1, 4, 8, 12]) {
      const { hasDied, results } = await playIdempotent(scene, moment);
      assert.deepEqual([hasDied, results], [true, expected], `moment ${moment}`);
    }
  });
