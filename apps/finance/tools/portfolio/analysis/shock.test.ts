import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { allEffects, effectsOf, totalOf } from "./shock.ts";

const EXPOSED = [
  { symbol: "NVDA", value: 1_000 },
  { symbol: "KO", value: 3_000 },
];

test("a holding that moves changes by itself alone", () => {
  const effects = effectsOf(EXPOSED, { symbol: "NVDA", percent: -20 });
  assert.deepEqual(
    [...effects],
    [
      ["NVDA", -200],
      ["KO", 0],
    ],
  );
});

test("an index moves each holding by its beta; one without a beta is absent, and nothing loses more than all", () => {
  const betas = new Map([["NVDA", 3]]);
  assert.deepEqual([...effectsOf(EXPOSED, { symbol: "^GSPC", percent: -10, betas })], [["NVDA", -300]]);
  assert.deepEqual([...effectsOf(EXPOSED, { symbol: "^GSPC", percent: -50, betas })], [["NVDA", -1_000]]);
});

test("of several moves, a holding's own counts for it and the indices for the rest", () => {
  const betas = new Map([
    ["NVDA", 2],
    ["KO", 0.5],
  ]);
  const moves = [
    { symbol: "NVDA", percent: -20 },
    { symbol: "^GSPC", percent: -10, betas },
  ];
  assert.deepEqual(
    [...allEffects(EXPOSED, moves)],
    [
      ["NVDA", -200],
      ["KO", -150],
    ],
  );
});

test("of several moves, a holding without a beta to one of them is absent, not unchanged", () => {
  const moves = [
    { symbol: "NVDA", percent: -20 },
    { symbol: "^GSPC", percent: -10, betas: new Map<string, number>() },
  ];
  assert.deepEqual([...allEffects(EXPOSED, moves)], [["NVDA", -200]]);
});

test("effects grow with the move and never exceed what is held", () => {
  const exposed = fc.uniqueArray(
    fc.record({ symbol: fc.constantFrom("A", "B", "C"), value: fc.integer({ min: 1, max: 1e9 }) }),
    {
      minLength: 1,
      selector: ({ symbol }) => symbol,
    },
  );
  const betas = fc.array(fc.double({ min: -3, max: 5, noNaN: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(exposed, betas, fc.integer({ min: -100, max: 100 }), (held, [a = 0, b = 0, c = 0], percent) => {
      const map = new Map([
        ["A", a],
        ["B", b],
        ["C", c],
      ]);
      const loss = totalOf(effectsOf(held, { symbol: "^I", percent, betas: map }));
      assert.ok(loss >= -held.reduce((sum, { value }) => sum + value, 0) - 1e-6);
      const direct = totalOf(effectsOf(held, { symbol: held[0]?.symbol ?? "", percent }));
      assert.ok(Math.abs(direct - ((held[0]?.value ?? 0) * percent) / 100) < 1e-6);
    }),
    { seed: 14, numRuns: 300 },
  );
});
