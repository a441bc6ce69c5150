/** Many random histories, as every provider is sent them. */
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { checkHistories, MODELS } from "../testing/random-histories.ts";

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const CASES = MODELS.flatMap((model) => SEEDS.map((seed) => ({ model, seed })));

for (const { model, seed } of inSlice(CASES)) {
  test(`150 random histories are legal for ${model} (seed ${seed})`, () =>
    checkHistories(model, { numRuns: 150, seed }));
}
