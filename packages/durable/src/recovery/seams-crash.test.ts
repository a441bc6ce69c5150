/** Programs, state, outputs, notes, sub-crews and what runs after: a process may die at any call of its database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { toFacts } from "../testing/seams.ts";
import { checkDeaths, playSeams, readSeams } from "../testing/seams-world.ts";

test("a run with a program, a sub-crew's question and a corrected output ends the same if its process dies early or late", async () => {
  await checkDeaths([2, 15, 28, 41]);
});

test("a run whose process dies again and again still has each note once", async () => {
  const facts = toFacts((await readSeams((await playSeams([])).world)).events);
  for (const distance of [13, 17, 23, 31]) {
    const { world, deaths } = await playSeams(Array.from({ length: 40 }, () => distance));
    const { events, runs } = await readSeams(world);
    assert.ok(deaths > 1, `distance ${distance}: it died ${deaths} times`);
    assert.deepEqual(toFacts(events), facts, `distance ${distance}`);
    assert.deepEqual(runs, ["r done", "r-after done"]);
  }
});

test("a session keeps what is for the user, and not what an agent wrote for its crew", async () => {
  const { said } = await readSeams((await playSeams([])).world);
  const texts = said.map((message) => z.object({ role: z.string(), content: z.string() }).parse(JSON.parse(message)));
  assert.deepEqual(
    texts.map(({ role, content }) => `${role}: ${content}`),
    ["user: What shall I drink?", "assistant: The colour is known.", 'assistant: {"answer": "green tea"}'],
  );
});
