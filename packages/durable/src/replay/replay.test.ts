import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type Crew, type CrewDefinition, defineCrew, defineTool, Engine, type RunEvent } from "@baton/core";
import { isKeyed } from "@baton/core/engine";
import { of, simulate } from "@baton/core/testing";
import { parseEvent } from "@baton/store";
import { replay } from "./replay.ts";
import { playRun, continueRun } from "../testing/play-run.ts";
import { ANYTHING, SHOP, shop, shopModel, tool } from "../testing/shop.ts";

/** Fields that come from outside: the run cannot know that they were changed. */
const INPUTS: readonly string[] = ["run.started", "command.received"];
/** Fields that a replay copies, or that give an event's place. */
const COPIED: readonly string[] = ["run", "seq", "at", "lane", "type", "receipt", "model", "tokens", "window"];
/** Fields of events without a lane that must be equal nevertheless, but for the words of people and the names of keys. */
const KEYED: readonly string[] = ["run.paused", "question.opened"];
const KEYS: readonly string[] = ["question", "call", "kind"];
/** Fields that events of a lane have only sometimes. */
const OPTIONAL: readonly string[] = ["error", "content"];

/** Situations that the random runs must have met to prove something about them. */
const RARE: { readonly [what: string]: (event: RunEvent) => boolean } = {
  "a run was configured": (event) => event.type === "command.received" && event.command.type === "configure",
  "a model said nothing": (event) => event.type === "warning.raised" && event.text.includes("gave an empty reply"),
  "a model said nothing, twice": (event) => event.type === "turn.ended" && event.error?.code === "empty_reply",
  "another agent continued after a failure": (event) => event.type === "handoff.made" && event.via === "failure",
  "an agent was stuck": (event) => event.type === "warning.raised" && event.text.includes("max_repeated_calls"),
  "a call was cancelled alone": (event) => event.type === "call.ended" && event.error?.kind === "cancelled",
  "the client carried a call out": (event) => event.type === "question.answered" && event.question.endsWith("/tool"),
  "a lane was cancelled alone": (event) => event.type === "turn.ended" && event.error?.lane !== undefined,
};

/** The same crew with tools that must not be called. */
function untouchable(crew: Crew): Crew {
  const tools = Array.from(crew.tools, ([name, one]) => {
    const run = () => assert.fail("a tool was called");
    const prepare: typeof one.prepare = async (args) => {
      const prepared = await one.prepare(args);
      return prepared.ok ? { ok: true, run } : prepared;
    };
    return [name, { ...one, prepare }] as const;
  });
  return { ...crew, tools: new Map(tools) };
}

/** Where each event of a line is, but for what came from outside. */
function lineOf(events: readonly RunEvent[]): readonly number[] {
  return events.flatMap((event, at) => (isKeyed(event) || INPUTS.includes(event.type) ? [] : at));
}

/** The log of an undisturbed run of the shop. */
async function shopEvents(): Promise<readonly RunEvent[]> {
  return (await playRun(shop, shopModel, { input: "pay", id: "first" })).events;
}

