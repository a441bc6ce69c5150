/** A receipt names each piece of work once, with what may still be running first, and says when each ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, defineTool, Engine, type Model, scriptModel } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { z } from "zod";
import { fateOf, readReceipt } from "./receipt-lines.ts";
import { RunStore } from "./run-store.ts";

const toTool = (name: string, run: (scope: Scope) => Promise<string>) =>
  defineTool({ name, description: name, effect: "read", input: z.object({}), run: (_, { scope }) => run(scope) });
const untilAborted = (scope: Scope): Promise<void> =>
  new Promise((resolve) => scope.abort.addEventListener("abort", () => resolve()));

const stuck = toTool("Stuck", () => new Promise<never>(() => {}));
const polite = toTool("Polite", async (scope) => {
  await untilAborted(scope);
  throw new Error("aborted");
});
const late = toTool("Late", async (scope) => {
  await untilAborted(scope);
  return "done all the same";
});

/** Writes until it is aborted. */
const writer: Model = {
  name: "writer",
  async *stream(_, { abort }) {
    yield [{ type: "text", text: "So " }];
    await new Promise((_resolve, reject) => abort.addEventListener("abort", () => reject(abort.reason)));
  },
};

/** A run that is cancelled once so many calls have started. */
async function cancel(crew: Crew, model: (agent: string) => Model, calls: number): Promise<RunStore> {
  await using engine = new Engine({ model: ({ id }) => model(id) });
  const run = engine.start(crew, { input: "Go" });
  const store = new RunStore("r", (work) => work());
  let started = 0;
  for await (const event of run.events()) {
    store.ingest([event]);
    if (event.type === "call.started" && ++started === calls) run.command({ type: "cancel" }).catch(() => {});
  }
  return store;
}

test("a call that did not stop is abandoned, under its tool's name and position, and without a time, which is not known", async () => {
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Stuck"] }], tools: [stuck] });
  const model = scriptModel({ a: [{ call: [{ tool: "Stuck", args: {} }] }] });
  const { story } = await cancel(crew, () => model, 1);
  const { lines, settledMs } = readReceipt(story);
  assert.deepEqual(lines[0], { fate: "abandoned", name: "Stuck", position: "1.1.1" });
  assert.ok(lines.every(({ name }) => !name.includes(":")));
  assert.equal(settledMs, undefined);
});

test("each piece of work has its fate, and ends no later than all of it has settled", async () => {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "lead" }, { id: "worker", tools: ["Stuck", "Polite", "Late"] }, { id: "other" }],
    tools: [stuck, polite, late],
    signals: { lead: [{ signal: "[GO]", target: "both" }] },
    groups: { both: { agents: ["worker", "other"], nextAgent: "lead" } },
  });
  const calls = ["Stuck", "Polite", "Late"].map((tool) => ({ tool, args: {} }));
  const script = scriptModel({ lead: [{ say: "[GO]" }], worker: [{ call: calls }] });
  const { story } = await cancel(crew, (agent) => (agent === "other" ? writer : script), 3);
  const { lines, settledMs } = readReceipt(story);
  assert.deepEqual(
    lines.map(({ fate, name }) => `${fate} ${name}`),
    ["abandoned Stuck", "finished Late", "stopped worker", "stopped Polite", "stopped other"],
  );
  assert.ok(settledMs !== undefined);
  for (const { ms, position } of lines) {
    assert.ok(ms !== undefined && ms >= 0 && ms <= settledMs, `${position} after ${ms} of ${settledMs} ms`);
  }
  const spans = story.turns.flatMap(({ steps }) => steps.flatMap((step) => step.calls));
  assert.deepEqual(
    spans.map((call) => [call.tool, fateOf(story, call.call, call)]),
    [
      ["Stuck", "abandoned"],
      ["Polite", "stopped"],
      ["Late", "finished"],
    ],
  );
});

test("a call that was stopped alone has a fate in a run that went on; one that failed or ended has none", async () => {
  const broken = toTool("Broken", () => Promise.reject(new Error("no such file")));
  const quick = toTool("Quick", () => Promise.resolve("done"));
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Polite", "Broken", "Quick"] }],
    tools: [polite, broken, quick],
  });
  const calls = ["Polite", "Broken", "Quick"].map((tool) => ({ tool, args: {} }));
  await using engine = new Engine({ model: () => scriptModel({ a: [{ call: calls }, { say: "Well." }] }) });
  const run = engine.start(crew, { input: "Go" });
  const kept = new RunStore("r", (work) => work());
  for await (const event of run.events()) {
    kept.ingest([event]);
    const isPolite = event.type === "call.started" && event.tool === "Polite";
    if (isPolite) run.command({ type: "cancel", call: event.call }).catch(() => {});
  }
  const spans = kept.story.turns.flatMap(({ steps }) => steps.flatMap((step) => step.calls));
  assert.deepEqual(
    spans.map((call) => [call.tool, fateOf(kept.story, call.call, call)]),
    [
      ["Polite", "stopped"],
      ["Broken", undefined],
      ["Quick", undefined],
    ],
  );
  assert.deepEqual(readReceipt(kept.story), { lines: [] });
});
