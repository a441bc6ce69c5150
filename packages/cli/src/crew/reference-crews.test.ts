/** Crews of the reference engine whose prompts teach calls as text: their tools run, with the models the command gives. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ModelChoice } from "@baton/baton/models";
import { Engine } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { loadCrew } from "./crew-loader.ts";

const REFERENCE = join(import.meta.dirname, "../../../crewfile/fixtures/reference");

/** Runs a crew as `baton run --script` does, and gives the calls it made. */
async function playText(name: string, input: string) {
  const { crew, script, findings } = await loadCrew(join(REFERENCE, name));
  assert.ok(crew && script, JSON.stringify(findings));
  const { modelOf } = await ModelChoice.open([{ crew, script }], { override: "script", env: {} });
  const { events, outcome, content } = await collect(new Engine({ model: modelOf }).start(crew, { input }));
  const calls = of(events, "call.ended").map(({ tool, output, error }) => ({
    tool,
    ...(error ? { error } : { output }),
  }));
  return { outcome, content, calls };
}

test("the greeter with memory looks things up by the calls it writes as text", async () => {
  assert.deepEqual(await playText("hello-tools", "How many messages are there?"), {
    outcome: "done",
    content: "One message so far, and it is yours.",
    calls: [
      { tool: "GetMessageCount", output: { got: {} } },
      { tool: "CountMessagesBy", output: { got: { filter_by: "role", filter_value: "user" } } },
      { tool: "SearchMessages", output: { got: { query: "tea, or coffee", limit: 5 } } },
    ],
  });
});

test("the help desk looks at the machine by the calls it writes as text, with arguments by position", async () => {
  assert.deepEqual(await playText("help-desk-permissive", "Máy 192.168.1.7 rất chậm"), {
    outcome: "done",
    content: "CPU đang ở mức 97 %.",
    calls: [
      { tool: "GetCPUUsage", output: { got: {} } },
      { tool: "GetRunningProcesses", output: { got: { count: 10 } } },
      { tool: "PingHost", output: { got: { host: "192.168.1.7", count: 4 } } },
    ],
  });
});
