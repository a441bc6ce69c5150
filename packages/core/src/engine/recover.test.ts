import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { Crew } from "../definitions/definition.ts";
import { Engine } from "./engine.ts";
import type { RunEvent } from "../words/event.ts";
import type { Log, RunLog } from "../ports/log.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import { type Script, type ScriptEntry, scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const paid: string[] = [];
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: (_, { key }) => paid.push(key),
});
const shop = defineCrew({
  name: "shop",
  agents: [{ id: "a", tools: ["Pay"], isTerminal: true }],
  tools: [pay],
  permissions: { Pay: "allow" },
});
const paying = { a: [{ call: [{ tool: "Pay" }] }, { say: "ok" }] };

type Replies = Script | { readonly [agent: string]: readonly ScriptEntry[] };

/** An engine that knows these events of a run, and the run as it goes on there. */
function recover(crew: Crew, events: readonly RunEvent[], replies: Replies) {
  const id = events[0]?.run ?? "";
  const engine = new Engine({
    model: () => scriptModel(replies),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of events) log.open(id).append(event, event.lane);
      return log;
    },
  });
  return { engine, run: engine.adopt(crew, { id, events }) };
}

test("the intention is on disk before the effect, and the effect before the next model call", async () => {
  const order: string[] = [];
  const told: readonly string[] = ["effect.intended", "call.ended", "step.started"];
  const slowly = (log: RunLog): RunLog => ({
    get length() {
      return log.length;
    },
    get isSealed() {
      return log.isSealed;
    },
    append(fact, lane) {
      if (told.includes(fact.type)) order.push(fact.type);
      return log.append(fact, lane);
    },
    async committed() {
      await new Promise(setImmediate);
      order.push("on disk");
    },
    appendText: (source, text) => log.appendText(source, text),
    read: (after) => log.read(after),
    grown: (after) => log.grown(after),
    room: () => log.room(),
    remember: (history) => log.remember(history),
    seal: () => log.seal(),
  });
  const spend = defineTool({ ...pay, input: z.object({}), run: () => order.push("paid") });
  const crew = defineCrew({
    name: "shop",
    agents: shop.agents.values().toArray(),
    tools: [spend],
    permissions: { Pay: "allow" },
  });
  const engine = new Engine({
    model: () => scriptModel(paying),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      const opened = new Map<string, RunLog>();
      const open = (id: string) => opened.get(id) ?? opened.set(id, slowly(log.open(id))).get(id) ?? log.open(id);
      return { open, find: (id) => opened.get(id), forget: () => undefined } satisfies Log;
    },
  });
  await engine.start(crew, { input: "x" }).result;
  const from = order.indexOf("effect.intended");
  assert.deepEqual(order.slice(from, from + 6), [
    "effect.intended",
    "on disk",
    "paid",
    "call.ended",
    "on disk",
    "step.started",
  ]);
});

test("an effect that was begun and not recorded is a doubt, each time anew, and each doubt has its own answer", async () => {
  paid.length = 0;
  const first = new Engine({ model: () => scriptModel(paying) }).start(shop, { input: "x", id: "r" });
  await first.result;
  const all = await Array.fromAsync(first.events());
  const intended = all.findIndex(({ type }) => type === "effect.intended");
  let events: readonly RunEvent[] = all.slice(0, intended + 1);
  for (const question of ["1.1.1/doubt", "1.1.1/doubt-2"]) {
    const { run } = recover(shop, events, paying);
    const { questions } = await run.result;
    assert.deepEqual(
      questions.map((open) => open.question),
      [question],
    );
    const after = await run.command({ type: "answer", question, value: "again" });
    await after.run.result;
    const whole = await Array.fromAsync(after.run.events());
    // It crashes again, with the effect begun once more.
    events = whole.slice(0, whole.findLastIndex(({ type }) => type === "effect.intended") + 1);
  }
  assert.equal(paid.length, 3);
});

test("a question that was open before a crash is not opened again", async () => {
  const asks = defineCrew({ name: "shop", agents: [...shop.agents.values()], tools: [pay] });
  const first = new Engine({ model: () => scriptModel(paying) }).start(asks, { input: "x", id: "r" });
  await first.result;
  const events = await Array.fromAsync(first.events());
  const opened = events.findIndex(({ type }) => type === "question.opened");
  const { run } = recover(asks, events.slice(0, opened + 1), paying);
  assert.equal((await run.result).outcome, "paused");
  const after = await run.command({ type: "answer", question: "1.1.1", value: "deny" });
  await after.run.result;
  assert.equal(of(await Array.fromAsync(after.run.events()), "question.opened").length, 1);
});

test("handoffs are counted anew from each user message", async () => {
  const crew = defineCrew({
    name: "w",
    agents: [{ id: "a" }, { id: "b" }],
    defaults: { a: "b" },
    behaviors: { b: { waitForSignal: true } },
    signals: { b: [{ signal: "[BACK]", target: "a" }] },
    settings: { maxHandoffs: 3 },
  });
  const replies = { a: [{ say: "A" }], b: [{ say: "Yes?" }, { say: "[BACK]" }, { say: "And?" }] };
  const engine = new Engine({ model: () => scriptModel(replies) });
  const run = engine.start(crew, { input: "x" });
  await run.result;
  const { outcome } = await engine.resume(run.id, "go on").result;
  assert.equal(outcome, "paused");
  const counts = of(await Array.fromAsync((engine.run(run.id) ?? run).events()), "handoff.made");
  assert.deepEqual(
    counts.map(({ count }) => count),
    [1, 1, 2],
  );
});
