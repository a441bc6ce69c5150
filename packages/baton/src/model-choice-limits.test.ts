import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, type Model, scriptModel } from "@baton/core";
import { openBaton } from "./baton.ts";

test("a model in code is held to the limits that the caller of a run sets", async () => {
  const crew = defineCrew({ name: "shop", agents: [{ id: "clerk", isTerminal: true }] });
  await using baton = await openBaton({ model: scriptModel({ clerk: [{ say: "Green tea." }] }), store: "memory" });
  const refused = await baton.start(crew, "What shall I drink?", { limits: { maxTokens: 20 } }).result;
  assert.deepEqual([refused.outcome, refused.error?.limit], ["limit", { name: "max_tokens", value: 20 }]);
  const fits = await baton.start(crew, "What shall I drink?", { limits: { maxTokens: 20_000 } }).result;
  assert.deepEqual([fits.outcome, fits.content], ["done", "Green tea."]);
});

test("a model in code is held to the limits of its crew, and its calls are counted", async () => {
  let calls = 0;
  const model: Model = {
    name: "openai/gpt-5-mini",
    async *stream() {
      calls++;
      yield [
        { type: "text", text: "Green tea." },
        { type: "end", finish: "stop", usage: { inputTokens: 10, outputTokens: 10 } },
      ];
    },
  };
  const settings = { maxCallsPerDay: 1 };
  const crew = defineCrew({ name: "shop", agents: [{ id: "clerk", isTerminal: true }], settings });
  await using baton = await openBaton({ model: () => model, store: "memory" });
  assert.equal((await baton.start(crew, "What shall I drink?").result).outcome, "done");
  const second = await baton.start(crew, "And then?").result;
  assert.deepEqual([second.outcome, second.error?.limit?.name], ["limit", "max_calls_per_day"]);
  assert.equal(calls, 1);
});
