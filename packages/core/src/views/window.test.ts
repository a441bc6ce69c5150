import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import type { Message } from "../words/message.ts";
import type { Model } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const history = Array.from({ length: 20 }, (_, at): Message => ({
  role: "user",
  content: `message ${at} ${"x".repeat(80)}`,
}));

async function run(model: Partial<Model>, { system = "", context = "", maxContextTokens = 800, tools = 0 } = {}) {
  const seen: number[] = [];
  const script = scriptModel({ a: [{ say: "ok" }] });
  const names = Array.from({ length: tools }, (_, at) => `Tool${at}`);
  const crew = defineCrew({
    name: "w",
    agents: [{ id: "a", isTerminal: true, systemPrompt: system || "Be brief.", context, tools: names }],
    tools: names.map((name) =>
      defineTool({ name, description: "x".repeat(400), effect: "read", input: z.object({}), run: () => 1 }),
    ),
    settings: { maxContextTokens },
  });
  await using engine = new Engine({
    model: () => ({
      ...script,
      ...model,
      stream(prompt, scope) {
        seen.push(prompt.messages.length);
        return script.stream(prompt, scope);
      },
    }),
  });
  const { events } = await collect(engine.start(crew, { input: "now", history }));
  return { shown: seen[0] ?? 0, events };
}

test("system text, context and tool specifications count in the window", async () => {
  const bare = await run({});
  assert.deepEqual(of(bare.events, "history.trimmed"), []);
  for (const more of [{ system: "s".repeat(1_600) }, { context: "c".repeat(1_600) }, { tools: 4 }]) {
    const { shown, events } = await run({}, more);
    const [trimmed] = of(events, "history.trimmed");
    assert.ok(trimmed !== undefined && shown < bare.shown);
    assert.ok(trimmed.tokensBefore > 800 && trimmed.tokensAfter <= 640, JSON.stringify(trimmed));
  }
});

test("the model's own window is kept where it is known and smaller", async () => {
  const { events } = await run({ contextTokens: 300 }, { maxContextTokens: 128_000 });
  assert.ok((of(events, "history.trimmed")[0]?.tokensAfter ?? Infinity) <= 240);
});

test("what must be kept and does not fit is a warning that says by how much", async () => {
  const { events } = await run({}, { system: "s".repeat(8_000) });
  const [warning] = of(events, "warning.raised");
  assert.match(warning?.text ?? "", /the prompt of a is about 1,\d{3} tokens larger than the window of 800/);
});
