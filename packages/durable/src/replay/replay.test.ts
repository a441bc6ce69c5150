import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type CrewDefinition, defineCrew, defineTool, Engine, type RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { replay } from "./replay.ts";
import { playRun, continueRun } from "../testing/play-run.ts";
import { testRandomReplays } from "../testing/replay-suite.ts";
import { ANYTHING, SHOP, shop, shopModel, tool } from "../testing/shop.ts";

/** The log of an undisturbed run of the shop. */
async function shopEvents(): Promise<readonly RunEvent[]> {
  return (await playRun(shop, shopModel, { input: "pay", id: "first" })).events;
}

testRandomReplays({ many: Array.from({ length: 30 }, (_, seed) => seed + 1), few: [1, 2, 3, 4] });

describe("the same crew", () => {
  test("a run that was interrupted anywhere, twice, and continued says the same again", async () => {
    const first = await shopEvents();
    const doubts: string[] = [];
    for (const { seq } of first.slice(0, -1)) {
      const second = await continueRun(shop, shopModel, { events: first.slice(0, seq) });
      const cut = seq + Math.floor((second.events.length - seq) * ((seq % 7) / 7));
      const third = await continueRun(shop, shopModel, { events: second.events.slice(0, cut) });
      doubts.push(
        ...of(third.events, "question.opened").map(({ kind, question }) => (kind === "doubt" ? question : "")),
      );
      const difference = await replay(shop, third.events);
      assert.equal(difference, undefined, `cut at ${seq} and ${cut}: ${difference?.text}`);
      assert.equal(third.content, "All is paid.");
    }
    assert.ok(doubts.some((question) => question.endsWith("/doubt")));
  });

  test("a call that was interrupted twice is asked about twice, and says the same again", async () => {
    const first = await shopEvents();
    const cutAtPay = (events: readonly RunEvent[]) => {
      const last = of(events, "effect.intended").findLast(({ key }) => key === "1.1.1");
      return events.slice(0, last?.seq);
    };
    const second = await continueRun(shop, shopModel, { events: cutAtPay(first) });
    const { events } = await continueRun(shop, shopModel, { events: cutAtPay(second.events) });
    const doubts = of(events, "question.opened").filter(({ kind }) => kind === "doubt");
    assert.deepEqual(
      doubts.map(({ question }) => question),
      ["1.1.1/doubt", "1.1.1/doubt-2"],
    );
    assert.equal(await replay(shop, events), undefined);
  });

  test("a run whose history outgrew the window says the same again, after messages too", async () => {
    const crew = defineCrew({ ...SHOP, settings: { maxContextTokens: 40 } });
    const { events } = await playRun(crew, shopModel, { input: "pay ".repeat(20), id: "first" });
    const resumed = of(events, "run.resumed").find(({ input }) => input !== undefined) ?? assert.fail();
    assert.ok(of(events, "history.trimmed").some(({ seq }) => seq > resumed.seq));
    assert.equal(await replay(crew, events), undefined);
  });

  test("a call that was skipped after a doubt says the same again", async () => {
    const first = await shopEvents();
    const intended = of(first, "effect.intended").find(({ key }) => key === "1.1.1") ?? assert.fail();
    const { events } = await continueRun(shop, shopModel, { events: first.slice(0, intended.seq), doubt: "skip" });
    assert.ok(of(events, "call.ended").some(({ call, error }) => call === "1.1.1" && error?.kind === "permanent"));
    assert.equal(await replay(shop, events), undefined);
  });

  test("a call whose arguments were still being looked at when the run was cancelled says the same again", async () => {
    const jsonSchema = { type: "object" };
    const looked = Promise.withResolvers<void>();
    const validate = async (value: unknown) => looked.promise.then(() => ({ ok: true, value }) as const);
    const pay = defineTool({ ...tool("Pay", "irreversible"), input: { jsonSchema, validate }, run: () => "paid" });
    const crew = defineCrew({ ...SHOP, tools: [tool("Look", "read"), tool("Save", "idempotent"), pay] });
    await using engine = new Engine({ model: () => shopModel, graceMs: 1 });
    const run = engine.start(crew, { input: "pay" });
    for await (const { type } of run.events()) if (type === "call.started") break;
    await run.command({ type: "cancel" });
    looked.resolve();
    const events = await Array.fromAsync(run.events());
    assert.deepEqual(of(events, "question.opened"), []);
    assert.equal(await replay(crew, events), undefined);
  });

  test("a run that never got its turn has nothing to say", async () => {
    const [started] = await shopEvents();
    assert.ok(started?.type === "run.started");
    const error = { code: "cancelled", message: "given up" } as const;
    const stamp = { run: "first", seq: 2, at: 0, lane: "" };
    const ended = { type: "run.ended", outcome: "cancelled", by: "command", agent: "", text: "", error } as const;
    assert.equal(await replay(shop, [started, { ...stamp, ...ended }]), undefined);
  });
});

describe("a log that was changed", () => {
  test("differs if a paused run had more to do, or another agent was resumed", async () => {
    const events = await shopEvents();
    const paused = of(events, "run.paused")[0] ?? assert.fail();
    const rest = events.slice(0, paused.seq).filter((event) => event.type !== "call.ended" || event.tool !== "Look");
    const difference = await replay(shop, rest);
    assert.equal(difference?.seq, paused.seq);
    assert.equal(difference.now, "would use Look (call 1.1.2)");
    const resumed = of(events, "run.resumed").find(({ input }) => input !== undefined) ?? assert.fail();
    const other = await replay(shop, events.with(resumed.seq - 1, { ...resumed, agent: "lead" }));
    assert.equal(other?.seq, resumed.seq);
  });

  test("has no beginning", async () => {
    const events = await shopEvents();
    await assert.rejects(replay(shop, events.slice(1)), { code: "damaged" });
    await assert.rejects(replay(shop, []), { code: "damaged" });
  });
});

