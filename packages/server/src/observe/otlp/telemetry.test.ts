import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { startCollector } from "./testing/collector.ts";
import { openTelemetry, type TelemetrySending } from "./telemetry.ts";
import { readTelemetrySettings } from "./telemetry-settings.ts";

function open(otlp: string, sending: Partial<TelemetrySending> = {}) {
  const warnings: string[] = [];
  const settings = readTelemetrySettings({ otlp, headers: { "x-key": "k" } }, {});
  assert.ok(settings);
  const warn = (text: string) => warnings.push(text);
  const telemetry = openTelemetry(settings, { warn, retryMs: 1, flushMs: 60_000, ...sending });
  const tracer = telemetry.tracerProvider.getTracer("test");
  const span = (name: string, attributes = {}) =>
    tracer.startSpan(name, { startTime: new Date(1_000), attributes }, ROOT_CONTEXT).end(new Date(3_500));
  return { telemetry, span, warnings };
}

test("the standard variables are read, and options win over them", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://all:4318/",
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://metrics/own",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc, x-one=1",
    OTEL_SERVICE_NAME: "desk",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test,service.name=other",
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  };
  assert.deepEqual(readTelemetrySettings({}, env), {
    tracesUrl: "http://all:4318/v1/traces",
    metricsUrl: "http://metrics/own",
    headers: { authorization: "Basic abc", "x-one": "1" },
    hasContent: true,
    resource: { "deployment.environment": "test", "service.name": "desk" },
  });
  const own = readTelemetrySettings({ otlp: "https://mine", serviceName: "me", content: false }, env);
  assert.equal(own?.metricsUrl, "https://mine/v1/metrics");
  assert.deepEqual([own.hasContent, own.resource["service.name"]], [false, "me"]);
  assert.equal(readTelemetrySettings({}, {}), undefined);
  assert.equal(readTelemetrySettings({ otlp: "http://x" }, { OTEL_SDK_DISABLED: "true" }), undefined);
  assert.equal(readTelemetrySettings({ otlp: "http://x" }, {})?.resource["service.name"], "baton");
  assert.throws(() => readTelemetrySettings({ otlp: "collector:4318" }, {}), { code: "invalid" });
});

test("spans and metrics arrive when it is disposed of, with headers and the service's name", async () => {
  await using collector = await startCollector();
  const { telemetry, span, warnings } = open(collector.url);
  span("chat x", { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2 });
  span("execute_tool y", { "gen_ai.operation.name": "execute_tool" });
  await telemetry[Symbol.asyncDispose]();
  assert.deepEqual(
    collector.spans.map(({ name }) => name),
    ["chat x", "execute_tool y"],
  );
  assert.deepEqual(collector.metrics, [
    "gen_ai.client.operation.duration",
    "gen_ai.client.token.usage",
    "gen_ai.execute_tool.duration",
  ]);
  assert.equal(collector.resources[0]?.["service.name"], "baton");
  assert.equal(collector.headers[0]?.["x-key"], "k");
  assert.deepEqual([warnings, telemetry.dropped], [[], 0]);
});

test("a full batch goes at once, and a busy collector is asked again", async () => {
  await using collector = await startCollector();
  collector.answers.push(503, 429, 502);
  const { telemetry, span, warnings } = open(collector.url, { batchMs: 60_000 });
  for (let n = 0; n < 512; n++) span(`s${n}`);
  while (collector.spans.length < 512) await new Promise(setImmediate);
  await telemetry[Symbol.asyncDispose]();
  assert.deepEqual([collector.headers.length, telemetry.dropped, warnings], [4, 0, []]);
});

test("what the collector refuses, and what does not fit in the queue, is dropped and counted, with one warning", async () => {
  await using collector = await startCollector();
  collector.answers.push(400);
  const { telemetry, span, warnings } = open(collector.url, { batchMs: 60_000 });
  for (let n = 0; n < 2_100; n++) span(`s${n}`);
  await telemetry[Symbol.asyncDispose]();
  assert.equal(telemetry.dropped, 2_100 - 2_048 + 512);
  assert.equal(collector.spans.length, 2_048 - 512);
  assert.equal(warnings.length, 1);
});

for (const [kind, url] of [
  ["that hangs", undefined],
  ["that is dead", "http://127.0.0.1:1"],
] as const) {
  test(`a collector ${kind} is one warning, and holds up the end no longer than the flush may take`, async () => {
    await using collector = await startCollector();
    collector.answers.push("hang", "hang", "hang");
    const { telemetry, span, warnings } = open(url ?? collector.url, { flushMs: 300 });
    for (let n = 0; n < 600; n++) span(`s${n}`);
    const beganAt = performance.now();
    await telemetry[Symbol.asyncDispose]();
    // Less than a request may take.
    assert.ok(performance.now() - beganAt < 9_000);
    assert.equal(telemetry.dropped, 600);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /telemetry is not sent to http:\/\/127\.0\.0\.1/);
  });
}
