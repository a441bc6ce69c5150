/** A search by the script: embed, search, answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

test("a question becomes a vector, the vector finds notes, and the notes are the answer", async () => {
  const input = "How do I keep coffee beans fresh?";
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
  assert.partialDeepStrictEqual(calls.at(-1)?.output, [{ id: "c1" }]);
  assert.match(content, /\(note c1\)/);
  assert.equal(outcome, "done");
});
