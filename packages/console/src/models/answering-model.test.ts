import assert from "node:assert/strict";
import { test } from "node:test";
import { answeringModelOf, isScripted, toSentences } from "./answering-model.ts";

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

test("a crew is answered by the models of its sentences, or by a script, or by rules", () => {
  const said = "model openai/gpt-5-mini: OPENAI_API_KEY is set (hello, desk); model script: the crew brings one (quiz)";
  assert.deepEqual(answeringModelOf(said, "desk"), { kind: "models", names: ["openai/gpt-5-mini"] });
  assert.deepEqual(answeringModelOf(said, "quiz"), { kind: "script" });
  assert.deepEqual(answeringModelOf(said, "another"), { kind: "models", names: ["openai/gpt-5-mini"] });
  assert.deepEqual(answeringModelOf("model code/offline: no key (planner, writer) (finance)", "finance"), {
    kind: "offline",
  });
  assert.deepEqual(answeringModelOf("offline rules, no key needed", "x"), { kind: "offline" });
  assert.deepEqual(answeringModelOf("a model of my own", "x"), { kind: "models", names: ["a model of my own"] });
});
