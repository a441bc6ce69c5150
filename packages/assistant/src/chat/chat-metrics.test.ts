import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ASSISTANT_COUNT_NAMES, AssistantMeter } from "../metrics/assistant-meter.ts";
import { defineAssistant } from "./assistant.ts";

test("an assistant with a meter brings its counts and its sources to /metrics", async () => {
  const meter = new AssistantMeter();
  const { metrics } = defineAssistant({ meter });
  ASSISTANT_COUNT_NAMES.forEach((name, index) => meter.add(name, index + 1));
  meter.add("answers");
  meter.watchSources(() => [
    { name: "sec", isUp: true, requestsToday: 7 },
    { name: "cboe", isUp: false, requestsToday: 0 },
  ]);
  const text = (await metrics?.metrics()) ?? "";
  assert.match(text, /^baton_assistant_answers_total 2$/m);
  assert.match(text, /^baton_assistant_turn_limits_total 2$/m);
  assert.match(text, /^baton_assistant_unverified_figures_total 4$/m);
  assert.match(text, /^baton_assistant_cached_results_total 5$/m);
  assert.match(text, /^baton_assistant_source_up\{source="cboe"\} 0$/m);
  assert.match(text, /^baton_assistant_source_requests\{source="sec"\} 7$/m);
  assert.equal(defineAssistant().metrics, undefined);
});

test("docs/metrics.md lists every metric of an assistant, as it is, and no other", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/metrics.md"), "utf8");
  const documented = page.split("\n").filter((line) => line.startsWith("| `baton_assistant_"));
  const { metrics } = defineAssistant({ meter: new AssistantMeter() });
  const text = (await metrics?.metrics()) ?? "";
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = "", type]) => [name, type]));
  const rows = Array.from(text.matchAll(/^# HELP (\S+) (.+)$/gm), ([, name = "", help]) => {
    const label = name.startsWith("baton_assistant_source_") ? "`source`" : "none";
    return `| \`${name}\` | ${types.get(name)} | ${label} | ${help} |`;
  });
  assert.deepEqual(documented.toSorted(), rows.toSorted());
});
