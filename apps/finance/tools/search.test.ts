import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openToolIndex } from "@baton/assistant";
import { createCatalogue } from "./catalogue.ts";
import { stubMarket } from "./testing/stub-market.ts";

/** Agents are not offered what only programs load. */
const CATALOGUE = createCatalogue(stubMarket({})).filter(({ tool }) => !tool.name.startsWith("load"));
const TOP = 5;
const LEAST_RECALL = 0.95;

const find = openToolIndex(
  CATALOGUE.map(({ tool: { name, description }, phrases }) => ({ name, description, phrases })),
);

/**
 * What people ask for, in their own words, and the tool that answers it. A third is Vietnamese, some without diacritics,
 * some with typing errors. Phrases of tools are tuned on the first half alone; the second half is held out.
 */
function readNeeds(half: "tuned" | "held-out") {
  const text = readFileSync(join(import.meta.dirname, "testing", "fixtures", `needs-${half}.tsv`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([tool = "", need = ""]) => ({ tool, need }));
}
const [TUNED, HELD_OUT] = [readNeeds("tuned"), readNeeds("held-out")];

/** The needs whose tool is not among the first five, with what is. */
function missesOf(needs: typeof TUNED): readonly string[] {
  return needs.flatMap(({ tool, need }) => {
    const found = find(need, { topK: TOP }).map(({ name }) => name);
    return found.includes(tool) ? [] : [`${need} → ${tool}, found ${found.join(" ")}`];
  });
}

const VIETNAMESE = /[ăâđêôơưáàảãạấầẩẫậắằẳẵặéèẻẽẹếềểễệíìỉĩịóòỏõọốồổỗộớờởỡợúùủũụứừửữựýỳỷỹỵ]/i;

test("there are at least 150 needs, for every tool, a third of them Vietnamese, and none is a phrase of a tool", () => {
  const all = [...TUNED, ...HELD_OUT];
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
    const recall = 1 - misses.length / needs.length;
    t.diagnostic(`recall at ${TOP}: ${recall.toFixed(3)} of ${needs.length}`);
    assert.ok(recall >= LEAST_RECALL, `recall ${recall.toFixed(3)}:\n${misses.join("\n")}`);
  });
}
