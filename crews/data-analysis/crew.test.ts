/** A question and a task by the script: who works, and with which tools. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

test("a question goes from the data to the statistics to the advice", async () => {
  const input = "How are our two shops doing, and what should we do?";
  const { events, outcome } = await play(crew, script, { input });
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["researcher", "analyst", "synthesiser"],
  );
  assert.deepEqual(
    of(events, "call.started").map(({ agent, tool }) => `${agent} ${tool}`),
    [
      "researcher AnalyzeDataset",
      "researcher DetectAnomalies",
      "researcher DetectAnomalies",
      "researcher DetectAnomalies",
      "analyst IdentifyTrends",
      "analyst IdentifyTrends",
      "analyst CompareSets",
      "analyst CalculateCorrelation",
      "analyst ProjectTrend",
    ],
  );
  assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
  assert.equal(outcome, "done");
});

test("the task forecast starts at the analyst, with its description before the input", async () => {
  const start = { task: "forecast", input: "revenue_usd" };
  const { events, outcome, content } = await play(crew, script, start);
  assert.match(of(events, "run.started")[0]?.input ?? "", /^Project the column .*\n\nrevenue_usd$/s);
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["analyst", "synthesiser"],
  );
  assert.deepEqual(
    of(events, "call.started").map(({ tool }) => tool),
    ["ProjectTrend", "ProjectTrend", "DetectAnomalies"],
  );
  assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
  assert.equal(outcome, "done");
  assert.match(content, /about 3,900 USD a month from north and 2,500 from south/);
});
