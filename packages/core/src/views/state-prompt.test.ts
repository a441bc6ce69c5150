import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { defineCrew } from "../definitions/crew.ts";
import type { EventBodyOf } from "../words/event.ts";
import { type Json, parseJson } from "../words/json.ts";
import { defineProgram } from "../ports/program.ts";
import { render, toTemplate } from "./prompt.ts";
import { lookUp, withChanges } from "../words/state.ts";
import { of, play } from "../testing/crew-runs.ts";

/** The system prompt with these values in its places. */
function show(systemPrompt: string, values: Iterable<readonly [string, Json]>): string {
  const crew = defineCrew({ name: "t", agents: [{ id: "a", name: "Ada", systemPrompt }] });
  const agent = crew.agents.get("a");
  assert.ok(agent !== undefined);
  return render(toTemplate(agent, crew), new Map(values));
}

const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const KEY = fc.stringMatching(/^[\w/-]{1,8}$/);
const VALUE = fc.oneof(
  fc.constantFrom<Json>("{{state.a}}", "{{name}}", "$& $1", "}}", "", null, false),
  fc.json({ maxDepth: 2 }).map((text): Json => parseJson(text) ?? null),
);
/** Text that is not a place by itself, and does not become one beside others. */
const PLAIN = fc.oneof(
  fc.constantFrom("{{other}} ", "{ {state.a}} ", "{{state.}} ", "{{state.*}} "),
  fc.stringMatching(/^[ -z\n]{0,9}$/),
);

test("a prompt shows each value in its place: text as it is, other values as JSON, what is missing as nothing", () => {
  const places = fc.array(fc.tuple(PLAIN, KEY), { maxLength: 6 });
  fc.assert(
    fc.property(places, fc.array(fc.tuple(KEY, VALUE), { maxLength: 6 }), fc.array(KEY), (list, given, missing) => {
      const values = new Map(given);
      const all = [
        ...list,
        ...missing.map((key): [string, string] => ["|", key]),
        ...given.map(([key]): [string, string] => ["|", key]),
      ];
      const template = `>${all.map(([text, key]) => `${text}{{state.${key}}}`).join("")}<`;
      const expected = all
        .map(([text, key]) => text + (values.has(key) ? toText(values.get(key) ?? null) : ""))
        .join("");
      assert.equal(show(template, values), `>${expected}<`);
    }),
  );
});

test("a dot goes into an object, as deep as it is, and never into what it inherits", () => {
  fc.assert(
    fc.property(fc.array(KEY, { minLength: 2, maxLength: 5 }), VALUE, (path, value) => {
      const [first = "", ...inner] = path;
      const nested = inner.reduceRight<Json>((held, key) => Object.fromEntries([[key, held]]), value);
      assert.equal(show(`{{state.${path.join(".")}}}`, [[first, nested]]), toText(value));
      assert.equal(show(`{{state.${path.join(".")}.missing}}`, [[first, nested]]), "");
    }),
  );
  const values = new Map<string, Json>([
    ["a", { b: [1, { c: "deep" }] }],
    ["a.whole", "key"],
  ]);
  assert.equal(show("{{state.a.b.1.c}}, {{state.a.whole}}, {{state.a.b.length}}", values), "deep, key, ");
  assert.equal(show("{{state.a.constructor}}{{state.a.__proto__}}{{state.toString}}", values), "");
  assert.equal(lookUp(values, "a.b.1.c.d"), undefined);
});

test("a prefix shows every key that begins so, one a line, in the order of first setting", () => {
  const key = fc.constantFrom("fact/b", "fact/a", "fact/c", "facts", "other");
  const set = fc.uniqueArray(fc.tuple(key, VALUE), { selector: ([name]) => name, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(set), (sets) => {
      const first: string[] = [];
      const last = new Map<string, Json>();
      for (const [name, value] of sets.flat()) {
        if (!first.includes(name)) first.push(name);
        last.set(name, value);
      }
      const facts = sets.map((changes) => toEnded(Object.fromEntries(changes)));
      const lines = (prefix: string) =>
        first
          .filter((name) => name.startsWith(prefix))
          .map((name) => toText(last.get(name) ?? null))
          .join("\n");
      const shown = show("{{state.fact/*}}|{{state.fact*}}|{{state.none*}}", withChanges(new Map(), facts));
      assert.equal(shown, `${lines("fact/")}|${lines("fact")}|`);
    }),
  );
});

const toEnded = (set: { readonly [key: string]: Json }): EventBodyOf<"step.ended"> => {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { type: "step.ended", step: "1.1", agent: "a", text: "", calls: [], finish: "stop", usage, set };
};

test("what the state puts into a prompt is never read again as a template", async () => {
  const seen: string[] = [];
  const crew = defineCrew({
    name: "t",
    programs: {
      set: defineProgram(() => ({ set: { a: "{{state.b}} {{name}}", b: "secret" } })),
      read: defineProgram(({ system }) => {
        seen.push(system);
        return {};
      }),
    },
    agents: [
      { id: "first", model: { name: "code/set" } },
      { id: "second", model: { name: "code/read" }, systemPrompt: "<{{state.a}}>", isTerminal: true },
    ],
    defaults: { first: "second" },
  });
  await play(crew, {});
  assert.deepEqual(seen, ["<{{state.b}} {{name}}>"]);
});

test("a prompt that the state makes longer than 1,048,576 characters ends the turn with a clear message", async () => {
  const half = "x".repeat(524_288);
  assert.equal(show("{{state.a}}{{state.a}}", [["a", half]]).length, 1_048_576);
  const crew = defineCrew({
    name: "t",
    programs: { set: defineProgram(() => ({ set: { a: half } })) },
    agents: [
      { id: "first", model: { name: "code/set" } },
      { id: "second", systemPrompt: "{{state.a}}.{{state.a}}", isTerminal: true },
    ],
    defaults: { first: "second" },
  });
  const { outcome, error, events } = await play(crew, { second: [{ say: "never asked" }] });
  assert.deepEqual([outcome, error?.code], ["failed", "invalid"]);
  assert.equal(error?.message, 'agent "second": its system prompt has more than 1,048,576 characters');
  assert.equal(of(events, "turn.started").length, of(events, "turn.ended").length);
});
