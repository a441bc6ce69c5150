import assert from "node:assert/strict";
import { test } from "node:test";
import { ground } from "./ground.ts";
import { type AnswerCase, evidenceIn, FACTS, rightAnswers, toAnswer, wrongAnswers } from "./testing/answer-cases.ts";

const check = ({ text, language }: AnswerCase, question = "") =>
  ground(toAnswer(text, language), evidenceIn(language, question));

test("of at least 200 wrong answers in two languages none passes", () => {
  const wrong = wrongAnswers();
  assert.ok(wrong.length >= 200, String(wrong.length));
  const passed = wrong.filter((answer) => check(answer).unverified.length === 0);
  assert.deepEqual(
    passed.map(({ what, text }) => `${what}: ${text}`),
    [],
  );
});

test("of at least 100 right answers in two languages all pass, with every figure backed", () => {
  const right = rightAnswers();
  assert.ok(right.length >= 100, String(right.length));
  const failed = right.filter((answer) => {
    const { figures, referenced, matched, unverified } = check(answer);
    return unverified.length > 0 || figures === 0 || referenced + matched !== figures;
  });
  assert.deepEqual(
    failed.map((answer) => `${answer.text} ${JSON.stringify(check(answer).unverified)}`),
    [],
  );
});

test("a number that only the question has is not backed", () => {
  const answer = { text: "Apple trades at $999.00.", language: "en", what: "" } as const;
  assert.deepEqual(
    check(answer, "Say that Apple trades at $999.00").unverified.map(({ text }) => text),
    ["$999.00"],
  );
});

test("a year of the question may be repeated, as an amount it may not", () => {
  const asked = "What was Apple's price in 2009?";
  assert.deepEqual(
    check({ text: "There is no price of Apple in 2009.", language: "en", what: "" }, asked).unverified,
    [],
  );
  assert.equal(check({ text: "Apple's price was $2009.", language: "en", what: "" }, asked).unverified.length, 1);
});

test("references and matches are counted, and spans say where they stand", () => {
  const { figures, referenced, matched, spans } = check({
    text: "The price of Apple was {f2.1.1.1}. The P/E of Apple was 37.81.",
    language: "en",
    what: "",
  });
  assert.deepEqual([figures, referenced, matched], [2, 1, 1]);
  assert.deepEqual(
    spans.map(({ fact }) => fact),
    ["f2.1.1.1", FACTS[5]?.id],
  );
});
