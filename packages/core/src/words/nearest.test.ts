import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { nearest, nearestWithin } from "./nearest.ts";

const KNOWN = ["system_prompt", "handoff_targets", "temperature", "tools", "id"];

suite("the nearest known name", () => {
  test("is found through a missing, doubled, wrong or swapped letter, and through case", () => {
    assert.equal(nearest("system_promt", KNOWN), "system_prompt");
    assert.equal(nearest("systemPrompt", KNOWN), "system_prompt");
    assert.equal(nearest("toools", KNOWN), "tools");
    assert.equal(nearest("tmeperature", KNOWN), "temperature");
    assert.equal(nearest("tolos", KNOWN), "tools");
    assert.equal(nearest("ID", KNOWN), "id");
  });

  test("is the closest one, not the first that is close", () => {
    assert.equal(nearest("teacher", ["reacher", "teacher_", "preacher"]), "reacher");
    assert.equal(nearest("agent_12", ["agent_34", "agent_13"]), "agent_13");
  });

  test("is none where nothing is close, or the name is too short to tell", () => {
    assert.equal(nearest("quite_else", KNOWN), undefined);
    assert.equal(nearest("x", ["y", "z"]), undefined);
    assert.equal(nearest("", KNOWN), undefined);
  });

  test("is not looked for among names of any length", () => {
    assert.equal(nearest("x".repeat(100_000), ["x".repeat(100_000)]), undefined);
  });

  test("is not looked for beyond the first thousand names", () => {
    const others = Array.from({ length: 1_000 }, (_, index) => `other_name_${index}`);
    assert.equal(nearest("tool", [...others.slice(1), "tools"]), "tools");
    assert.equal(nearest("tool", [...others, "tools"]), undefined);
  });

  test("is no longer looked for once enough were asked", () => {
    const bounded = nearestWithin(2);
    const answers = ["tool", "tool", "tool"].map((name) => bounded(name, KNOWN));
    assert.deepEqual(answers, ["tools", "tools", undefined]);
  });
});
