import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineCrew } from "../../definitions/crew.ts";
import type { CrewDefinition, GroupDefinition } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { Model } from "../../ports/model.ts";
import { defineProgram } from "../../ports/program.ts";
import { type ScriptEntry, scriptModel } from "../../ports/script.ts";
import { collect, of, play } from "../../testing/crew-runs.ts";
import { SimulatedClock } from "../../testing/simulated-clock.ts";
import type { Json } from "../../words/json.ts";

/** A crew whose lister gives a list that `check` goes over. */
const listing = (map: Partial<GroupDefinition>, more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "checks",
    ...more,
    agents: [
      { id: "lister", output: { type: "object" } },
      { id: "check" },
      { id: "summary", isTerminal: true },
      ...(more.agents ?? []),
    ],
    signals: { lister: [{ when: {}, target: "checks" }] },
    groups: { checks: { map: "check", over: "output.list", nextAgent: "summary", ...map } },
  });

const script = (list: Json, check: readonly ScriptEntry[]) => ({
  lister: [{ say: JSON.stringify({ list }) }],
  check,
  summary: [{ say: "Summed up." }],
});

const echo = [{ when: "bad", fail: "it is bad" }, { say: "fine" }];

describe("a map", () => {
  test("works on every item in a lane of its own, and its results are in the log and in the state", async () => {
    const input = "Check {{item.symbol}} ({{index}} of {{count}}): {{item}} {{item.none}}{{other}}";
    const inputs: (string | undefined)[] = [];
    const told: (string | undefined)[] = [];
    const seen: unknown[] = [];
    const model = scriptModel(script([{ symbol: "A{{index}}" }, { symbol: "bad" }, { symbol: "C" }], echo));
    const watched: Model = {
      name: "watched",
      stream(prompt, scope) {
        if (prompt.agent === "check") inputs.push(...prompt.messages.map(({ content }) => content));
        if (prompt.agent === "summary") told.push(prompt.messages.at(-1)?.content);
        if (prompt.agent === "summary") seen.push(prompt.values.get("checks"));
        return model.stream(prompt, scope);
      },
    };
    await using engine = new Engine({ model: () => watched });
    const { events, content } = await collect(engine.start(listing({ input }), { input: "go" }));
    assert.equal(content, "Summed up.");
    assert.equal(inputs[0], 'Check A{{index}} (1 of 3): {"symbol":"A{{index}}"} {{other}}');
    assert.deepEqual(
      of(events, "group.started").map(({ turn, agents, items }) => [turn, agents, items]),
      [["2", ["check"], 3]],
    );
    const error = { code: "model", message: "it is bad" };
    assert.deepEqual(of(events, "group.ended")[0]?.results, [
      { index: 1, agent: "check", text: "fine" },
      { index: 2, agent: "check", error },
      { index: 3, agent: "check", text: "fine" },
    ]);
    assert.deepEqual(seen[0], [
      { index: 1, agent: "check", text: "fine", item: { symbol: "A{{index}}" } },
      { index: 2, agent: "check", item: { symbol: "bad" }, error },
      { index: 3, agent: "check", text: "fine", item: { symbol: "C" } },
    ]);
    assert.equal(told[0], "[check 1] fine\n[check 3] fine");
    assert.ok(of(events, "warning.raised").some(({ text }) => text.includes("2 of 3 answered")));
    const turns = of(events, "turn.started").filter(({ lane }) => lane !== "");
    assert.deepEqual(
      turns.map(({ turn, lane, audience }) => [turn, lane, audience]),
      [1, 2, 3].map((index) => [`2/checks/${index}/1`, `2/checks/${index}`, "crew"]),
    );
  });

  test("starts its items in order, so many at once", async () => {
    const clock = new SimulatedClock(1);
    const order: string[] = [];
    let [open, most] = [0, 0];
    const inner = scriptModel(script(["a", "b", "c", "d", "e"], [{ say: "x", delayMs: 10 }]));
    const model: Model = {
      name: "counted",
      async *stream(prompt, scope) {
        if (prompt.agent === "check") order.push(prompt.messages[0]?.content ?? "");
        if (prompt.agent === "check") most = Math.max(most, ++open);
        yield* inner.stream(prompt, scope);
        if (prompt.agent === "check") open--;
      },
    };
    await using engine = new Engine({ clock, model: () => model });
    await clock.run(collect(engine.start(listing({ maxParallel: 2 }), { input: "go" })));
    assert.deepEqual([order.join(""), most], ["abcde", 2]);
  });

  test("over something that is no list fails the run with bad_output", async () => {
    for (const list of ["a, b", { a: 1 }, undefined]) {
      const { error, outcome, events } = await play(listing({}), script(list ?? null, echo));
      assert.deepEqual([outcome, error?.code, of(events, "group.started").length], ["failed", "bad_output", 0]);
    }
  });

  test("over too long a list ends the run before any item starts", async () => {
    const list = Array.from({ length: 1_001 }, () => 0);
    for (const map of [{}, { maxItems: 3 }]) {
      const { outcome, events } = await play(listing(map), script(list, echo));
      const limits = of(events, "limit.reached").map(({ limit, value }) => [limit, value]);
      assert.deepEqual([outcome, limits], ["limit", [["max_items", "maxItems" in map ? 3 : 1_000]]]);
      assert.equal(of(events, "turn.started").length, 1);
    }
    assert.throws(() => listing({ maxItems: 1_001 }), /out of range/);
  });

  test("over an empty list goes on with a warning", async () => {
    const { content, events } = await play(listing({}), script([], echo));
    assert.equal(content, "Summed up.");
    assert.deepEqual(of(events, "group.ended")[0]?.results, []);
    assert.ok(of(events, "warning.raised").some(({ text }) => text.includes("no items")));
  });

  test("goes over a list of the state, and shows so much of its results", async () => {
    const crew = defineCrew({
      name: "state",
      agents: [{ id: "first", model: { name: "code/list" } }, { id: "check" }, { id: "end", isTerminal: true }],
      programs: { list: defineProgram(() => ({ say: "[GO]", set: { names: ["a", "b", "c"] } })) },
      signals: { first: [{ signal: "[GO]", target: "each" }] },
      groups: { each: { map: "check", over: "state.names", nextAgent: "end" } },
      settings: { maxTotalOutputChars: 32 },
    });
    const told: (string | undefined)[] = [];
    const inner = scriptModel({ check: [{ say: "it is good" }], end: [{ say: "ok" }] });
    const model: Model = {
      name: "watched",
      stream(prompt, scope) {
        if (prompt.agent === "end") told.push(prompt.messages.at(-1)?.content);
        return inner.stream(prompt, scope);
      },
    };
    await using engine = new Engine({ model: () => model });
    await collect(engine.start(crew, { input: "go" }));
    assert.deepEqual(told, ["[check 1] it is good\n[2 more in state.each]"]);
  });

  test("keeps its results within 4 MiB; what is cut is whole in its lane", async () => {
    const crew = defineCrew({
      name: "long",
      agents: [
        { id: "first", model: { name: "code/list" } },
        { id: "check", model: { name: "code/long" } },
      ],
      programs: {
        list: defineProgram(() => ({ say: "[GO]", set: { names: [1, 2, 3, 4] } })),
        long: defineProgram(({ messages }) => ({ say: "🍵".repeat(messages[0]?.content === "4" ? 9 : 1_000_000) })),
      },
      signals: { first: [{ signal: "[GO]", target: "each" }] },
      groups: { each: { map: "check", over: "state.names" } },
    });
    const { events, warnings } = await play(crew, {});
    const texts = of(events, "group.ended")[0]?.results.map(({ text = "" }) => text) ?? [];
    assert.deepEqual(
      texts.map(({ length }) => length),
      [2_000_000, 2_000_000, 400 + "… [cut: 200 of 1,000,000 characters]".length, 18],
    );
    assert.ok(texts[2]?.isWellFormed());
    assert.equal(of(events, "turn.ended").filter(({ text }) => text.length === 2_000_000).length, 3);
    assert.match(warnings.map(({ text }) => text).join(), /group each: 1 answers are cut/);
  });

  test("with `all` fails at the first failure, with `first` goes on with the first answer and starts no more", async () => {
    const clock = new SimulatedClock(1);
    const replies = script(
      ["slow", "bad", "c", "d"],
      [
        { when: "slow", say: "late", delayMs: 90_000 },
        { when: "bad", fail: "it is bad" },
        { say: "fine", delayMs: 5 },
      ],
    );
    const run = async (map: Partial<GroupDefinition>) => {
      await using engine = new Engine({ clock, model: () => scriptModel(replies) });
      return await clock.run(
        collect(engine.start(listing({ maxParallel: 2, timeoutMs: 99_000, ...map }), { input: "go" })),
      );
    };
    const all = await run({ mode: "all" });
    assert.deepEqual([all.outcome, all.error?.code], ["failed", "group"]);
    const first = await run({ mode: "first" });
    const [ended] = of(first.events, "group.ended");
    assert.deepEqual([first.content, ended?.winner], ["Summed up.", 3]);
    const codes = ended?.results.map(({ error }) => error?.code);
    assert.deepEqual(codes, ["cancelled", "model", undefined, "cancelled"]);
    assert.ok(!of(first.events, "turn.started").some(({ lane }) => lane === "2/checks/4"));
  });

  test("an item has its own time, from its start, and can be cancelled alone, begun or not", async () => {
    const clock = new SimulatedClock(1);
    const replies = script(
      ["slow", "b", "slow", "d"],
      [{ when: "slow", say: "late", delayMs: 90_000 }, { say: "fine" }],
    );
    await using engine = new Engine({ clock, model: () => scriptModel(replies) });
    const run = engine.start(listing({ maxParallel: 1, timeoutMs: 1_000 }), { input: "go" });
    const cancelled = (async () => {
      for await (const { type, lane } of run.events()) if (type === "step.started" && lane === "2/checks/1") break;
      return engine.command(run.id, { type: "cancel", lane: "2/checks/4" });
    })();
    const [{ events, content }] = await clock.run(Promise.all([collect(run), cancelled]));
    const results = of(events, "group.ended")[0]?.results.map(({ text, error }) => text ?? error?.code);
    assert.deepEqual([content, results], ["Summed up.", ["timeout", "fine", "timeout", "cancelled"]]);
  });

  test("of a sub-crew runs it on every item", async () => {
    const pair = defineCrew({
      name: "pair",
      agents: [{ id: "one" }, { id: "two", isTerminal: true }],
      defaults: { one: "two" },
    });
    const { events, content } = await play(listing({ map: "pair" }, { subCrews: { pair } }), {
      ...script(["a", "b"], []),
      "pair/one": [{ when: "a", say: "A" }, { say: "B" }],
      "pair/two": [{ when: "] a", say: "AA" }, { say: "BB" }],
    });
    assert.equal(content, "Summed up.");
    assert.deepEqual(of(events, "group.ended")[0]?.results, [
      { index: 1, agent: "pair", text: "AA" },
      { index: 2, agent: "pair", text: "BB" },
    ]);
    assert.ok(of(events, "step.started").some(({ step }) => step === "2/checks/2/2.1"));
  });

  test("of 1,000 items takes little time and holds few prompts", async () => {
    const list = Array.from({ length: 1_000 }, (_, at) => `item ${at + 1}`);
    const { events, content } = await play(listing({}), script(list, [{ say: "fine" }]));
    assert.deepEqual([content, of(events, "group.ended")[0]?.results.length], ["Summed up.", 1_000]);
  });
});
