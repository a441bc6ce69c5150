import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { defineCrew, type RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { RELAY } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";
import { Metrics, type MetricsJson } from "./metrics.ts";
import { createObserver } from "./observer.ts";
import {
  interleave,
  observeAll,
  parseLines,
  toLines,
  type ObservedRuns,
  observeScenes,
  observeSimulated,
} from "./testing/observed-runs.ts";

/** Random runs, played once for all tests here. */
const simulated = observeSimulated(150);

test("counters are what the events of scripted and random runs say", async () => {
  for (const watched of [await observeScenes(), await simulated]) {
    const { json, events } = await watch(watched);
    const all = (name: string, labels: Labels = {}) => sum(json, `baton_${name}`, labels);
    assert.equal(all("runs_started_total"), of(events, "run.started").length);
    assert.equal(all("runs_resumed_total"), of(events, "run.resumed").length);
    assert.equal(all("runs_paused_total"), of(events, "run.paused").length);
    assert.equal(all("active_runs"), 0);
    for (const outcome of ["done", "limit", "cancelled", "failed"]) {
      const ended = of(events, "run.ended").filter((event) => event.outcome === outcome).length;
      assert.equal(all("runs_total", { outcome }), ended, outcome);
    }
    assert.equal(all("cancellations_total", { what: "run" }), all("runs_total", { outcome: "cancelled" }));
    for (const fate of ["stopped", "finished", "abandoned"] as const) {
      const works = of(events, "run.ended").map(({ receipt }) => receipt?.[fate].length ?? 0);
      assert.equal(all("cancelled_work_total", { fate }), add(works), fate);
    }
    assert.equal(all("handoffs_total"), of(events, "handoff.made").length);
    assert.equal(all("signals_total"), of(events, "signal.matched").length);
    assert.equal(all("agent_turns_total"), of(events, "turn.ended").length);
    assert.equal(all("tool_calls_total"), of(events, "call.ended").length);
    assert.equal(all("tool_retries_total"), of(events, "call.retried").length);
    assert.equal(all("model_calls_total"), of(events, "step.ended").length);
    assert.equal(all("model_retries_total"), of(events, "step.retried").length);
    const steps = of(events, "step.ended");
    assert.equal(all("model_tokens_total", { kind: "input" }), add(steps.map(({ usage }) => usage.inputTokens)));
    assert.equal(all("model_tokens_total", { kind: "output" }), add(steps.map(({ usage }) => usage.outputTokens)));
    assert.equal(all("model_tokens_total", { kind: "cached" }), add(steps.map(({ usage }) => usage.cachedTokens ?? 0)));
    assert.equal(all("model_cache_hits_total"), steps.filter(({ usage }) => (usage.cachedTokens ?? 0) > 0).length);
    assert.equal(all("context_tokens_count"), steps.filter(({ usage }) => usage.inputTokens > 0).length);
  }
});

test("failures are counted by what they were", async () => {
  const { json, events } = await watch(await simulated);
  const calls = of(events, "call.ended");
  const isTimeout = ({ error }: (typeof calls)[number]) => error?.kind === "timeout" || error?.code === "timeout";
  const isCancelled = ({ error }: (typeof calls)[number]) => error?.code === "cancelled" || error?.kind === "cancelled";
  const counts = {
    success: calls.filter(({ error }) => error === undefined).length,
    timeout: calls.filter(isTimeout).length,
    cancelled: calls.filter(isCancelled).length,
    error: calls.filter((call) => call.error !== undefined && !isTimeout(call) && !isCancelled(call)).length,
  };
  for (const [status, count] of Object.entries(counts)) {
    assert.ok(count > 0, `no run here has a call with ${status}`);
    assert.equal(sum(json, "baton_tool_calls_total", { status }), count, status);
  }
});

test("durations are differences between events, and waiting for a person is in none", async () => {
  const watched = await simulated;
  const { json } = await watch(watched);
  for (const [name, begins, ends] of [
    ["agent_turn", "turn.started", "turn.ended"],
    ["tool_call", "call.started", "call.ended"],
    ["model_call", "step.started", "step.ended"],
  ] as const) {
    const seconds = watched.runs.flatMap((events) => durations(events, begins, ends));
    close(sum(json, `baton_${name}_duration_seconds_sum`), add(seconds), name);
    assert.equal(sum(json, `baton_${name}_duration_seconds_count`), seconds.length);
  }
  const segments = watched.runs.flatMap(toSegments);
  close(sum(json, "baton_run_duration_seconds_sum"), add(segments.map(({ ms }) => ms / 1_000)), "runs");
  const spoken = segments.flatMap(({ firstMs }) => firstMs ?? []);
  close(sum(json, "baton_run_first_token_seconds_sum"), add(spoken) / 1_000, "first tokens");
  assert.equal(sum(json, "baton_run_first_token_seconds_count"), spoken.length);
});

test("each agent and tool has its count, results and times", async () => {
  const watched = await simulated;
  const { json, events } = await watch(watched);
  assert.ok(Object.keys(json.tools).length > 0);
  for (const [tool, entry] of Object.entries(json.tools)) {
    for (const status of ["success", "error", "timeout", "cancelled"] as const) {
      assert.equal(entry[status], sum(json, "baton_tool_calls_total", { tool, status }));
    }
    const total = sum(json, "baton_tool_call_duration_seconds_sum", { tool });
    const { count, success, error, timeout, cancelled } = entry;
    assert.equal(count, success + error + timeout + cancelled);
    assert.equal(entry.success_rate, success / count);
    const within = Object.values(json.agents).flatMap(({ tools }) => tools[tool] ?? []);
    assert.equal(add(within.map((one) => one.count)), count);
    close(add(within.map((one) => one.total_seconds)), entry.total_seconds, tool);
    close(entry.total_seconds, total, tool);
    close(entry.average_seconds, total / sum(json, "baton_tool_call_duration_seconds_count", { tool }), tool);
    const known = (name: string) => (Object.hasOwn(json.tools, name) ? name : "other");
    const seconds = watched.runs.flatMap((run) => {
      const ended = of(run, "call.ended");
      return durations(run, "call.started", "call.ended").filter(
        (_, index) => known(ended[index]?.tool ?? "") === tool,
      );
    });
    assert.deepEqual([entry.min_seconds, entry.max_seconds], [Math.min(...seconds), Math.max(...seconds)]);
  }
  assert.deepEqual(Object.keys(json.tools).toSorted(), ["K", "L", "S", "T1", "T2", "T3", "other"]);
  assert.deepEqual(
    Object.keys(json.agents).toSorted(),
    [...new Set(of(events, "turn.ended").map(({ agent }) => agent))].toSorted(),
  );
});

test("each crew has the average time of its runs, and each route of its requests", async () => {
  const watched = await observeScenes();
  const { observer } = observeAll(interleave(watched.runs), { crews: watched.crews });
  for (const [status, durationMs] of [
    [200, 10],
    [404, 30],
  ] as const) {
    observer.request({ requestId: "r", method: "GET", route: "/api/runs/:id", status, durationMs });
  }
  observer.close();
  const json = await observer.metricsJson();
  // A run that was recovered after a crash is timed from there.
  const segments = watched.runs.flatMap((events) => {
    const ends = events.filter(({ type }) => type === "run.paused" || type === "run.ended");
    const begins = events.filter(({ type }) => type === "run.started" || type === "run.resumed");
    return ends.map(({ at, seq }) => (at - (begins.findLast((begin) => begin.seq < seq)?.at ?? at)) / 1_000);
  });
  const { crews, ...all } = json.runs;
  assert.equal(all.count, segments.length);
  close(all.average_seconds, add(segments) / segments.length, "average run");
  assert.equal(all.max_seconds, Math.max(...segments));
  assert.equal(add(Object.values(crews).map(({ count }) => count)), segments.length);
  assert.equal(all.cancelled, sum(json, "baton_cancellations_total", { what: "run" }));
  const { count, success, error, success_rate, average_seconds } = json.requests["/api/runs/:id"] ?? assert.fail();
  assert.deepEqual([count, success, error, success_rate, average_seconds], [2, 1, 1, 0.5, 0.02]);
});

test("a call that waits for a permit is queued, then active, and its wait is known, whatever its effect", async () => {
  const { observer } = observeAll([]);
  const stamp = { run: "run", seq: 1, lane: "", agent: "a" };
  const entry = { kind: "agent", id: "a" } as const;
  const told = { crew: "c", input: "", history: [], entry, outputChars: { each: 1, total: 1 } } as const;
  const start = (call: string, at: number) =>
    observer.observe({ ...stamp, at, type: "call.started", call, tool: "t", args: {}, effect: "read" });
  const end = (call: string, at: number) =>
    observer.observe({ ...stamp, at, type: "call.ended", call, tool: "t", attempts: 1, output: 1 });
  const read = async () => {
    const json = await observer.metricsJson();
    const gauges = ["queued_tool_calls", "active_tool_calls", "active_agents"].map((name) =>
      sum(json, `baton_${name}`),
    );
    const waits = ["count", "sum"].map((name) => sum(json, `baton_tool_queue_wait_seconds_${name}`));
    return [...gauges, ...waits];
  };
  observer.observe({ ...stamp, at: 0, type: "run.started", ...told });
  observer.observe({ ...stamp, at: 0, type: "turn.started", turn: "1" });
  start("1.1.1", 1_000);
  start("1.1.2", 1_000);
  // A tool may begin before its call is on disk.
  observer.began("run", "1.1.3", 1_000);
  start("1.1.3", 1_000);
  assert.deepEqual(await read(), [2, 1, 1, 1, 0]);
  observer.began("run", "1.1.1", 3_500);
  assert.deepEqual(await read(), [1, 2, 1, 2, 2.5]);
  const question = { question: "1.1.2", kind: "approval", text: "", call: "1.1.2", schema: {} } as const;
  observer.observe({ ...stamp, at: 2_000, type: "question.opened", ...question });
  assert.deepEqual(await read(), [0, 2, 1, 2, 2.5]);
  observer.observe({ ...stamp, at: 9_000, type: "question.answered", question: "1.1.2", value: "allow" });
  assert.deepEqual(await read(), [1, 2, 1, 2, 2.5]);
  observer.began("run", "1.1.2", 9_000);
  for (const call of ["1.1.1", "1.1.2", "1.1.3"]) end(call, 9_500);
  observer.observe({ ...stamp, at: 9_500, type: "turn.ended", turn: "1", text: "" });
  assert.deepEqual(await read(), [0, 0, 0, 2, 2.5]);
  observer.close();
});

test("a cancel of a lane or a call is counted as that, and the run is not", async () => {
  const stamp = { run: "run", seq: 1, at: 0, lane: "" };
  const { observer } = observeAll([
    { ...stamp, type: "command.received", command: { type: "cancel", lane: "2/both/left" } },
    { ...stamp, type: "command.received", command: { type: "cancel", call: "1.1.1" } },
    { ...stamp, type: "command.received", command: { type: "cancel", call: "1.1.2" } },
    { ...stamp, type: "command.received", command: { type: "pause" } },
  ]);
  const json = await observer.metricsJson();
  const counts = ["run", "lane", "call"].map((what) => sum(json, "baton_cancellations_total", { what }));
  assert.deepEqual(counts, [0, 1, 2]);
  observer.close();
});

test("the JSON form and the Prometheus form say the same", async () => {
  const { crews, runs } = await observeScenes();
  const { observer } = observeAll(interleave(runs), { crews });
  observer.read({ streams: { size: 3, behind: 2, dropped: 1 }, mailbox: () => ({ depth: 4, fill: 0.125 }) });
  observer.request({ requestId: "r", method: "GET", route: "/api/runs/:id", status: 200, durationMs: 12 });
  const lines = toLines(await observer.metricsJson());
  assert.deepEqual(parseLines(await observer.metricsText()).toSorted(), lines.toSorted());
  for (const line of [
    "baton_open_streams 3",
    "baton_streams_behind 2",
    "baton_streams_cut_off_total 1",
    "baton_mailbox_depth 4",
    "baton_mailbox_fill 0.125",
    'baton_http_requests_total{method="GET",route="/api/runs/:id",status="200"} 1',
    'baton_http_request_duration_seconds_sum{route="/api/runs/:id"} 0.012',
  ]) {
    assert.ok(lines.includes(line), line);
  }
  observer.close();
});

test("names from outside cannot make more than a bounded number of series", async () => {
  const crew = defineCrew({ name: "wide", agents: Array.from({ length: 300 }, (_, n) => ({ id: `agent-${n}` })) });
  const { observer } = observeAll([], { crews: [{ crew }] });
  const stamp = { run: "run", seq: 1, at: 0, lane: "" };
  const usage = { inputTokens: 1, outputTokens: 1 };
  for (let n = 0; n < 1_000; n++) {
    const agent = `agent-${n}`;
    observer.observe({ ...stamp, type: "turn.ended", turn: "1", agent, text: "" });
    observer.observe({ ...stamp, type: "call.ended", call: "1.1.1", agent, tool: `tool-${n}`, attempts: 1 });
    const ended = { step: "1.1", agent, text: "", calls: [], finish: "stop", usage, model: `provider-${n}/m` } as const;
    observer.observe({ ...stamp, type: "step.ended", ...ended });
    observer.request({ requestId: "r", method: `M${n}`, route: `/path/${n}`, status: 200, durationMs: 1 });
  }
  observer.request({ requestId: "r", method: "GET", route: undefined, status: 404, durationMs: 1 });
  const json = await observer.metricsJson();
  assert.equal(series(json, "baton_agent_turns_total"), 201);
  assert.equal(sum(json, "baton_agent_turns_total", { agent: "other" }), 800);
  assert.equal(series(json, "baton_tool_calls_total"), 1);
  assert.equal(series(json, "baton_model_calls_total"), 33);
  assert.equal(series(json, "baton_http_requests_total"), 102);
  assert.equal(sum(json, "baton_http_requests_total", { route: "other", status: 404 }), 1);
  assert.equal(Object.keys(json.agents).length, 201);
  observer.close();
});

test("runs that never end are not kept for ever", async () => {
  const { observer } = observeAll([]);
  const entry = { kind: "agent", id: "a" } as const;
  const told = { crew: "c", input: "", history: [], entry, outputChars: { each: 1, total: 1 } } as const;
  for (let n = 0; n < 10_100; n++) {
    observer.observe({ run: `run-${n}`, seq: 1, at: 0, lane: "", type: "run.started", ...told });
  }
  const json = await observer.metricsJson();
  assert.equal(sum(json, "baton_active_runs"), 10_000);
  assert.equal(sum(json, "baton_runs_started_total"), 10_100);
  observer.close();
});

test("a resumed run has the crew that its origin names", async () => {
  const { crews, runs } = await observeScenes();
  const resumed = runs.map((events) => events.slice(events.findIndex(({ type }) => type === "run.resumed")));
  const [events = []] = resumed.filter(([first]) => first?.type === "run.resumed");
  const [first] = events;
  const { observer } = observeAll([], { crews });
  observer.link(first?.run ?? "", { crew: "waiting" });
  for (const event of events) observer.observe(event);
  const json = await observer.metricsJson();
  assert.equal(sum(json, "baton_runs_resumed_total", { crew: "waiting" }), 1);
  assert.equal(sum(json, "baton_runs_total", { crew: "waiting" }), 1);
  observer.close();
});

test("breakers, memory and the event loop are read when somebody looks", async () => {
  let isOpen = false;
  const breakers = () => [["openai/x", isOpen] as const, ["openai/y", false] as const];
  const observer = createObserver({ crews: [], logLevel: "silent", breakers });
  await observer.metricsText();
  isOpen = true;
  const lines = parseLines(await observer.metricsText());
  assert.ok(lines.includes('baton_model_breaker_open{model="openai/x"} 1'));
  assert.ok(lines.includes('baton_model_breaker_open{model="openai/y"} 0'));
  const json = await observer.metricsJson();
  assert.ok(sum(json, "baton_memory_bytes", { kind: "rss" }) > 1_000_000);
  assert.ok(sum(json, "baton_memory_peak_bytes") >= sum(json, "baton_memory_bytes", { kind: "rss" }) / 2);
  assert.equal(series(json, "baton_event_loop_delay_seconds"), 3);
  observer.close();
});

test("two servers in one process share no number", async () => {
  const { crews, runs } = await observeScenes();
  const busy = observeAll(interleave(runs), { crews }).observer;
  const idle = observeAll([], { crews }).observer;
  assert.equal(sum(await idle.metricsJson(), "baton_runs_total"), 0);
  assert.ok(sum(await busy.metricsJson(), "baton_runs_total") > 0);
  busy.close();
  idle.close();
});

test("docs/metrics.md lists every metric that a server has, as it is, and no other", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/metrics.md"), "utf8");
  // The metrics of an assistant are checked by its own test.
  const [own = ""] = page.split("## The metrics of an assistant");
  const documented = own.split("\n").filter((line) => line.startsWith("| `baton_"));
  await using server = await startTestServer([RELAY]);
  const text = await (await server.get("/metrics")).text();
  const given = text.split("\n").filter((line) => line.startsWith("# HELP ") || line.startsWith("# TYPE "));
  const metrics = new Metrics({
    crews: [],
    activeRuns: () => 0,
    underWay: () => ({ agents: 0, queuedCalls: 0, activeCalls: 0 }),
  });
  metrics.read({ streams: { size: 0, behind: 0, dropped: 0 }, mailbox: () => ({ depth: 0, fill: 0 }) });
  const all = metrics.registry.getMetricsAsArray();
  metrics.server.close();
  const lines = all.flatMap(({ name, help, type }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${String(type)}`]);
  assert.deepEqual(given.toSorted(), lines.toSorted());
  const rows = all.map((metric) => {
    const labels = "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
    const named = labels.map((label) => `\`${String(label)}\``).join(", ") || "none";
    return `| \`${metric.name}\` | ${String(metric.type)} | ${unitOf(metric.name)} | ${named} | ${metric.help} |`;
  });
  assert.deepEqual(documented.toSorted(), rows.toSorted());
});

