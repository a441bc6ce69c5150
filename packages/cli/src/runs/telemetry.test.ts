import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollector } from "@baton/server/telemetry/testing";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";

test("run and chat send spans and metrics to --otlp, without texts unless --otlp-content asks for them", async () => {
  await using collector = await startCollector();
  await inFolder(CREW_FILES, async (cwd) => {
    const { exitCode } = await baton(["run", "desk", "work", "--otlp", collector.url], { cwd });
    assert.equal(exitCode, 0);
    const names = collector.spans.map(({ name }) => name);
    for (const name of ["invoke_workflow desk", "invoke_agent front", "chat script", "execute_tool Greet"])
      assert.ok(names.includes(name), `${name} is not among ${names.join(", ")}`);
    assert.deepEqual(new Set(collector.metrics), new Set(METRICS));
    assert.ok(!JSON.stringify(collector.spans).includes("All done."));
    await baton(["chat", "desk", "--otlp-content"], {
      cwd,
      input: "work\n",
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: "x-team=tea" },
    });
    assert.ok(JSON.stringify(collector.spans).includes("All done."));
    assert.equal(collector.headers.at(-1)?.["x-team"], "tea");
  });
});

const METRICS = ["gen_ai.client.operation.duration", "gen_ai.client.token.usage", "gen_ai.execute_tool.duration"];

test("a collector that is down is one line on standard error and changes nothing else; an address that is none is refused", async () => {
  const { url, [Symbol.asyncDispose]: stop } = await startCollector();
  await stop();
  await inFolder(CREW_FILES, async (cwd) => {
    const alone = await baton(["run", "desk", "work"], { cwd });
    const { exitCode, stdout, stderr } = await baton(["run", "desk", "work", "--otlp", url], { cwd });
    assert.equal(exitCode, 0);
    assert.equal(stdout.replaceAll(/\d+/g, "N"), alone.stdout.replaceAll(/\d+/g, "N"));
    assert.match(stderr, new RegExp(`^telemetry is not sent to ${url} \\(.*\\); runs are not affected\n$`));
    const wrong = await baton(["run", "desk", "work", "--otlp", "nonsense"], { cwd });
    assert.equal(wrong.exitCode, 2);
    assert.match(wrong.stderr, /nonsense.* is not the address of a collector/);
  });
});