describe("the same crew", () => {
  test("400 random runs say the same again, with no tool called, whatever happened in them", async () => {
    const met = new Set<string>();
    for (let seed = 1; seed <= 400; seed++) {
      const { crew, events } = await simulate(seed);
      const difference = await replay(untouchable(crew), events);
      assert.equal(difference, undefined, `seed ${seed}: ${difference?.text}`);
      for (const [what, isThere] of Object.entries(RARE)) if (events.some(isThere)) met.add(what);
    }
    assert.deepEqual([...met].toSorted(), Object.keys(RARE).toSorted());
  });

  test("a run that was interrupted anywhere says the same up to the end of its log", async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { crew, events } = await simulate(seed);
      for (const { seq } of events) {
        const difference = await replay(crew, events.slice(0, seq));
        assert.equal(difference, undefined, `seed ${seed} up to ${seq}: ${difference?.text}`);
      }
    }
  });

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
  test("differs at the event of which any field is another", async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { crew, events } = await simulate(seed);
      const others = events.flatMap(({ type }, at) => (KEYED.includes(type) ? at : []));
      for (const at of [...lineOf(events), ...others]) {
        const event = events[at] ?? assert.fail();
        for (const field of Object.keys(event).filter(
          (name) => !isCopied(events, at, name) && !(isKeyed(event) && KEYS.includes(name)),
        )) {
          const difference = await replay(crew, events.with(at, { ...event, [field]: "changed" }));
          assert.equal(difference?.seq, event.seq, `seed ${seed}, ${field} of ${event.type} at ${event.seq}`);
          assert.ok(difference.text.includes(event.type), difference.text);
        }
      }
    }
  });

  test("differs at the event that lacks something which the run says now", async () => {
    const lacking = new Map(OPTIONAL.map((field) => [field, 0]));
    for (let seed = 1; seed <= 60; seed++) {
      const { crew, events } = await simulate(seed);
      for (const at of lineOf(events)) {
        const event = events[at] ?? assert.fail();
        for (const field of OPTIONAL.filter((name) => name in event && !isCopied(events, at, name))) {
          // What is undefined is not in the JSON.
          const rest = parseEvent(JSON.stringify({ ...event, [field]: undefined }));
          const difference = await replay(crew, events.with(at, rest));
          assert.equal(difference?.seq, event.seq, `seed ${seed}, ${field} of ${event.type} at ${event.seq}`);
          lacking.set(field, (lacking.get(field) ?? 0) + 1);
        }
      }
    }
    for (const [field, count] of lacking) assert.ok(count > 0, `no event has ${field}`);
  });

  test("differs if an event of a line is missing, at the latest at the next event of that line", async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { crew, events } = await simulate(seed);
      for (const at of lineOf(events)) {
        const event = events[at] ?? assert.fail();
        const isLate = event.type === "warning.raised" && event.text.endsWith("came too late");
        // Without its end a run has only not ended yet.
        if (event.type === "run.ended" || isLate) continue;
        const next = events.find(({ seq, lane }) => seq > event.seq && isWithin(event.lane, lane));
        const difference = await replay(crew, events.toSpliced(at, 1));
        const found = difference?.seq ?? Infinity;
        assert.ok(next !== undefined && found > event.seq, `seed ${seed}, ${event.type} at ${event.seq}`);
        const later = events.slice(at + 1).filter((one) => !isKeyed(one) && isWithin(event.lane, one.lane));
        assert.ok(found <= (later[0]?.seq ?? 0), `seed ${seed}, ${event.type} at ${event.seq}: ${difference?.text}`);
      }
    }
  });

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
    assert.ok(difference?.logged.type === "call.started" && difference.lane === "2/both/two", difference?.text);
  });

  test("that does not wait, or has other limits, differs where that counts", async () => {
    assert.equal((await against({ behaviors: {} })).difference?.logged.type, "run.paused");
    const { difference } = await against({ settings: { maxHandoffs: 1 } });
    assert.equal(difference?.logged.type, "handoff.made");
    assert.ok(typeof difference.now === "object" && difference.now.type === "limit.reached");
    assert.equal((await against({ settings: { maxOutputChars: 7 } })).difference?.seq, 1);
  });
});

/** Whether a replay takes a field from the log; why a run was cancelled while it waited came from outside. */
function isCopied(events: readonly RunEvent[], at: number, field: string): boolean {
  const [before, event] = [events[at - 1], events[at]];
  const isReason = event?.type === "run.ended" && event.outcome === "cancelled" && before?.type === "run.paused";
  return COPIED.includes(field) || (isReason && field === "error");
}

/** Whether a lane is another one, or inside of it. */
function isWithin(lane: string, other: string): boolean {
  return other === "" || lane === other || lane.startsWith(`${other}/`);
}

async function* speak() {
  yield [
    { type: "text", text: "hello" } as const,
    { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const,
  ];
}
