import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { toSqliteError } from "./sqlite-error.ts";

test("a full disk is reported as that, however many layers pass the error on, and may pass", () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const told = toSqliteError(toSqliteError(full, "/x.db"), "/x.db");
  assert.ok(told instanceof BatonError);
  assert.deepEqual([told.code, told.retryable], ["busy", true]);
  assert.match(told.message, /^the store \/x\.db cannot be used now \(database or disk is full\)/);
});
