import assert from "node:assert/strict";
import { test } from "node:test";
import { openToolIndex } from "@baton/assistant";
import { createCatalogue } from "./catalogue.ts";
import { HELD_OUT, TUNED } from "./testing/needs.ts";
import { stubMarket } from "./testing/stub-market.ts";

/** Agents are not offered what only programs load. */
const CATALOGUE = createCatalogue(stubMarket({})).filter(({ tool }) => !tool.name.startsWith("load"));
const TOP = 5;
const LEAST_RECALL = 0.95;

const find = openToolIndex(
  CATALOGUE.map(({ tool: { name, description }, phrases }) => ({ name, description, phrases })),
);

const toPairs = (needs: typeof TUNED) => needs.flatMap(([tool, ...texts]) => texts.map((need) => ({ tool, need })));

/** The needs whose tool is not among the first five, with what is. */
function missesOf(needs: typeof TUNED): readonly string[] {
  return toPairs(needs).flatMap(({ tool, need }) => {
    const found = find(need, { topK: TOP }).map(({ name }) => name);
    return found.includes(tool) ? [] : [`${need} → ${tool}, found ${found.join(" ")}`];
  });
}

const VIETNAMESE = /[ăâđêôơưáàảãạấầẩẫậắằẳẵặéèẻẽẹếềểễệíìỉĩịóòỏõọốồổỗộớờởỡợúùủũụứừửữựýỳỷỹỵ]/i;

test("there are at least 150 needs, for every tool, a third of them Vietnamese, and none is a phrase of a tool", () => {
  const all = [...toPairs(TUNED), ...toPairs(HELD_OUT)];
  assert.ok(all.length >= 150, `${all.length}`);
  assert.equal(new Set(all.map(({ need }) => need)).size, all.length);
  assert.deepEqual(new Set(all.map(({ tool }) => tool)), new Set(CATALOGUE.map(({ tool: { name } }) => name)));
  const marked = all.filter(({ need }) => VIETNAMESE.test(need)).length;
  assert.ok(marked >= all.length / 5, `${marked} with diacritics`);
  const phrases = new Set(CATALOGUE.flatMap((entry) => entry.phrases.map((phrase) => phrase.toLowerCase())));
  assert.deepEqual(
    all.filter(({ need }) => phrases.has(need.toLowerCase())),
    [],
  );
});

for (const [half, needs] of [
  ["known", TUNED],
  ["held-out", HELD_OUT],
] as const) {
  test(`of the ${half} needs at least 95 % find their tool among the first five`, (t) => {
    const misses = missesOf(needs);
    const recall = 1 - misses.length / toPairs(needs).length;
    t.diagnostic(`recall at ${TOP}: ${recall.toFixed(3)} of ${toPairs(needs).length}`);
    assert.ok(recall >= LEAST_RECALL, `recall ${recall.toFixed(3)}:\n${misses.join("\n")}`);
  });
}
