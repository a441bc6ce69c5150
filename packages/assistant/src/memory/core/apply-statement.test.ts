import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CATEGORIES, type CoreMemory, coreTokens, fitsCore, NO_CORE } from "./entry.ts";
import {
  applyEdits,
  type MemoryClaim,
  applyStatement,
  replaceAll,
  type Statement,
  undoEdits,
} from "./apply-statement.ts";

/** To play a failure again: BATON_SEED=N */
const SEED = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
const RUNS = { seed: SEED, numRuns: 300 };

const WORDS = [
  "tea",
  "milk",
  "gold",
  "bonds",
  "short",
  "answers",
  "retire",
  "2040",
  "2045",
  "not",
  "không",
  "Hà",
  "Nội",
];
const TEXT = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const KEY = fc.constantFrom("name", "language", "risk", "time_zone", "taste:tea");
const CLAIM: fc.Arbitrary<MemoryClaim> = fc.record(
  {
    kind: fc.constant("claim" as const),
    text: TEXT,
    category: fc.constantFrom(...CATEGORIES),
    key: KEY,
  },
  { requiredKeys: ["kind", "text", "category"] },
);
const STATEMENT: fc.Arbitrary<Statement> = fc.oneof(
  { weight: 5, arbitrary: CLAIM },
  fc.record({ kind: fc.constant("forgetting" as const), ids: fc.array(fc.nat(12).map((id) => `m${id}`)) }),
);

const stampOf = (id: number) =>
  ({ id: `m${id}`, at: `2024-11-22T00:00:${String(id % 60).padStart(2, "0")}Z`, by: "user" }) as const;

/** Core memory after statements, one after another. */
function tell(statements: readonly Statement[]): CoreMemory {
  return statements.reduce<CoreMemory>(
    (core, statement, index) => applyStatement(core, statement, stampOf(index)).core,
    NO_CORE,
  );
}

const say = (text: string, more: Partial<MemoryClaim> = {}): MemoryClaim => ({
  kind: "claim",
  text,
  category: "preference",
  ...more,
});
const stamp = stampOf(59);

test("limits are never passed, whatever is stated", (t) => {
  t.diagnostic(`seed ${SEED}`);
  fc.assert(
    fc.property(fc.array(STATEMENT, { maxLength: 40 }), (statements) => assert.ok(fitsCore(tell(statements)))),
    RUNS,
  );
  const long = Array.from({ length: 200 }, (_, index) => say(`Fact${index} ${"x".repeat(300)}`, { category: "fact" }));
  const { human, total } = coreTokens(tell(long));
  assert.ok(human > 1_300 && human <= 1_500 && total <= 2_000, `${human} tokens`);
});

test("undo brings back exactly what was, and a key never has two entries", () => {
  fc.assert(
    fc.property(fc.array(STATEMENT, { maxLength: 25 }), STATEMENT, (statements, last) => {
      const core = tell(statements);
      const { core: changed, edits, operation } = applyStatement(core, last, stamp);
      assert.equal(operation === "NOOP", edits.length === 0);
      assert.deepEqual(undoEdits(changed, edits), { ok: true, core });
      assert.deepEqual(applyEdits(core, edits), changed);
      const keys = changed.human.flatMap(({ key }) => key ?? []);
      assert.equal(new Set(keys).size, keys.length);
    }),
    RUNS,
  );
});

test("what is known is a NOOP: the same statement again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(STATEMENT, { maxLength: 15 }), CLAIM, (statements, claim) => {
      const core = tell([...statements, claim]);
      const again = applyStatement(core, claim, stamp);
      assert.deepEqual([again.operation, again.core], ["NOOP", core]);
    }),
    RUNS,
  );
});

test("a key whose value changes is an UPDATE in place; the same value is a NOOP", () => {
  for (const key of ["name", "language", "risk", "time_zone"]) {
    const core = tell([say("A: x", { key }), say("Likes tea")]);
    const updated = applyStatement(core, say("A: y", { key }), stamp);
    assert.equal(updated.operation, "UPDATE");
    assert.deepEqual(
      updated.core.human.map(({ text }) => text),
      ["A: y", "Likes tea"],
    );
    assert.equal(updated.core.human[0]?.id, core.human[0]?.id);
    assert.equal(applyStatement(core, say("a x", { key }), stamp).operation, "NOOP");
  }
});

