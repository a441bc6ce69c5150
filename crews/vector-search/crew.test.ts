/** A search by the script: embed, search, answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

for (const [input, note] of [
  ["How do I keep coffee beans fresh?", "c1"],
  ["When should I water tomatoes?", "g1"],
] as const) {
  test(`"${input}" becomes a vector, the vector finds notes, and the notes are the answer`, async () => {
    const { events, outcome, content } = await play(crew, script, { input });
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["searcher"],
    );
    assert.deepEqual(
      of(events, "call.started").map(({ tool }) => tool),
      ["ListCollections", "GetCollectionInfo", "GenerateEmbedding", "SearchCollection"],
    );
    const calls = of(events, "call.ended");
    assert.ok(calls.every(({ error }) => error === undefined));
    assert.partialDeepStrictEqual(calls.at(-1)?.output, [{ id: note }]);
    assert.ok(content.includes(`(note ${note})`));
    assert.equal(outcome, "done");
  });
}

test("the model reads a key instead of the numbers, and the tool gets the numbers", async () => {
  const { events } = await play(crew, script, { input: "When should I water tomatoes?" });
  const search = of(events, "call.started").find(({ tool }) => tool === "SearchCollection");
  assert.partialDeepStrictEqual(search?.args, { query_vector: "1.2.1/vector" });
  const found = of(events, "call.ended").find(({ tool }) => tool === "SearchCollection");
  assert.partialDeepStrictEqual(found?.output, [{ id: "g1", score: 0.671 }]);
});
