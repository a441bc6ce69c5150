/** A receipt names each piece of work once, with what may still be running first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, type RunEvent, scriptModel } from "@baton/core";
import { z } from "zod";
import { RunStore } from "../store/run-store.ts";
import { toReceiptLines } from "./receipt-lines.ts";

const stuck = defineTool({
  name: "Stuck",
  description: "Never ends.",
  effect: "read",
  input: z.object({}),
  run: () => new Promise<never>(() => {}),
});

test("a call that did not stop is abandoned, under its tool's name and position", async () => {
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Stuck"] }], tools: [stuck] });
  await using engine = new Engine({ model: () => scriptModel({ a: [{ call: [{ tool: "Stuck", args: {} }] }] }) });
  const run = engine.start(crew, { input: "Go" });
  const store = new RunStore("r", (work) => work());
  const events: RunEvent[] = [];
  for await (const event of run.events()) {
    events.push(event);
    if (event.type === "call.started") run.command({ type: "cancel" }).catch(() => {});
  }
  store.ingest(events);
  const receipt = store.story.ended?.receipt;
  assert.ok(receipt !== undefined);
  const lines = toReceiptLines(receipt, store.story);
  assert.deepEqual(lines[0], { fate: "abandoned", name: "Stuck", position: "1.1.1" });
  assert.ok(lines.every(({ name }) => !name.includes(":")));
});
