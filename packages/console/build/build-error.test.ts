import assert from "node:assert/strict";
import { test } from "node:test";
import { toBuildError } from "./build-error.ts";

test("an error of the bundler becomes one line without colours, not too long, with the original as its cause", () => {
  const error = new Error(
    "Build failed with 1 error:\n\n\u001b[31m[PARSE_ERROR]\u001b[0m Unexpected token\n   \u001b[38;5;246m╭─[\u001b[0m src/main.tsx:3:1 ]\n",
  );
  const built = toBuildError(error);
  assert.equal(built.message, "Build failed with 1 error: [PARSE_ERROR] Unexpected token ╭─[ src/main.tsx:3:1 ]");
  assert.equal(built.cause, error);
  assert.equal(toBuildError(new Error("x".repeat(9_000))).message.length, 501);
  assert.equal(toBuildError("no error\nat all").message, "no error at all");
});
