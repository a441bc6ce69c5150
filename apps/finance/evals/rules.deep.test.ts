import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SystemClock } from "@baton/core/ports";
import { inSlice } from "@baton/core/testing";
import { openEvalHarness } from "./eval-harness.ts";
import { toMetrics } from "./metrics.ts";
import { QUESTIONS } from "./questions/index.ts";
import { missesOf, THRESHOLDS, toRulesTable } from "./rules-report.ts";
import { type TrackAnswer, answerAll, seedOf } from "./rules-track.ts";

/** Thresholds are of all questions together; a slice has no questions that the day makes. */
const IS_WHOLE = inSlice(QUESTIONS).length === QUESTIONS.length;

describe("the assistant without a model", () => {
  const seed = seedOf(new SystemClock().now());
  const harness = openEvalHarness();
  let answers: readonly TrackAnswer[] = [];
  before(async () => {
    answers = await answerAll(await harness, seed, (asked) =>
      inSlice(asked.filter(({ part }) => IS_WHOLE || part !== "made")),
    );
    console.log(`seed of the questions that were made: ${seed}\n${toRulesTable(answers)}`);
  });
  after(async () => (await harness)[Symbol.asyncDispose]());

  for (const [name, least] of IS_WHOLE ? Object.entries(THRESHOLDS) : []) {
    test(`reaches ${least} in ${name}`, () => {
      const reached =
        new Map<string, number>(Object.entries(toMetrics(answers.map(({ marks }) => marks)))).get(name) ?? 0;
      const misses = answers
        .filter(({ part }) => part !== "held")
        .flatMap((answer) => missesOf(answer).map((miss) => `${answer.question.id}: ${miss}`));
      assert.ok(reached >= least, `${name} is ${reached.toFixed(3)}\n${misses.slice(0, 60).join("\n")}`);
    });
  }

  test("every run ends with an answer", () => {
    const silent = answers.filter(({ observed }) => observed.outcome !== "done" || observed.text.trim() === "");
    assert.deepEqual(
      silent.map(({ question }) => question.id),
      [],
    );
  });

  test("an answer without data says so", () => {
    const dishonest = answers.filter(({ marks }) => marks.honest === false);
    assert.deepEqual(
      dishonest.map(({ question }) => question.id),
      [],
    );
  });

  test("no model is called", () => {
    assert.ok(answers.every(({ observed }) => observed.modelCalls === 0));
  });
});
