import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const wait = defineTool({
  name: "Wait",
  description: "Waits.",
  effect: "read",
  input: z.object({ ms: z.number() }),
  run: ({ ms }, { scope }) => scope.sleep(ms).then(() => "waited"),
});
const crew = defineCrew({
  name: "c",
  agents: [{ id: "a", tools: ["Wait"], isTerminal: true }],
  tools: [wait],
  signals: { a: [{ signal: "[NEXT]", target: "" }] },
});
const waiting = (ms: number) => ({ call: [{ tool: "Wait", args: { ms } }] });

/** Cancels the run after a second. */
async function cancelled(entries: readonly ScriptEntry[]) {
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => scriptModel({ a: entries }) });
  const run = engine.start(crew, { input: "go" });
  await clock.advance(1_000);
  await clock.run(run.command({ type: "cancel" }));
  const { outcome, content, raw } = await run.result;
  assert.equal(outcome, "cancelled");
  const [turn] = of(await Array.fromAsync(run.events()), "turn.ended");
  return { content, raw, turn: turn?.text };
}

test("what an agent says before a call is commentary: it is not the answer of a run that is cancelled", async () => {
  const { content, raw, turn } = await cancelled([{ say: "Let me look. [NEXT]", ...waiting(20_000) }]);
  assert.deepEqual([content, raw, turn], ["", "", ""]);
});
