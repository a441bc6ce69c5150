import assert from "node:assert/strict";
import { test } from "node:test";
import { isScripted, modelsOf, toSentences } from "./model-words.ts";

test("what the server says of its models is told sentence by sentence", () => {
  assert.deepEqual(toSentences("model script (a, b); model openai/gpt (c);"), [
    "model script (a, b)",
    "model openai/gpt (c)",
  ]);
  assert.deepEqual(toSentences(""), []);
});

test("scripts and offline rules are not a language model", () => {
  assert.ok(isScripted("Offline rules, no key needed"));
  assert.ok(isScripted("model script: scripts/happy.yaml (hello)"));
  assert.ok(!isScripted("model openai/gpt-5-mini: OPENAI_API_KEY is set (hello)"));
});

test("a crew's models are those of its sentences, and scripts are none of them", () => {
  const said = "model openai/gpt-5-mini: OPENAI_API_KEY is set (hello, desk); model script: the crew brings one (quiz)";
  assert.deepEqual(modelsOf(said, "desk"), ["openai/gpt-5-mini"]);
  assert.deepEqual(modelsOf(said, "quiz"), []);
  assert.deepEqual(modelsOf(said, "another"), ["openai/gpt-5-mini"]);
  assert.deepEqual(modelsOf("model code/offline: no key (planner, writer) (finance)", "finance"), []);
  assert.deepEqual(modelsOf("a model of my own", "x"), ["a model of my own"]);
});
