/** Tokens are counted by the model that reads them: after `configure` has changed the model, all are counted anew. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { Message } from "../words/message.ts";
import { scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const slow = defineTool({
  name: "Slow",
  description: "Takes a second.",
  effect: "read",
  input: z.object({}),
  run: (_, { scope }) => scope.sleep(1_000).then(() => "slept"),
});
const crew = defineCrew({
  name: "c",
  agents: [{ id: "a", model: { name: "old/model" }, tools: ["Slow"], isTerminal: true }],
  tools: [slow],
  settings: { maxContextTokens: 1_000 },
});
const history: readonly Message[] = Array.from({ length: 8 }, (_, at) => ({
  role: at % 2 === 0 ? "user" : "assistant",
  content: `Message ${at}.`,
}));

test("a model that counts more tokens than the one before it is given less of the same messages", async () => {
  const clock = new SimulatedClock(1);
  const script = scriptModel({ a: [{ call: [{ tool: "Slow" }] }, { say: "ok" }] });
  const counted: string[] = [];
  const toCounter = (name: string) => (message: Message) => {
    counted.push(`${name}: ${message.content}`);
    return name === "new/model" ? 100 : 1;
  };
  await using engine = new Engine({
    clock,
    model: ({ model: { name } = { name: "none" } }) => ({ ...script, name, countTokens: toCounter(name) }),
  });
  const run = engine.start(crew, { input: "go", history });
  await clock.advance(10);
  await run.command({ type: "configure", model: "new/model" });
  assert.equal((await clock.run(run.result)).outcome, "done");
  const trimmed = of(await Array.fromAsync(run.events()), "history.trimmed");
  assert.deepEqual(
    trimmed.map(({ step }) => step),
    ["1.2"],
  );
  for (const { content } of history) assert.ok(counted.includes(`new/model: ${content}`), content);
});
