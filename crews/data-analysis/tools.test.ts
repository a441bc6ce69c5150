/** Results of the analysts' tools for the bundled file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { DEFAULT_SETTINGS } from "@baton/core/ports";
import { callTool, refusedPaths, toolOf } from "@baton/core/testing";
import { numbers, parseCsv, series } from "./table.ts";
import tools from "./tools.ts";

const call = (name: string, args: Json = {}) => callTool(toolOf(tools, name), args);

const SOUTH = { column: "shop", value: "south" };
const NORTH = { column: "shop", value: "north" };

test("a dataset is described column by column, short enough for a model to read", async () => {
  const description = await call("AnalyzeDataset");
  assert.partialDeepStrictEqual(description, {
    rows: 48,
    columns: [
      { column: "month", kind: "text", distinct: 24 },
      { column: "shop", kind: "text", distinct: 2, examples: ["north", "south"] },
      { column: "visitors", kind: "number" },
    ],
  });
  assert.ok(JSON.stringify(description).length <= DEFAULT_SETTINGS.maxOutputChars);
});

test("north rises, and south shows no clear trend", async () => {
  assert.partialDeepStrictEqual(await call("IdentifyTrends", { column: "revenue_usd", where: NORTH }), {
    steps: 24,
    direction: "rising",
    change_per_step: 32.51,
  });
  assert.partialDeepStrictEqual(await call("IdentifyTrends", { column: "revenue_usd", where: SOUTH }), {
    direction: "no clear trend",
  });
});

test("two shops are compared", async () => {
  const args = { column: "revenue_usd", group_by: "shop", first: "north", second: "south" };
  assert.partialDeepStrictEqual(await call("CompareSets", args), {
    first: { count: 24, mean: 3464 },
    second: { count: 24, mean: 2311 },
    difference: 1153,
  });
});

test("the spoiled month is found by both methods", async () => {
  for (const method of ["zscore", "iqr"]) {
    assert.partialDeepStrictEqual(await call("DetectAnomalies", { column: "revenue_usd", method, where: SOUTH }), {
      found: 1,
      anomalies: [{ row: { month: "2024-03", shop: "south" }, value: 834.17 }],
    });
  }
});

test("correlation and projection carry their uncertainty", async () => {
  const correlation = await call("CalculateCorrelation", { first: "visitors", second: "units" });
  assert.partialDeepStrictEqual(correlation, { count: 48, r: 0.9064, strength: "strong" });
  assert.partialDeepStrictEqual(await call("ProjectTrend", { column: "revenue_usd", steps: 2, where: NORTH }), {
    projection: [
      { steps_ahead: 1, value: 3870, range: [3458, 4282] },
      { steps_ahead: 2, value: 3902, range: [3486, 4319] },
    ],
  });
});

test("names that are not there are refused with those that are", async () => {
  await assert.rejects(call("AnalyzeDataset", { dataset: "../crew" }), { kind: "validation", message: /bakery/ });
  await assert.rejects(call("IdentifyTrends", { column: "profit" }), { kind: "validation", message: /revenue_usd/ });
  await assert.rejects(call("IdentifyTrends", { column: "month" }), { message: /not a column of numbers/ });
  const west = { column: "shop", value: "west" };
  await assert.rejects(call("IdentifyTrends", { column: "units", where: west }), { message: /north, south/ });
  assert.deepEqual(await refusedPaths(toolOf(tools, "ProjectTrend"), { column: "units", steps: 13 }), ["steps"]);
});

test("a series is the mean for each label, in the order of the file", () => {
  const table = parseCsv("day,shop,sold\r\nMon,a,2\r\nMon,b,4\r\nTue,a,6\r\n");
  assert.deepEqual(series(table, "sold"), [
    { label: "Mon", value: 3 },
    { label: "Tue", value: 6 },
  ]);
  assert.deepEqual(numbers(table, "sold", { column: "shop", value: "a" }), [2, 6]);
});

test("a line with a missing cell is named", () => {
  assert.throws(() => parseCsv("a,b\n1,2\n3\n"), { message: /line 3 has 1 cells/ });
});