test("a statement takes the place of the entry that it names", () => {
  const core = tell([say("Likes tea"), say("Owns a bicycle")]);
  const id = core.human[1]?.id ?? "";
  const done = applyStatement(core, say("Owns a car", { replaces: id }), stamp);
  assert.deepEqual([done.operation, done.core.human.map(({ text }) => text)], ["UPDATE", ["Likes tea", "Owns a car"]]);
  assert.equal(applyStatement(core, say("owns a bicycle", { replaces: id }), stamp).operation, "NOOP");
  assert.equal(applyStatement(core, say("Owns a car", { replaces: "m-gone" }), stamp).operation, "ADD");
});

/** What is known, what is stated, and what comes of it. */
const WORDS_ALONE: readonly (readonly [known: string, stated: string, operation: string, texts: readonly string[]])[] =
  [
    ["Drinks tea", "drinks TEA", "NOOP", ["Drinks tea"]],
    ["Drinks tea", "Drinks green tea every morning", "MERGE", ["Drinks green tea every morning"]],
    ["Ăn thịt", "Không ăn thịt", "MERGE", ["Không ăn thịt"]],
    ["Does not eat meat", "Eats meat", "ADD", ["Does not eat meat", "Eats meat"]],
    ["Plays chess", "Owns a bicycle", "ADD", ["Plays chess", "Owns a bicycle"]],
  ];

test("without a key, the same words are known, and more words take the place of fewer", () => {
  for (const [known, stated, operation, texts] of WORDS_ALONE) {
    const done = applyStatement(tell([say(known)]), say(stated), stamp);
    assert.deepEqual([done.operation, done.core.human.map(({ text }) => text)], [operation, texts], stated);
  }
  const named = tell([say("Name: Lan", { key: "name", category: "fact" })]);
  const daughter = applyStatement(named, say("The name of the daughter is Lan Anh", { category: "fact" }), stamp);
  assert.equal(daughter.operation, "ADD", "what has a key is never merged with what has none");
});

test("what holds no longer is deleted by its id", () => {
  const core = tell([say("Risk: cautious", { key: "risk" }), say("Likes old silver coins")]);
  const ids = core.human.map(({ id }) => id);
  const one = applyStatement(core, { kind: "forgetting", ids: ids.slice(1) }, stamp);
  assert.deepEqual([one.operation, one.core.human.length], ["DELETE", 1]);
  assert.equal(applyStatement(core, { kind: "forgetting", ids: ["m-gone"] }, stamp).operation, "NOOP");
  assert.deepEqual(applyStatement(core, { kind: "forgetting", ids }, stamp).core.human, []);
});

test("a change that was overtaken is not undone, and says why", () => {
  const first = applyStatement(NO_CORE, say("Name: Lan", { key: "name" }), stampOf(1));
  const second = applyStatement(first.core, say("Name: Minh", { key: "name" }), stampOf(2));
  assert.deepEqual(undoEdits(second.core, first.edits), { ok: false, reason: "it was changed since" });
  const gone = applyStatement(first.core, { kind: "forgetting", ids: first.core.human.map(({ id }) => id) }, stamp);
  const other = applyStatement(gone.core, say("Name: Hoa", { key: "name" }), stampOf(3));
  assert.deepEqual(undoEdits(other.core, gone.edits), { ok: false, reason: "another entry has taken its place" });
  const fill = (core: CoreMemory, index: number) =>
    applyStatement(core, say(`Fact${index} ${"x".repeat(100)}`, { category: "fact" }), stampOf(100 + index)).core;
  const long = applyStatement(NO_CORE, say("z".repeat(390)), stampOf(4));
  const dropped = applyStatement(long.core, { kind: "forgetting", ids: long.core.human.map(({ id }) => id) }, stamp);
  const full = Array.from({ length: 100 }, (_, index) => index).reduce(fill, dropped.core);
  assert.deepEqual(undoEdits(full, dropped.edits), { ok: false, reason: "core memory has no room for it" });
});

test("all entries can be replaced, and that can be undone too", () => {
  fc.assert(
    fc.property(fc.array(STATEMENT, { maxLength: 12 }), fc.array(STATEMENT, { maxLength: 12 }), (one, other) => {
      const [core, next] = [tell(one), tell(other)];
      const edits = replaceAll(core, next);
      assert.deepEqual(applyEdits(core, edits), next);
      assert.deepEqual(undoEdits(next, edits), { ok: true, core });
    }),
    RUNS,
  );
});
