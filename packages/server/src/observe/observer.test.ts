import assert from "node:assert/strict";
import { inspect } from "node:util";
import { test } from "node:test";
import { defineCrew, defineTool, type RunEvent } from "@baton/core";
import { play } from "@baton/core/testing";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { z } from "zod";
import { SCENES } from "../dialects/testing/scenes.ts";
import { createObserver } from "./observer.ts";
import { interleave, observeAll, observeScenes } from "./testing/observed-runs.ts";

const LINE = z.looseObject({ level: z.string(), time: z.iso.datetime(), msg: z.string() });

test("a run's start, pause, resume and end are logged with the ids of request, run and session", async () => {
  const { crew, events } = await scene("a pause and a resume");
  const { observer, lines } = observeAll([], { crews: [{ crew }] });
  observer.link("run", { requestId: "first" });
  for (const event of events) {
    observer.observe(event);
    if (event.type === "run.paused") observer.link("run", { requestId: "second", session: "session" });
  }
  observer.close();
  const told = lines.map((line) => LINE.parse(JSON.parse(line)));
  assert.deepEqual(
    told.map(({ msg, level, request, run, session }) => [msg, level, request, run, session]),
    [
      ["run started", "info", "first", "run", "session"],
      ["run paused", "info", "first", "run", "session"],
      ["run resumed", "info", "second", "run", "session"],
      ["run ended", "info", "second", "run", "session"],
    ],
  );
  assert.equal(told[1]?.["by"], "signal");
  assert.equal(told[3]?.["outcome"], "done");
  assert.equal(typeof told[3]?.["ms"], "number");
});

test("listening, requests and the stop are logged; probes only for who asks", () => {
  const lines: string[] = [];
  const logTo = { write: (line: string) => lines.push(line) };
  const observer = createObserver({ crews: [], logTo });
  observer.logger.info("listening", { url: "http://127.0.0.1:8080" });
  const request = { requestId: "r", method: "GET", route: "/api/runs/:id", status: 200, durationMs: 3, run: "x" };
  observer.request(request);
  observer.request({ ...request, route: "/health" });
  observer.request({ ...request, route: undefined, status: 503 });
  observer.logger.info("stopping", { reason: "SIGTERM" });
  observer.close();
  const told = lines.map((line) => LINE.parse(JSON.parse(line)));
  assert.deepEqual(
    told.map((line) => ({ ...line, time: undefined })),
    [
      { time: undefined, level: "info", msg: "listening", url: "http://127.0.0.1:8080" },
      {
        time: undefined,
        level: "info",
        msg: "request",
        request: "r",
        method: "GET",
        route: "/api/runs/:id",
        status: 200,
        ms: 3,
        run: "x",
      },
      {
        time: undefined,
        level: "error",
        msg: "request",
        request: "r",
        method: "GET",
        route: "other",
        status: 503,
        ms: 3,
        run: "x",
      },
      { time: undefined, level: "info", msg: "stopping", reason: "SIGTERM" },
    ],
  );
});

test("the level decides which lines are written", async () => {
  const { runs } = await observeScenes();
  const count = (logLevel: "silent" | "error" | "warn" | "info") => {
    const { observer, lines } = observeAll(interleave(runs), { logLevel });
    observer.close();
    return lines.length;
  };
  assert.equal(count("silent"), 0);
  assert.ok(count("error") > 0);
  assert.ok(count("warn") > count("error"));
  assert.ok(count("info") > count("warn"));
});

test("a secret never appears in metrics, traces or logs, wherever it was said", async () => {
  const secrets = ['hunter2 "quoted"\\', "plain-secret-1"];
  const said = ["sk-proj-abcdefgh12345678", "Bearer abc.def", ...secrets];
  const text = said.join("\n");
  const add = defineTool({ name: "add", description: "", effect: "read", input: z.object({}), run: () => "0" });
  const agents = [{ id: "helper", isTerminal: true, tools: ["add"] }];
  const crew = defineCrew({ name: "solo", agents, tools: [add] });
  const call = [{ tool: "sk-proj-abcdefgh12345678", args: { text } }];
  const done = await play(crew, { helper: [{ say: text, call }, { say: text }] }, { id: "done", input: text });
  const failed = await play(crew, { helper: [{ fail: text }] }, { id: "failed", input: text });
  const stamp = { run: "failed", seq: 0, at: 0, lane: "" };
  const warning: RunEvent = { ...stamp, type: "warning.raised", agent: "helper", text };
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const events = [...done.events, ...failed.events, warning];
  const { observer, lines } = observeAll(events, { crews: [{ crew }], secrets, tracerProvider });
  observer.logger.error(text, { error: text });
  observer.close();
  const spans = exporter
    .getFinishedSpans()
    .map(({ name, attributes, status, events: notes }) => ({ name, attributes, status, notes }));
  const everything = [
    ...lines.flatMap((line) => [line, inspect(JSON.parse(line), { depth: 9 })]),
    inspect(spans, { depth: 9, maxStringLength: null }),
    JSON.stringify(spans),
    await observer.metricsText(),
    JSON.stringify(await observer.metricsJson()),
  ].join("\n");
  for (const secret of ["abcdefgh12345678", "abc.def", "hunter2", "plain-secret-1"]) {
    assert.ok(!everything.includes(secret), secret);
  }
  assert.ok(spans.some(({ name }) => name === "execute_tool ***"));
  assert.ok(spans.some(({ status }) => status.message?.includes("***")));
  assert.ok(lines.some((line) => line.includes('"run ended"') && line.includes("***")));
});

test("a log line is one line of JSON, whatever it says", () => {
  const { observer, lines } = observeAll([]);
  observer.logger.warn('a\n"b"\u0000\u2028 \ud800', { error: 'c\r\nBearer x"y', count: 1, isNew: true });
  observer.logger.info("x".repeat(5_000));
  observer.close();
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.indexOf("\n") === line.length - 1));
  const { msg, error, count } = LINE.parse(JSON.parse(lines[0] ?? ""));
  assert.equal(msg.startsWith('a\n"b"'), true);
  assert.equal(error, 'c\r\nBearer ***"y');
  assert.equal(count, 1);
  assert.equal(LINE.parse(JSON.parse(lines[1] ?? "")).msg.length, 2_000);
});

test("nothing is thrown, though the log cannot be written and an event makes no sense", async () => {
  const broken = createObserver({
    crews: [],
    logTo: {
      write() {
        throw new Error("the disk is full");
      },
    },
  });
  const { events } = await scene("tools");
  for (const event of events) broken.observe(event);
  broken.close();
  const { observer, lines } = observeAll(events.map((event) => ({ ...event, at: Number.NaN })));
  observer.close();
  assert.ok(lines.some((line) => line.includes("the observer failed")));
  const text = await observer.metricsText();
  assert.match(text, /baton_runs_started_total\{crew="other"\} 1\n/);
  assert.match(text, /baton_active_runs 0\n/);
});

async function scene(title: string) {
  return (await SCENES.get(title)?.()) ?? assert.fail(`there is no scene "${title}"`);
}
