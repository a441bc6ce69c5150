import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { ProxyTracerProvider, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { SCENES } from "../../dialects/testing/scenes.ts";
import type { RunOrigin } from "../open-runs.ts";
import { interleave, observeAll, observeScenes, observeSimulated } from "../testing/observed-runs.ts";

const PARENTS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  invoke_agent: ["invoke_workflow", "execute_tool"],
  chat: ["invoke_agent"],
  execute_tool: ["invoke_agent"],
  invoke_workflow: ["invoke_workflow", "execute_tool", undefined],
};

test("every span ends, inside its parent, whether the run is done, pauses, fails or is cancelled", async () => {
  for (const { runs } of [await observeScenes(), await observeSimulated(150)]) {
    const { spans, started } = trace(interleave(runs));
    assert.equal(spans.length, started());
    const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
    for (const span of spans) {
      const parent = byId.get(span.parentSpanContext?.spanId ?? "");
      assert.ok(PARENTS[operationOf(span)]?.includes(parent && operationOf(parent)), `${span.name} in ${parent?.name}`);
      if (parent === undefined) continue;
      assert.ok(toMs(span.startTime) >= toMs(parent.startTime), span.name);
      assert.ok(toMs(span.endTime) <= toMs(parent.endTime), span.name);
      assert.equal(span.spanContext().traceId, parent.spanContext().traceId);
    }
    const events = runs.flat();
    const begins = of(events, "run.started").length + of(events, "run.resumed").length;
    assert.equal(spans.filter(({ parentSpanContext }) => parentSpanContext === undefined).length, begins);
  }
});

test("tokens are on model calls only, and their sum is what the events say", async () => {
  const { runs } = await observeScenes();
  const { spans } = trace(interleave(runs));
  const counted = spans.filter(({ attributes }) =>
    Object.keys(attributes).some((key) => key.startsWith("gen_ai.usage")),
  );
  assert.deepEqual([...new Set(counted.map(operationOf))], ["chat"]);
  const ended = of(runs.flat(), "step.ended");
  assert.equal(counted.length, ended.length);
  const total = counted.map(({ attributes }) => Number(attributes["gen_ai.usage.input_tokens"]));
  assert.equal(
    total.reduce((a, b) => a + b),
    ended.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
  );
});

test("spans have the names and attributes of the conventions", async () => {
  const { spans } = trace(await scene("tools"));
  const [chat, add, ...rest] = spans;
  assert.deepEqual(spans.map(({ name }) => name).toSorted(), [
    "chat script",
    "chat script",
    "execute_tool add",
    "execute_tool add",
    "invoke_agent helper",
    "invoke_workflow tooled",
  ]);
  assert.equal(chat?.kind, SpanKind.CLIENT);
  assert.deepEqual(chat.attributes, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "script",
    "gen_ai.request.model": "script",
    "gen_ai.request.stream": true,
    "gen_ai.response.time_to_first_chunk": 0.01,
    "gen_ai.response.finish_reasons": ["tool_call"],
    "gen_ai.response.model": "script",
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.usage.cache_read.input_tokens": 2,
    "gen_ai.usage.reasoning.output_tokens": 1,
    "baton.cost_usd": 0,
  });
  assert.equal(add?.attributes["gen_ai.tool.name"], "add");
  const run = rest.at(-1);
  assert.equal(run?.attributes["gen_ai.workflow.name"], "tooled");
  assert.equal(run.attributes["gen_ai.conversation.id"], "session");
  assert.equal(run.attributes["baton.outcome"], "done");
});

test("a failed tool and a failed run say so, a cancelled one is no failure", async () => {
  const broken = trace(await scene("tools")).spans.find(({ status }) => status.code === SpanStatusCode.ERROR);
  assert.equal(broken?.attributes["error.type"], "validation");
  const failed = trace(await scene("a failure")).spans.at(-1);
  assert.equal(failed?.status.code, SpanStatusCode.ERROR);
  assert.equal(failed.attributes["error.type"], "model");
  const cancelled = trace(await scene("a cancel")).spans;
  assert.ok(cancelled.every(({ status }) => status.code === SpanStatusCode.UNSET));
  assert.equal(cancelled.at(-1)?.attributes["baton.outcome"], "cancelled");
});

test("members of a group are under the group", async () => {
  const { spans } = trace(await scene("a group"));
  const group = spans.find(({ name }) => name === "invoke_workflow both");
  const members = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === group?.spanContext().spanId);
  assert.deepEqual(members.map(({ name }) => name).toSorted(), ["invoke_agent left", "invoke_agent right"]);
});

