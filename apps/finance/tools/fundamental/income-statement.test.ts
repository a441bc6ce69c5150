/** The three statements in one call. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@baton/core/util";
import { FULL_MARKET } from "../testing/full-market.ts";
import { call, toolOf } from "../testing/tool-calls.ts";
import { createTools } from "../catalogue.ts";

test("all three statements are shown in part, and a change of a balance is not taken for the balance", async () => {
  const tool = toolOf(createTools(FULL_MARKET), "getIncomeStatement");
  const { output, facts } = await call(tool, { symbol: "ACME", statement: "all", limit: 5 });
  const digest = tool.digest?.(parseJson(JSON.stringify(output)) ?? {}, { call: "1.1.1" }) ?? "";
  for (const line of ["revenue: ", "total assets: ", "operating cash flow: ", "capital expenditure: "]) {
    assert.ok(digest.includes(`\n${line}`), `${line} of ${digest}`);
  }
  const newest = facts.filter(({ period }) => period?.end === "2024-12-31");
  const of = (metric: string) => newest.filter((fact) => fact.metric === metric).map(({ value }) => value);
  const [balance, change] = [of("inventory"), of("change in inventory")];
  assert.deepEqual([balance.length, change.length], [1, 1]);
  assert.notEqual(balance[0], change[0]);
});
