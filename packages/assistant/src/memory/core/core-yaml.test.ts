import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { toMemoryId } from "../collections.ts";
import { parseYaml, toYaml } from "./core-yaml.ts";
import { CATEGORIES, type CoreMemory, type MemoryEntry } from "./entry.ts";
import { refuseMemory } from "../refuse/refuse-memory.ts";

/** To play a failure again: BATON_SEED=N */
const SEED = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
const AT = "2024-11-22T00:00:00.000Z";

const LINE = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.trim())
  .filter((text) => text !== "" && !/[\p{Cc}\u2028\u2029]/u.test(text) && refuseMemory(text) === undefined);
const TRICKY = fc.constantFrom(
  "yes",
  "null",
  "- a",
  "a: b",
  "#x",
  "1e3",
  "'",
  '"',
  "{a}",
  "2024-01-01",
  "|",
  "&a",
  "*a",
  "!x",
);
const FIELDS = fc.record(
  {
    text: fc.oneof(LINE, TRICKY),
    category: fc.constantFrom(...CATEGORIES),
    by: fc.constantFrom("user" as const, "learned" as const),
    hasKey: fc.boolean(),
  },
  { requiredKeys: ["text", "category", "by", "hasKey"] },
);
const CORE: fc.Arbitrary<CoreMemory> = fc
  .tuple(fc.array(FIELDS, { maxLength: 4 }), fc.array(FIELDS, { maxLength: 12 }))
  .map(([persona, human]) => {
    const toEntries = (block: string, fields: readonly (typeof human)[number][]) =>
      fields.map(({ hasKey, ...entry }, index): MemoryEntry => {
        const id = toMemoryId("m", block, `${index}`);
        return { id, at: AT, ...entry, ...(hasKey && { key: `${block}:${index}` }) };
      });
    return { persona: toEntries("persona", persona), human: toEntries("human", human) };
  });

test("what is exported is imported as it was, whatever the texts are", (t) => {
  t.diagnostic(`seed ${SEED}`);
  fc.assert(
    fc.property(CORE, (core) => {
      assert.deepEqual(parseYaml(toYaml(core), "2030-01-01T00:00:00.000Z"), { ok: true, core });
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test("a person may write only texts; the rest is filled in", () => {
  const read = parseYaml("human:\n  - Likes tea\n  - text: 'Name: Lan'\n    key: name\n    category: fact\n", AT);
  assert.ok(read.ok);
  assert.deepEqual(
    read.core.human.map(({ text, category, by, at }) => [text, category, by, at]),
    [
      ["Likes tea", "other", "user", AT],
      ["Name: Lan", "fact", "user", AT],
    ],
  );
  assert.deepEqual(parseYaml("# nothing", AT), { ok: true, core: { persona: [], human: [] } });
});

/** A file, and the line and reason of its first problem. */
const WRONG: readonly (readonly [yaml: string, line: number, reason: RegExp])[] = [
  ["human:\n  - text: a\n   b: c", 3, /./],
  ["human: tea", 1, /human: .*expected array/],
  ["human:\n  - Likes tea\n  - text: ''", 3, /human\.1\.text: Too small/],
  ["human:\n  - Likes tea\n  - text: b\n    category: mood", 4, /human\.1\.category: Invalid option/],
  ["human:\n  - text: b\n    colour: red", 2, /Unrecognized key: "colour"/],
  ["persona: []\nhumans: []", 1, /Unrecognized key: "humans"/],
  ["human:\n  - Tea\n  - 4111 1111 1111 1111", 3, /human\.1: this is not remembered: it holds a card number/],
  ["human:\n  - {text: a, key: k}\n  - {text: b, key: k}", 2, /human\.0: two entries have the key k/],
  ["human:\n  - &a Tea\n  - *a", 1, /aliases are not supported/],
  ["human:\n  - Tea\nhuman: []", 3, /unique/],
  [
    `human:\n${Array.from({ length: 60 }, (_, index) => `  - ${index} ${"x".repeat(200)}`).join("\n")}`,
    2,
    /human has \d+ tokens; at most 1500/,
  ],
  [
    `persona:\n${Array.from({ length: 20 }, (_, index) => `  - ${index} ${"x".repeat(200)}`).join("\n")}`,
    2,
    /persona has \d+ tokens; at most 500/,
  ],
  ["version: 2", 1, /version/],
  ["x".repeat(64_001), 1, /at most 64000 are allowed/],
];

test("a file with anything wrong is refused whole, with line and reason", () => {
  for (const [yaml, line, reason] of WRONG) {
    const read = parseYaml(yaml, AT);
    assert.ok(!read.ok, yaml.slice(0, 60));
    assert.match(read.problems[0]?.reason ?? "", reason);
    assert.equal(read.problems[0]?.line, line, `${yaml.slice(0, 60)}: ${read.problems[0]?.reason}`);
  }
});
