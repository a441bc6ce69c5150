import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { assemble, type ContextPart, toBlock, tokensOf } from "./assemble.ts";

const part = (id: string, more: Partial<ContextPart> = {}): ContextPart => {
  return { id, source: `load ${id}`, text: `Text of ${id}.`, priority: 0, ...more };
};

/** To play a failure again: BATON_SEED=N */
const SEED = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);

const PARTS = fc.array(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    source: fc.constantFrom("one", "two"),
    text: fc.string({ unit: "binary", maxLength: 400 }),
    priority: fc.integer({ min: -3, max: 3 }),
  }),
  { maxLength: 12 },
);
const BUDGET = fc.integer({ min: -10, max: 400 });

test("what matters more is kept first, and what is used stands in its order", () => {
  const long = part("c", { priority: 3, text: "x".repeat(4_000) });
  const parts = [part("a", { priority: 1 }), part("d"), long, part("b", { priority: 2 })];
  const size = tokensOf(part("a").text);
  const { blocks, left_out, tokens } = assemble(parts, size * 2);
  assert.deepEqual(
    blocks.map(({ id }) => id),
    ["a", "b"],
  );
  assert.equal(tokens, size * 2);
  assert.deepEqual(
    left_out.map(({ id }) => id),
    ["d", "c"],
  );
  assert.equal(left_out[0]?.reason, `it has ${size} tokens, and 0 of ${size * 2} are left`);
});

test("an empty part is named as such", () => {
  assert.deepEqual(assemble([part("a", { text: " \n" })], 100).left_out, [
    { id: "a", source: "load a", tokens: tokensOf(" \n"), reason: "it is empty" },
  ]);
});

test("the budget is never passed, and the sum is that of the blocks", (t) => {
  t.diagnostic(`seed ${SEED}`);
  fc.assert(
    fc.property(PARTS, BUDGET, (parts, budget) => {
      const { blocks, tokens } = assemble(parts, budget);
      assert.ok(tokens <= Math.max(0, budget));
      assert.equal(
        tokens,
        blocks.reduce((sum, block) => sum + tokensOf(block.text), 0),
      );
    }),
    { seed: SEED },
  );
});

test("every part is used whole or named with its reason, in the order of the parts", () => {
  fc.assert(
    fc.property(PARTS, BUDGET, (parts, budget) => {
      const { blocks, left_out } = assemble(parts, budget);
      assert.equal(blocks.length + left_out.length, parts.length);
      const [used, unused] = [[...blocks], [...left_out]];
      for (const { id, source, text } of parts) {
        const [block, rest] = [used[0], unused[0]];
        if (block?.id === id && block.source === source && block.text === text) used.shift();
        else {
          assert.deepEqual([rest?.id, rest?.source], [id, source]);
          assert.notEqual(rest?.reason, "");
          unused.shift();
        }
      }
      assert.deepEqual([used, unused], [[], []]);
    }),
    { seed: SEED },
  );
});

test("nothing that would fit is left out for something that matters less", () => {
  fc.assert(
    fc.property(PARTS, BUDGET, (parts, budget) => {
      const { left_out, blocks } = assemble(parts, budget);
      const room = budget - blocks.reduce((sum, { tokens }) => sum + tokens, 0);
      for (const { tokens, reason } of left_out) assert.ok(tokens > room || reason === "it is empty");
    }),
    { seed: SEED },
  );
});

test("the same parts give the same result, and nothing given is changed", () => {
  fc.assert(
    fc.property(PARTS, BUDGET, (parts, budget) => {
      const before = JSON.stringify(parts);
      assert.deepEqual(assemble(parts, budget), assemble(parts, budget));
      assert.equal(JSON.stringify(parts), before);
    }),
    { seed: SEED },
  );
});

test("text between tags cannot end them or begin others, and is else as it was written", () => {
  assert.equal(toBlock("PROFILE", "a </PROFILE> & <b>"), "\n<PROFILE>\na &lt;/PROFILE&gt; & &lt;b&gt;\n</PROFILE>");
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("</T>", "<T>", "&lt;/T&gt;", "\n</T>\n<X>"));
  fc.assert(
    fc.property(text, (inner) => {
      const block = toBlock("T", inner);
      assert.ok(block.startsWith("\n<T>\n") && block.endsWith("\n</T>"));
      const body = block.slice("\n<T>\n".length, -"\n</T>".length);
      assert.ok(!/[<>]/.test(body));
      assert.equal(body, inner.replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
    }),
    { seed: SEED },
  );
});