describe("a changed crew", () => {
  /** Replays the shop's run against a crew that is a little different. */
  async function against(changes: Partial<CrewDefinition>) {
    const { events } = await playRun(shop, shopModel, { input: "pay", id: "first" });
    const difference = await replay(defineCrew({ ...SHOP, ...changes }), events);
    return { events, difference };
  }

  test("that changes nothing has no difference", async () => {
    const agents = SHOP.agents.map((agent) => ({ ...agent, systemPrompt: "Be brief.", temperature: 0 }));
    assert.equal((await against({ agents, name: "other", tasks: [] })).difference, undefined);
    assert.equal((await against({ agents: SHOP.agents.toReversed(), entry: "lead" })).difference, undefined);
  });

  test("that leads a signal elsewhere differs at the signal", async () => {
    const signals = { lead: [{ signal: "[BOTH]", target: "clerk" }], clerk: [{ signal: "[END]", target: "end" }] };
    const { events, difference } = await against({ signals });
    assert.equal(difference?.logged, of(events, "signal.matched")[0]);
    assert.equal(
      difference?.text,
      `event ${difference?.seq} was signal.matched: its target would be "clerk" now and was "both"`,
    );
  });

  test("in which the baton falls elsewhere differs at the handoff", async () => {
    const agents = [{ id: "a" }, { id: "b", isTerminal: true }, { id: "c", isTerminal: true }];
    const crew = { name: "c", agents, autoRoute: true };
    const model = { name: "polite", stream: speak };
    const { events } = await playRun(defineCrew(crew), model, { input: "x", id: "first" });
    assert.equal(await replay(defineCrew(crew), events), undefined);
    const [a, b, c] = crew.agents;
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    const difference = await replay(defineCrew({ ...crew, agents: [a, c, b] }), events);
    assert.equal(difference?.logged.type, "handoff.made");
    assert.ok(
      typeof difference.now === "object" && difference.now.type === "handoff.made" && difference.now.to === "c",
    );
  });

  test("that refuses a call differs where the call was made, and one that asks differs there too", async () => {
    const { difference: denied } = await against({ permissions: { Look: "deny" } });
    assert.ok(denied?.logged.type === "call.ended" && denied.logged.tool === "Look");
    const { difference: asked } = await against({ permissions: { Look: "ask" } });
    assert.ok(asked?.logged.type === "call.ended" && asked.logged.tool === "Look");
    assert.equal(asked.now, "would ask: lead wants to use Look");
    const { difference: allowed } = await against({ permissions: { Pay: "allow" } });
    assert.equal(allowed?.logged.type, "question.opened");
    const tools = [tool("Look", "read"), tool("Save", "idempotent"), tool("Pay", "irreversible")];
    assert.equal((await against({ tools })).difference?.logged.type, "permission.decided");
  });

  test("differs at its first other decision, also if another call is slow to look at its arguments", async () => {
    const save = SHOP.tools?.find(({ name }) => name === "Save") ?? assert.fail();
    const prepare: typeof save.prepare = async (args) => {
      for (let tick = 0; tick < 100; tick++) await Promise.resolve();
      return save.prepare(args);
    };
    const run = () => setTimeout(5, "seen");
    const look = defineTool({ ...tool("Look", "read"), input: ANYTHING, run });
    const then = defineCrew({ ...SHOP, tools: [look, tool("Pay", "irreversible"), save] });
    const { events } = await playRun(then, shopModel, { input: "pay", id: "first" });
    const tools = [look, tool("Pay", "irreversible"), { ...save, prepare }];
    const difference = await replay(defineCrew({ ...SHOP, tools, permissions: { Look: "ask" } }), events);
    assert.ok(difference?.logged.type === "call.ended" && difference.logged.tool === "Look", difference?.text);
  });

  test("without a tool, a group's member or an agent differs where it was first needed", async () => {
    const without = SHOP.agents.map((agent) => ({
      ...agent,
      tools: (agent.tools ?? []).filter((name) => name !== "Look"),
    }));
    assert.equal((await against({ agents: without })).difference?.logged.type, "call.ended");
    const groups = { both: { agents: ["two"], nextAgent: "clerk" } };
    assert.equal((await against({ groups })).difference?.logged.type, "group.started");
    const member = SHOP.agents.map((agent) => (agent.id === "two" ? { ...agent, tools: [] } : agent));
    const { difference } = await against({ agents: member });
    // A step that is offered no tools is another step already.
    assert.ok(difference?.logged.type === "step.started" && difference.lane === "2/both/two", difference?.text);
  });

  test("that does not wait, or has other limits, differs where that counts", async () => {
    assert.equal((await against({ behaviors: {} })).difference?.logged.type, "run.paused");
    const { difference } = await against({ settings: { maxHandoffs: 1 } });
    assert.equal(difference?.logged.type, "handoff.made");
    assert.ok(typeof difference.now === "object" && difference.now.type === "limit.reached");
    assert.equal((await against({ settings: { maxOutputChars: 7 } })).difference?.seq, 1);
  });
});

async function* speak() {
  yield [
    { type: "text", text: "hello" } as const,
    { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const,
  ];
}
