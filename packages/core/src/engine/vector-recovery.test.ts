import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { RunEvent } from "../words/event.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of, play, type Replies } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const long = Array.from({ length: 40 }, (_, at) => at / 40);

const embed = defineTool({
  name: "Embed",
  description: "Embeds a text.",
  effect: "read",
  input: z.object({}),
  run: () => ({ embedding: long }),
});
const confirm = defineTool({
  name: "Confirm",
  description: "Does what cannot be undone.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "confirmed",
});
const measure = defineTool({
  name: "Measure",
  description: "Gives the length of a vector.",
  effect: "read",
  input: z.object({ vector: z.array(z.number()) }),
  run: ({ vector }) => vector.length,
});

const crew = defineCrew({
  name: "v",
  agents: [
    { id: "embedder", tools: ["Embed", "Confirm", "Measure"] },
    { id: "finder", tools: ["Confirm", "Measure"], isTerminal: true },
  ],
  tools: [embed, confirm, measure],
  defaults: { embedder: "finder" },
});

const embedding = { call: [{ tool: "Embed" }] };
const confirming = { call: [{ tool: "Confirm" }] };
const RUN = { id: "r" };

/** A call with the vector's key, as the model was told it. */
async function toMeasuring(): Promise<ScriptEntry> {
  const { history } = await play(crew, { embedder: [embedding, { say: "A" }], finder: [{ say: "ok" }] }, RUN);
  const told = history.find(({ role }) => role === "tool")?.content ?? "";
  const vector = told.slice(told.indexOf(": ") + 2, told.indexOf("]"));
  return { call: [{ tool: "Measure", args: { vector } }] };
}

/** Another process goes on with a run that was interrupted, or waits for one approval, which it gets. */
async function recover(events: readonly RunEvent[], replies: Replies) {
  const id = events[0]?.run ?? "";
  await using engine = new Engine({
    model: () => scriptModel(replies),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of events) log.open(id).append(event, event.lane);
      return log;
    },
  });
  const run = engine.adopt(crew, { id, events });
  const [open] = (await run.result).questions;
  if (open === undefined) return await collect(run);
  const answered = await run.command({ type: "answer", question: open.question, value: "allow" });
  return await collect(answered.run);
}

const measured = (events: readonly RunEvent[]) =>
  of(events, "call.ended").find(({ tool }) => tool === "Measure")?.output;

test("a vector from before a pause can be given by its key after it, in the same turn and in a later one", async () => {
  const measuring = await toMeasuring();
  const within: Replies = { embedder: [embedding, confirming, measuring, { say: "A" }], finder: [{ say: "ok" }] };
  const later: Replies = { embedder: [embedding, { say: "A" }], finder: [confirming, measuring, { say: "ok" }] };
  for (const replies of [within, later]) {
    const paused = await play(crew, replies, RUN);
    assert.deepEqual([paused.outcome, measured(paused.events)], ["paused", undefined]);
    const { outcome, events } = await recover(paused.events, replies);
    assert.deepEqual([outcome, measured(events)], ["done", 40]);
  }
});

test("a vector from before a crash can be given by its key, whenever the crash comes", async () => {
  const replies: Replies = { embedder: [embedding, { say: "A" }], finder: [await toMeasuring(), { say: "ok" }] };
  const { events: all } = await play(crew, replies, RUN);
  for (let end = 1; end < all.length; end++) {
    const { outcome, events } = await recover(all.slice(0, end), replies);
    assert.deepEqual([outcome, measured(events)], ["done", 40], `after ${all[end - 1]?.type}`);
  }
});
