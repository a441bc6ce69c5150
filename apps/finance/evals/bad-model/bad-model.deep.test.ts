/** Every bad case through the whole crew. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { BAD_CASES } from "./bad-cases.ts";
import { tryBad } from "./bad-track.ts";

for (const bad of inSlice(BAD_CASES)) {
  test(`${bad.id} ends ${bad.ends}: ${bad.writes[0].split("\n", 1)[0]}`, async () => {
    const { end, isCaught, observed } = await tryBad(bad);
    assert.ok(isCaught, `${end}: ${observed.text} ${JSON.stringify(observed.figures)} ${observed.warnings.join()}`);
  });
}

test("a model that does all things right is neither flagged nor asked again", async () => {
  const right = { id: "right", bad: "", ends: "flagged" } as const;
  for (const [question, text] of [
    ["RSI of Apple", "The RSI(14) of Apple is {AAPL RSI(14)}, between 30 and 70."],
    ["RSI của Apple", "Chỉ số RSI(14) của Apple là {AAPL RSI(14)}, nằm giữa 30 và 70."],
    ["income statement of Apple", "Apple's revenue was {AAPL revenue FY2016} in FY2016 and $233.7B in FY2015."],
  ] as const) {
    const { observed } = await tryBad({ ...right, question, writes: [text] });
    assert.deepEqual([observed.figures?.unverified, observed.restarts, observed.warnings], [[], 0, []], text);
  }
});
