import assert from "node:assert/strict";
import { test } from "node:test";
import { ground } from "./ground.ts";
import { type AnswerCase, evidenceIn, FACTS, rightAnswers, toAnswer, wrongAnswers } from "./testing/answer-cases.ts";

const check = ({ text, language }: AnswerCase, said: readonly string[] = []) =>
  ground(toAnswer(text, language), evidenceIn(language, said));

test("of at least 100 wrong answers with typed numbers in two languages none passes", () => {
  const wrong = wrongAnswers().filter(({ text }) => !/\{f\d/.test(text));
  assert.ok(wrong.length >= 100, String(wrong.length));
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

test("a number that the user wrote may be repeated, and is neither a fact nor unverified", () => {
  const answer = { text: "You bought Apple at $999.00.", language: "en", what: "" } as const;
  const { quoted, matched, unverified } = check(answer, ["I bought Apple at 999"]);
  assert.deepEqual([quoted, matched, unverified], [1, 0, []]);
  assert.equal(check(answer).unverified.length, 1);
});

test("years, dates, ordinals, list numbers, counts, names and parameters need no fact", () => {
  for (const text of [
    "There is no price of Apple in 2009.",
    "On 22 November 2024, at 16:30, 22/11/2024 and 2024-11-22.",
    "| Price (22 November 2024) | November 22, 2024 |",
    "1. Apple is the 2nd of 3 companies [1].",
    "The grounding of the 737 MAX.",
    "The S&P 500 and the RSI(14), above 70, of the last 12 months.",
  ]) {
    assert.deepEqual(check({ text, language: "en", what: "" }).unverified, [], text);
  }
});

test("the case that a figure is of needs no fact: a percentage in the name of its metric", () => {
  const [first] = FACTS;
  assert.ok(first !== undefined);
  const evidence = evidenceIn("en", []);
  const shock = { ...first, id: "f9.1.1.1", metric: "effect of KO -20 %", value: -5, unit: "percent" as const };
  const answer = toAnswer("A fall of 20 % would have cost you {f9.1.1.1}; one of 30 % more.", "en");
  const { unverified } = ground(answer, { ...evidence, facts: [...evidence.facts, shock] });
  assert.deepEqual(
    unverified.map(({ text }) => text).filter((text) => text.includes("%")),
    ["30 %"],
  );
});

test("a small number beside a metric's name is that metric's value", () => {
  const { unverified } = check({ text: "The P/E of Apple is 12.", language: "en", what: "" });
  assert.deepEqual(
    unverified.map(({ text }) => text),
    ["12"],
  );
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
