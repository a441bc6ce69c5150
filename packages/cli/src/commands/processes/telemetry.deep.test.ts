import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollector } from "@baton/server/telemetry/testing";
import { inFolder } from "../../testing/command.ts";
import { CREW_FILES } from "../../testing/crew-files.ts";
import { Served } from "../../testing/served.ts";

test("a server with --otlp sends what its requests started, under the caller's trace, before it has stopped", async () => {
  await using collector = await startCollector();
  await inFolder(CREW_FILES, async (cwd) => {
    await using served = await Served.start(["desk", "--otlp", collector.url], { cwd });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    await fetch(`${served.url}/api/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "wait", traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      body: JSON.stringify({ input: "work", session_id: "s" }),
    });
    assert.equal((await served.stop()).exitCode, 0);
    const workflow = collector.spans.find(({ name }) => name === "invoke_workflow desk");
    assert.deepEqual([workflow?.traceId, workflow?.parentSpanId], [traceId, "00f067aa0ba902b7"]);
    assert.equal(workflow?.attributes["gen_ai.conversation.id"], "s");
  });
});

test("a server whose collector hangs serves, warns once, and stops within the time that it has to send", async () => {
  await using collector = await startCollector();
  collector.answers.push(...Array.from({ length: 100 }, () => "hang" as const));
  await inFolder(CREW_FILES, async (cwd) => {
    await using served = await Served.start(["desk", "--otlp", collector.url], { cwd });
    for (const input of ["work", "work"]) assert.equal((await served.run({ input }, { wait: true })).outcome, "done");
    const { exitCode, stderr } = await served.stop();
    assert.equal(exitCode, 0);
    assert.equal(stderr.split("telemetry is not sent to").length, 2, stderr);
  });
});
