import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { toQuotedWord, toShellWord } from "./shell-word.ts";

test("a shell reads a word back as it was, whatever it holds", { skip: process.platform === "win32" }, () => {
  const words = [
    "crews/hello",
    "My computer is slow",
    `It's "slow" $(id) \`id\` $HOME \\n`,
    "Hello!",
    "chậm lắm",
    "a'b",
  ];
  for (const quote of [toShellWord, toQuotedWord]) {
    const told = execFileSync("sh", ["-c", `printf '%s\\n' ${words.map(quote).join(" ")}`], { encoding: "utf8" });
    assert.deepEqual(told.trimEnd().split("\n"), words);
  }
});

test("a plain word has no quotes, and a sentence has double ones", () => {
  assert.deepEqual(["crews/hello", "two words"].map(toShellWord), ["crews/hello", '"two words"']);
  assert.equal(toQuotedWord("JSON"), "'JSON'");
});
