import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { AssistantMeter } from "../metrics/assistant-meter.ts";
import { defineAssistant } from "./assistant.ts";

test("an assistant with a meter brings its counts and its sources to /metrics", async () => {
  const meter = new AssistantMeter();
  const { metrics } = defineAssistant({ meter });
  for (const complexity of ["plan", "direct", "plan"]) {
    meter.add("assistant_questions", { query_type: "news", complexity });
  }
  meter.add("assistant_unverified_figures", {}, 4);
  meter.add("tool_cache", { tool: "look", result: "hit" });
  meter.add("tool_cache", { result: "hit", tool: "look" });
  meter.watchSources(() => [
    { name: "sec", isBreakerOpen: false, requests: new Map([["ok", 7]]) },
    { name: "cboe", isBreakerOpen: true, requests: new Map([["upstream", 2]]) },
  ]);
  for (let reading = 0; reading < 2; reading++) {
    const text = (await metrics?.metrics()) ?? "";
    assert.match(text, /^baton_assistant_questions_total\{query_type="news",complexity="plan"\} 2$/m);
    assert.match(text, /^baton_assistant_questions_total\{query_type="news",complexity="direct"\} 1$/m);
    assert.match(text, /^baton_assistant_unverified_figures_total 4$/m);
    assert.match(text, /^baton_assistant_turn_limit_total 0$/m);
    assert.match(text, /^baton_tool_cache_total\{tool="look",result="hit"\} 2$/m);
    assert.match(text, /^baton_source_requests_total\{source="sec",status="ok"\} 7$/m);
    assert.match(text, /^baton_source_requests_total\{source="cboe",status="upstream"\} 2$/m);
    assert.match(text, /^baton_source_breaker_open\{source="sec"\} 0$/m);
    assert.match(text, /^baton_source_breaker_open\{source="cboe"\} 1$/m);
  }
  assert.equal(defineAssistant().metrics, undefined);
});

test("docs/metrics.md lists every metric of an assistant, as it is, and no other", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/metrics.md"), "utf8");
  const [, section = ""] = page.split("## The metrics of an assistant");
  const documented = section
    .split("\n## ")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("| `baton_"));
  const { metrics } = defineAssistant({ meter: new AssistantMeter() });
  const text = (await metrics?.metrics()) ?? "";
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = "", type]) => [name, type]));
  const labelled = z.object({ name: z.string(), help: z.string(), labelNames: z.array(z.string()) });
  const rows = metrics?.getMetricsAsArray().map((metric) => {
    const { name, help, labelNames } = labelled.parse(metric);
    const labels = labelNames.length === 0 ? "none" : labelNames.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${types.get(name)} | ${labels} | ${help} |`;
  });
  assert.deepEqual(documented?.toSorted(), rows?.toSorted());
});