type Labels = Readonly<Record<string, string | number>>;

async function watch({ crews, runs }: ObservedRuns): Promise<{ json: MetricsJson; events: readonly RunEvent[] }> {
  const events = interleave(runs);
  const { observer } = observeAll(events, { crews });
  observer.close();
  return { json: await observer.metricsJson(), events };
}

/** The sum of all samples of this name that have these labels. */
function sum({ metrics }: MetricsJson, name: string, labels: Labels = {}): number {
  const samples = metrics.flatMap((metric) => metric.samples).filter((sample) => sample.name === name);
  const fitting = samples.filter((sample) =>
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return add(fitting.map(({ value }) => value));
}

function series({ metrics }: MetricsJson, name: string): number {
  return metrics.find((metric) => metric.name === name)?.samples.length ?? 0;
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function close(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${what}: ${actual} is not ${expected}`);
}

type Begins = "turn.started" | "call.started" | "step.started";
type Ends = "turn.ended" | "call.ended" | "step.ended";

/** Looks back from each end to its beginning, or to the resume that came after it. */
function durations(events: readonly RunEvent[], begins: Begins, ends: Ends): readonly number[] {
  return of(events, ends).map((end) => {
    const began = events.find((event) => event.type === begins && positionOf(event) === positionOf(end));
    const resumed = of(events, "run.resumed").findLast(({ seq }) => seq < end.seq);
    return (end.at - Math.max(began?.at ?? 0, resumed?.at ?? 0)) / 1_000;
  });
}

function positionOf(event: RunEvent): string {
  if (event.type === "turn.started" || event.type === "turn.ended") return event.turn;
  if (event.type === "step.started" || event.type === "step.ended") return event.step;
  return event.type === "call.started" || event.type === "call.ended" ? event.call : "";
}

/** Returns each segment's duration and the time of its first text; a run that is cancelled while it waits has none. */
function toSegments(
  events: readonly RunEvent[],
): readonly { readonly ms: number; readonly firstMs: number | undefined }[] {
  const begins = events.filter(({ type }) => type === "run.started" || type === "run.resumed");
  return begins.map((begin) => {
    const rest = events.slice(begin.seq);
    const last = rest.findIndex(({ type }) => type === "run.paused" || type === "run.ended");
    const first = rest.slice(0, last).find(({ type }) => type === "text.delta");
    return {
      ms: (rest[last]?.at ?? begin.at) - begin.at,
      firstMs: first === undefined ? undefined : first.at - begin.at,
    };
  });
}

function unitOf(name: string): string {
  const words = name.split("_");
  if (words.includes("usd")) return "USD";
  return ["seconds", "bytes", "tokens"].find((unit) => words.includes(unit)) ?? "count";
}
