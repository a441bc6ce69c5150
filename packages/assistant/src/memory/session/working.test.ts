import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  addWorking,
  cleanWorking,
  NO_WORKING,
  PRIORITIES,
  WORKING_KINDS,
  WORKING_TOKENS,
  type WorkingMemory,
  workingTokens,
} from "./working.ts";

/** To play a failure again: BATON_SEED=N */
const SEED = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);

const ENTRY = fc.record({
  kind: fc.constantFrom(...WORKING_KINDS),
  text: fc.integer({ min: 1, max: 8_000 }).map((length) => "w".repeat(length)),
  priority: fc.constantFrom(...PRIORITIES, "critical" as const, "critical" as const),
});
const CALL = fc.record({
  run: fc.constantFrom("r1", "r2", "r3"),
  entries: fc.array(ENTRY, { maxLength: 6 }),
  symbols: fc.array(fc.constantFrom("A", "B", "C", "D"), { maxLength: 3 }),
});

test("8,000 tokens are never passed, and what is critical stays", (t) => {
  t.diagnostic(`seed ${SEED}`);
  fc.assert(
    fc.property(fc.array(CALL, { maxLength: 20 }), (calls) => {
      let memory: WorkingMemory = NO_WORKING;
      for (const [call, { run, entries, symbols }] of calls.entries()) {
        const critical = memory.entries.filter(({ priority }) => priority === "critical");
        const named = entries.map((entry, index) => ({ ...entry, id: `${call}/${index}` }));
        const added = addWorking(memory, { run, entries: named, symbols });
        assert.deepEqual(
          addWorking(added.memory, { run, entries: named, symbols }).memory.symbols,
          added.memory.symbols,
        );
        memory = added.memory;
        assert.ok(workingTokens(memory.entries) <= WORKING_TOKENS);
        for (const entry of critical) assert.ok(memory.entries.includes(entry));
        assert.equal(added.leftOut, named.filter(({ id }) => !memory.entries.some((entry) => entry.id === id)).length);
      }
    }),
    { seed: SEED, numRuns: 100 },
  );
});

type Part = Readonly<{ symbols?: readonly string[]; texts?: readonly (readonly [string, "low" | "high"])[] }>;

const add = (memory: WorkingMemory, run: string, { symbols = [], texts = [] }: Part) =>
  addWorking(memory, {
    run,
    symbols,
    entries: texts.map(([text, priority], index) => ({ id: `${run}/${index}`, kind: "query_context", text, priority })),
  }).memory;

test("what matters least goes first, and the oldest of that first", () => {
  const big = (letter: string) => letter.repeat(12_000);
  const texts = [[big("a"), "low"] as const, [big("b"), "high"] as const];
  const first = add(NO_WORKING, "r1", { texts });
  const memory = add(first, "r2", { texts: [[big("c"), "low"]] });
  assert.deepEqual(
    memory.entries.map(({ text }) => text[0]),
    ["b", "c"],
  );
});

test("symbols stay for five turns after they were last named", () => {
  let memory = add(NO_WORKING, "r1", { symbols: ["A"] });
  const seen: (readonly string[])[] = [];
  for (let turn = 2; turn <= 6; turn += 1) {
    memory = add(memory, `r${turn}`, { symbols: turn === 3 ? ["B"] : [] });
    seen.push(memory.symbols.map(({ symbol }) => symbol));
  }
  assert.deepEqual(seen, [["A"], ["B", "A"], ["B", "A"], ["B", "A"], ["B"]]);
});

test("the next request does not see what belonged to the one before, but for what is critical", () => {
  const entries = (["task_plan", "tool_output", "user_context", "query_context", "error"] as const).map((kind) => ({
    id: kind,
    kind,
    text: kind,
    priority: "medium" as const,
  }));
  const critical = { id: "c", kind: "reasoning", text: "c", priority: "critical" } as const;
  const { memory } = addWorking(NO_WORKING, { run: "r1", symbols: ["A"], entries: [...entries, critical] });
  assert.equal(cleanWorking(memory, "r1").entries.length, 6);
  const kinds = ["user_context", "query_context", "reasoning"];
  assert.deepEqual(
    cleanWorking(memory, "r2").entries.map(({ kind }) => kind),
    kinds,
  );
  assert.deepEqual(
    addWorking(memory, { run: "r2", symbols: [], entries: [] }).memory.entries.map(({ kind }) => kind),
    kinds,
  );
});