test("agents and crews that are tools are under their call, items of a map under the map", async () => {
  const parents = async (title: string) => {
    const { spans } = trace(await scene(title));
    const byId = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    return spans
      .filter(({ name }) => name.startsWith("invoke_agent"))
      .map(({ name, parentSpanContext }) => `${name} < ${byId.get(parentSpanContext?.spanId ?? "")}`)
      .toSorted();
  };
  assert.deepEqual(await parents("an agent and a crew as tools"), [
    "invoke_agent boss < invoke_workflow boss",
    "invoke_agent finder < execute_tool alpha",
    "invoke_agent helper < execute_tool help",
    "invoke_agent writer < execute_tool alpha",
  ]);
  assert.deepEqual(await parents("a map"), [
    ...Array.from({ length: 3 }, () => "invoke_agent check < invoke_workflow checks"),
    "invoke_agent lister < invoke_workflow maps",
    "invoke_agent summary < invoke_workflow maps",
  ]);
});

test("what continues after a pause is a tree of its own, under the request that resumed the run", async () => {
  const events = await scene("an approval that is given");
  const resumed = { traceId: "a".repeat(32), parentId: "b".repeat(16), isSampled: true };
  const { spans } = trace(events, (event) =>
    event.type === "run.paused" ? { traceparent: resumed, requestId: "second", crew: "tooled" } : undefined,
  );
  const [first, second] = spans.filter(({ name }) => name === "invoke_workflow tooled");
  assert.equal(first?.attributes["baton.outcome"], "paused");
  assert.equal(second?.parentSpanContext?.spanId, resumed.parentId);
  assert.equal(second.spanContext().traceId, resumed.traceId);
  assert.equal(second.attributes["baton.request.id"], "second");
  const after = spans.filter((span) => span.spanContext().traceId === resumed.traceId).map(({ name }) => name);
  assert.deepEqual(after.toSorted(), [
    "chat script",
    "execute_tool erase",
    "invoke_agent helper",
    "invoke_workflow tooled",
  ]);
});

test("every span of a run names the request that started or resumed it", async () => {
  for (const title of ["a group", "an approval that is given"]) {
    const { spans } = trace(
      await scene(title),
      (event) => (event.type === "run.paused" ? { requestId: "second" } : undefined),
      { requestId: "first" },
    );
    const roots = new Map(
      spans
        .filter(({ parentSpanContext }) => parentSpanContext === undefined)
        .map((span) => [span.spanContext().traceId, span.attributes["baton.request.id"]]),
    );
    assert.deepEqual([...roots.values()], title === "a group" ? ["first"] : ["first", "second"]);
    for (const span of spans)
      assert.equal(span.attributes["baton.request.id"], roots.get(span.spanContext().traceId), span.name);
  }
});

test("a run is under the request that started it, and is left out where that was not sampled", async () => {
  const events = await scene("a plain answer");
  const traceparent = { traceId: "c".repeat(32), parentId: "d".repeat(16), isSampled: true };
  const sampled = trace(events, undefined, { traceparent }).spans;
  assert.equal(sampled.at(-1)?.parentSpanContext?.spanId, traceparent.parentId);
  assert.equal(sampled.at(-1)?.parentSpanContext?.isRemote, true);
  assert.deepEqual(trace(events, undefined, { traceparent: { ...traceparent, isSampled: false } }).spans, []);
});

test("closing the observer ends what is open", async () => {
  const events = await scene("a plain answer");
  const { spans, started } = trace(events.slice(0, 4));
  assert.equal(started(), 3);
  assert.equal(spans.length, 3);
});

test("without a tracer provider no tracer is asked for", async () => {
  const idle = new ProxyTracerProvider();
  idle.getTracer = () => assert.fail("a tracer was asked for");
  const { observer, lines } = observeAll(await scene("tools"), { tracerProvider: idle });
  observer.close();
  assert.ok(lines.every((line) => !line.includes("observer failed")));
  const exporter = new InMemorySpanExporter();
  idle.setDelegate(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  observeAll(await scene("tools"), { tracerProvider: idle }).observer.close();
  assert.equal(exporter.getFinishedSpans().length, 6);
});

interface Traced {
  /** Those that have ended, in that order. */
  readonly spans: readonly ReadableSpan[];
  readonly started: () => number;
}

/** Observes the events; `next` may say where the run continues from after one of them. */
function trace(
  events: readonly RunEvent[],
  next: (event: RunEvent) => RunOrigin | undefined = () => undefined,
  origin: RunOrigin = {},
): Traced {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor(exporter);
  let count = 0;
  const counting = {
    onStart: () => (count += 1),
    onEnd: (span: ReadableSpan) => processor.onEnd(span),
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [counting] });
  const { observer, lines } = observeAll([], { tracerProvider });
  observer.link(events[0]?.run ?? "", origin);
  for (const event of events) {
    observer.observe(event);
    const further = next(event);
    if (further !== undefined) observer.link(event.run, further);
  }
  observer.close();
  assert.ok(lines.every((line) => !line.includes("observer failed")));
  return { spans: exporter.getFinishedSpans(), started: () => count };
}

async function scene(title: string): Promise<readonly RunEvent[]> {
  return (await SCENES.get(title)?.())?.events ?? assert.fail(`there is no scene "${title}"`);
}

function operationOf({ attributes }: ReadableSpan): string {
  return String(attributes["gen_ai.operation.name"]);
}

function toMs([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1_000 + nanoseconds / 1e6;
}
