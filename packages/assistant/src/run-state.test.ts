import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { assistantState } from "./run-state.ts";

const read = (values: readonly (readonly [string, Json])[]) => ({ values: new Map(values) });

test("what a product or a tool has set wrongly gives no right: no question, no wish for a change", () => {
  assert.equal(assistantState.get(read([]), "question"), "");
  assert.equal(assistantState.get(read([["question", 7]]), "question"), "");
  assert.deepEqual(assistantState.get(read([["intent", "memory"]]), "intent"), { wants: [] });
  assert.deepEqual(assistantState.get(read([["intent", { wants: "memory" }]]), "intent"), { wants: [] });
  const intent = { wants: ["memory"], query_type: "personal" };
  assert.deepEqual(assistantState.get(read([["intent", intent]]), "intent"), { wants: ["memory"] });
});

test("a plan that does not fit is refused when it is set", () => {
  const tasks = [{ id: "a", title: "Look", tool: "getPrice", status: "pending" as const, depends_on: ["no id!"] }];
  assert.throws(() => assistantState.toSet({ "plan/own": { title: "Plan", tasks } }), { code: "invalid" });
});

test("no other file names a key of the state", () => {
  const KEYED = /(?:state|values)\.(?:get|set)\((?:["']|`[^$])/;
  const files = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: (path) => path.includes("testing") });
  const naming = files.filter((file) => {
    if (file.endsWith(".test.ts")) return false;
    return KEYED.test(readFileSync(join(import.meta.dirname, file), "utf8"));
  });
  assert.deepEqual(naming, []);
});
