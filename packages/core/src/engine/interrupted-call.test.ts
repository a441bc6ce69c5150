/** A call that something else ended in the middle: repeated if that is safe, a question to a person if not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "./engine.ts";
import { scriptModel } from "../ports/script.ts";
import { of } from "../testing/index.ts";
import { ToolError } from "../words/error.ts";
import type { Effect } from "../words/event.ts";

const input = { jsonSchema: { type: "object" }, validate: (value: unknown) => ({ ok: true as const, value }) };

/** A crew whose tool is interrupted the first times that it is called. */
function payingCrew(effect: Effect, interruptions: number) {
  const started: string[] = [];
  const pay = defineTool({
    name: "Pay",
    description: "Pays.",
    effect,
    input,
    run: (_, { key }) => {
      started.push(key);
      if (started.length > interruptions) return "paid";
      throw new ToolError("temporary", "Spin ended the thread", { isInterrupted: true });
    },
  });
  const crew = defineCrew({
    name: "shop",
    agents: [{ id: "a", tools: ["Pay"], isTerminal: true }],
    tools: [pay],
    permissions: { Pay: "allow" },
    settings: { retryMinMs: 0, retryMaxMs: 0 },
  });
  return { crew, started };
}

const model = () => scriptModel({ a: [{ call: [{ tool: "Pay" }] }, { say: "Done." }] });

test("an interrupted call that cannot be undone is a question, each time anew, and runs again only if a person says so", async () => {
  const { crew, started } = payingCrew("irreversible", 2);
  await using engine = new Engine({ model });
  let run = engine.start(crew, { input: "x" });
  for (const question of ["1.1.1/doubt", "1.1.1/doubt-2"]) {
    const { outcome, questions } = await run.result;
    assert.equal(outcome, "paused");
    assert.deepEqual(
      questions.map((open) => [open.question, open.kind]),
      [[question, "doubt"]],
    );
    run = (await run.command({ type: "answer", question, value: "again" })).run;
  }
  assert.equal((await run.result).outcome, "done");
  assert.equal(started.length, 3);
  assert.equal(new Set(started).size, 1);
  const events = await Array.fromAsync(run.events());
  assert.deepEqual(
    of(events, "call.ended").map(({ output }) => output),
    ["paid"],
  );
});

test("an interrupted call that a person skips is not made again, and the model reads why", async () => {
  const { crew, started } = payingCrew("irreversible", 1);
  await using engine = new Engine({ model });
  const paused = engine.start(crew, { input: "x" });
  await paused.result;
  const { run } = await paused.command({ type: "answer", question: "1.1.1/doubt", value: "skip" });
  await run.result;
  const [ended] = of(await Array.fromAsync(run.events()), "call.ended");
  assert.equal(ended?.error?.kind, "permanent");
  assert.equal(started.length, 1);
});

for (const effect of ["read", "idempotent"] as const) {
  test(`an interrupted call with the effect ${effect} is tried again`, async () => {
    const { crew, started } = payingCrew(effect, 1);
    await using engine = new Engine({ model });
    const run = engine.start(crew, { input: "x" });
    assert.equal((await run.result).outcome, "done");
    assert.equal(started.length, 2);
  });
}

test("the thread of a tool is started before the time of its call begins", async () => {
  const order: string[] = [];
  const { crew } = payingCrew("read", 0);
  const [pay] = crew.tools.values();
  assert.ok(pay);
  const warmUp = async (tenant: string | undefined) => {
    order.push(`warm ${tenant}`);
  };
  const warmed = defineCrew({ name: "shop", agents: [{ id: "a", tools: ["Pay"] }], tools: [{ ...pay, warmUp }] });
  await using engine = new Engine({ model });
  await engine.start(warmed, { input: "x", tenant: "acme" }).result;
  assert.deepEqual(order, ["warm acme"]);
});
