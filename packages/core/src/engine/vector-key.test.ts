/** The key of a vector: it names one vector of one run, and nothing in another run of the session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { parseJson, type Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import { of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const vectorOf = (first: number) => Array.from({ length: 40 }, (_, at) => first + at);
const [one, two] = [vectorOf(1), vectorOf(1_001)];

const give = defineTool({
  name: "Give",
  description: "Gives vectors.",
  effect: "read",
  input: z.object({ what: z.string() }),
  run: ({ what }): Json => {
    if (what === "both") return { "a.b": one, a: { b: two } };
    return { vector: what === "one" ? one : two };
  },
});
const got: Json[] = [];
const find = defineTool({
  name: "Find",
  description: "Finds what is near a vector.",
  effect: "read",
  input: z.object({ vector: z.array(z.number()) }),
  run: ({ vector }) => got.push(vector),
});
const crew = defineCrew({
  name: "c",
  agents: [{ id: "a", tools: ["Give", "Find"], isTerminal: true }],
  tools: [give, find],
});

const giving = (what: string) => ({ call: [{ tool: "Give", args: { what } }] });
const finding = (vector: string) => ({ call: [{ tool: "Find", args: { vector } }] });

const TOLD = "[vector of 40 numbers: ";

/** The keys that a model was told. */
function keysIn(history: readonly Message[]): readonly string[] {
  const parts = history.flatMap(({ role, content }) => (role === "tool" ? content.split('"') : []));
  const texts = parts.map((part) => parseJson(`"${part}"`)).filter((text) => typeof text === "string");
  return texts.filter((text) => text.startsWith(TOLD)).map((text) => text.slice(TOLD.length, -1));
}

test("the key of an earlier run of the session is no vector of a later run, though both are from the same position", async () => {
  const first = await play(crew, { a: [giving("one"), { say: "ok" }] }, { id: "the-first" });
  const [earlier = ""] = keysIn(first.history);
  const options = { id: "the-second", history: first.history };
  const [, own = ""] = keysIn((await play(crew, { a: [giving("two"), { say: "ok" }] }, options)).history);
  got.length = 0;
  const replies = { a: [giving("two"), finding(earlier), finding(own), { say: "ok" }] };
  const { events } = await play(crew, replies, options);
  assert.deepEqual(
    of(events, "call.ended").map(({ error }) => error?.kind),
    [undefined, "validation", undefined],
  );
  assert.deepEqual(got, [two]);
});

test("a name with a dot and a path of the same letters are two keys", async () => {
  const { history } = await play(crew, { a: [giving("both"), { say: "ok" }] }, { id: "r" });
  const keys = keysIn(history);
  assert.equal(new Set(keys).size, 2);
  got.length = 0;
  await play(crew, { a: [giving("both"), ...keys.map(finding), { say: "ok" }] }, { id: "r" });
  assert.deepEqual(got, [one, two]);
});
