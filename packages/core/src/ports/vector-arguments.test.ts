import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { fold } from "../words/fold.ts";
import { isEqualJson, type Json, parseJson } from "../words/json.ts";
import { of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";
import { findVectors, withoutVectors } from "../words/vector.ts";
import { withVectors } from "./vector-arguments.ts";

const long = Array.from({ length: 40 }, (_, at) => at / 40);

test("a model is told of a vector by its key, and a call may be given the key or the whole text in its place", async () => {
  const got: number[][] = [];
  const embed = defineTool({
    name: "Embed",
    description: "Embeds.",
    effect: "read",
    input: z.object({ text: z.string() }),
    run: () => ({ model: "m", embedding: long, small: [1, 2] }),
  });
  const find = defineTool({
    name: "Find",
    description: "Finds.",
    effect: "read",
    input: z.object({ vector: z.array(z.number()) }),
    run: ({ vector }) => got.push(vector),
  });
  const crew = defineCrew({
    name: "v",
    agents: [{ id: "a", tools: ["Embed", "Find"], isTerminal: true }],
    tools: [embed, find],
  });
  const key = "run/1.1.1/embedding";
  const { events } = await play(
    crew,
    {
      a: [
        { call: [{ tool: "Embed", args: { text: "x" } }] },
        { call: [{ tool: "Find", args: { vector: key } }] },
        { call: [{ tool: "Find", args: { vector: `[vector of 40 numbers: ${key}]` } }] },
        { say: "ok" },
      ],
    },
    { id: "run" },
  );
  assert.deepEqual(got, [long, long]);
  const told = fold(events).history.find(({ role }) => role === "tool")?.content;
  assert.equal(told, `{"model":"m","embedding":"[vector of 40 numbers: ${key}]","small":[1,2]}`);
  assert.deepEqual(of(events, "call.started")[1]?.args, { vector: key });
});

const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 30, maxLength: 40 });
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue().map((value) => parseJson(JSON.stringify(value)) ?? null),
    numbers.map((list) => parseJson(JSON.stringify(list)) ?? null),
    fc.dictionary(fc.string({ maxLength: 5 }), tie("tree"), { maxKeys: 3 }),
    fc.array(tie("tree"), { maxLength: 3 }),
  ),
}));

test("what was replaced by keys comes back whole, and what has no vector is left as it is", async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (output) => {
      const place = { run: "run", call: "1.1.1" };
      const vectors = new Map(findVectors(place, output));
      const told = withoutVectors(place, output);
      if (vectors.size === 0) assert.equal(told, output);
      assert.ok([...findVectors(place, told)].length === 0);
      const outputs = { run: "run", has: (call: string) => call === place.call, outputOf: async () => output };
      assert.ok(isEqualJson(await withVectors(told, outputs), output));
    }),
    { numRuns: 500 },
  );
});

test("a key names a call of any lane, with or without its run; other texts with slashes are left as they are", async () => {
  const asked: string[] = [];
  const outputs = {
    run: "run-abcdef",
    has: (call: string) => call === "2/alpha/1.1.1",
    outputOf: async (call: string) => (asked.push(call), { "a/b": long }),
  };
  for (const key of ["abcdef/2/alpha/1.1.1/a/b", "2/alpha/1.1.1/a/b"]) {
    assert.deepEqual(await withVectors({ list: [key] }, outputs), { list: [long] });
  }
  assert.deepEqual(await withVectors("2/alpha/1.1.1/other", outputs), "2/alpha/1.1.1/other");
  assert.equal(asked.length, 3);
  const plain = { url: "https://example.org/2/alpha", other: "fedcba/2/alpha/1.1.1/a/b" };
  assert.equal(withVectors(plain, outputs), plain);
  assert.equal(asked.length, 3);
});
