import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, Engine, scriptModel } from "@baton/core";
import { observeAll, toLines } from "./testing/observed-runs.ts";

test("a conversation that was trimmed or summed up is counted, with the tokens that this saved", async () => {
  const stamp = { run: "r1", at: 1, lane: "", agent: "a" } as const;
  const trimmed = { step: "1.1", dropped: 3, tokensBefore: 500, tokensAfter: 400 };
  const data = { tokens_before: 120_000, tokens_after: 9_000 };
  const { observer } = observeAll([
    { ...stamp, seq: 1, type: "history.trimmed", ...trimmed },
    { ...stamp, seq: 2, type: "note.made", kind: "compaction", of: "1.1", data },
    { ...stamp, seq: 3, type: "note.made", kind: "chart", of: "1.1", data },
  ]);
  const json = await observer.metricsJson();
  const lines = toLines(json).filter((line) => line.startsWith("baton_compaction"));
  assert.deepEqual(lines.toSorted(), ["baton_compaction_saved_tokens_total 111100", "baton_compactions_total 2"]);
  observer.close();
});

test("agents that are called as tools, items of maps and waits for caps are counted by how they ended", async () => {
  const crew = defineCrew({
    name: "parts",
    agents: [
      {
        id: "head",
        tools: [{ agent: "helper" }],
        output: { type: "object", properties: { go: { type: "boolean" }, of: { type: "array" } } },
      },
      { id: "helper" },
      { id: "checker" },
      { id: "last", isTerminal: true },
    ],
    groups: { checks: { map: "checker", over: "output.of", nextAgent: "last" } },
    signals: { head: [{ when: { go: true }, target: "checks" }] },
  });
  const model = scriptModel({
    head: [
      { call: [{ tool: "helper", args: { input: "a" } }] },
      { call: [{ tool: "helper", args: { input: "fail" } }] },
      { say: '{"go":true,"of":["one","two","fail"]}' },
    ],
    helper: [{ when: "fail", fail: "broken" }, { say: "helped" }],
    checker: [{ when: "fail", fail: "broken" }, { say: "checked" }],
    last: [{ say: "Done." }],
  });
  await using engine = new Engine({ model: () => model });
  const run = engine.start(crew, { input: "go" });
  const events = await Array.fromAsync(run.events());
  const stamp = { run: run.id, seq: 1, at: 1, lane: "", agent: "head", of: "1.1" } as const;
  const wait = { ...stamp, type: "limit.waiting", limit: "max_calls_per_minute", delayMs: 10 } as const;
  const { observer } = observeAll([...events.slice(0, 3), wait, ...events.slice(3)], { crews: [{ crew }] });
  const lines = toLines(await observer.metricsJson());
  assert.deepEqual(lines.filter((line) => /^baton_(?:child|map|limit)_/.test(line)).toSorted(), [
    'baton_child_lanes_total{status="error",tool="helper"} 1',
    'baton_child_lanes_total{status="success",tool="helper"} 1',
    'baton_limit_waits_total{limit="max_calls_per_minute"} 1',
    'baton_map_items_total{status="error"} 1',
    'baton_map_items_total{status="success"} 2',
  ]);
  observer.close();
});
