import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "../../definitions/agent.ts";
import { defineCrew } from "../../definitions/crew.ts";
import type { CrewDefinition } from "../../definitions/definition.ts";
import { defineTool } from "../../definitions/tool.ts";
import { Engine } from "../../engine/engine.ts";
import type { Model, Prompt } from "../../ports/model.ts";
import { scriptModel } from "../../ports/script.ts";
import { collect, of, play, type Replies } from "../../testing/crew-runs.ts";
import { SimulatedClock } from "../../testing/simulated-clock.ts";

type Options = Partial<CrewDefinition>;

/** A crew whose boss has these tools. */
const team = (tools: AgentDefinition["tools"], agents: readonly AgentDefinition[], more: Options = {}) =>
  defineCrew({ name: "team", ...more, agents: [{ id: "boss", ...(tools && { tools }) }, ...agents] });

const ask = (tool: string, input: string) => ({ tool, args: { input } });

const buy = defineTool({
  name: "Buy",
  description: "Buys.",
  effect: "irreversible",
  input: z.object({ what: z.string() }),
  run: ({ what }) => `bought ${what}`,
});

describe("an agent as a tool", () => {
  test("is given its input as its own schema parses it, and not what that refuses", async () => {
    const prompts: string[] = [];
    const input = z
      .object({ from: z.iso.date(), to: z.iso.date(), unit: z.string().trim().default("day") })
      .refine(({ from, to }) => from <= to, "from must not be after to");
    const crew = team([{ agent: "counter", as: "count" }], [{ id: "counter", input }]);
    const calls = [
      { tool: "count", args: { from: "2026-02-01", to: "2026-01-01" } },
      { tool: "count", args: { from: "2026-01-01", to: "2026-02-01", unit: " week " } },
    ];
    const script = scriptModel({ boss: [{ call: calls }, { say: "Done." }], counter: [{ say: "4" }] });
    const model: Model = {
      name: "watched",
      stream(prompt, scope) {
        if (prompt.agent === "counter") prompts.push(prompt.messages[0]?.content ?? "");
        return script.stream(prompt, scope);
      },
    };
    await using engine = new Engine({ model: () => model });
    const { events } = await collect(engine.start(crew, { input: "go" }));
    const [refused] = of(events, "call.ended").filter(({ error }) => error !== undefined);
    assert.match(refused?.error?.message ?? "", /from must not be after to/);
    assert.deepEqual(prompts, ['{"from":"2026-01-01","to":"2026-02-01","unit":"week"}']);
  });

  test("works in a lane of the call on its input alone, and its caller reads its answer", async () => {
    const prompts: Prompt[] = [];
    const script = scriptModel({
      boss: [{ call: [ask("research", "Find x"), ask("writer", "Write y")] }, { say: "Done." }],
      researcher: [{ when: "find x", say: "x is 7" }],
      writer: [{ when: "write y", say: "y" }],
    });
    const model: Model = {
      name: "watched",
      stream(prompt, scope) {
        prompts.push({ ...prompt, messages: [...prompt.messages] });
        return script.stream(prompt, scope);
      },
    };
    const crew = team(
      [{ agent: "researcher", as: "research", description: "Looks it up." }, { agent: "writer" }],
      [{ id: "researcher" }, { id: "writer", role: "Writes." }],
    );
    await using engine = new Engine({ model: () => model });
    const { events, content } = await collect(engine.start(crew, { input: "go" }));
    assert.equal(content, "Done.");
    assert.deepEqual(
      of(events, "call.started").map(({ via }) => via),
      [
        { agent: "researcher", lane: "1.1.1/researcher" },
        { agent: "writer", lane: "1.1.2/writer" },
      ],
    );
    assert.deepEqual(
      of(events, "call.ended")
        .map(({ output }) => JSON.stringify(output))
        .toSorted(),
      ['"x is 7"', '"y"'],
    );
    const turn = of(events, "turn.started").find(({ lane }) => lane === "1.1.1/researcher");
    assert.deepEqual([turn?.turn, turn?.audience], ["1.1.1/researcher/1", "crew"]);
    const [first, child] = prompts;
    assert.deepEqual(
      first?.tools.map(({ name, description }) => [name, description]),
      [
        ["research", "Looks it up."],
        ["writer", "Writes."],
      ],
    );
    assert.deepEqual(child?.messages, [{ role: "user", content: "Find x" }]);
  });

  test("takes the arguments that its own schema says, as JSON, and gives its output", async () => {
    const [input, output] = [z.object({ city: z.string() }), z.object({ celsius: z.number() })];
    const crew = team([{ agent: "weather" }], [{ id: "weather", input, output }]);
    const replies: Replies = {
      boss: [
        { call: [{ tool: "weather", args: { town: "Huế" } }] },
        { call: [{ tool: "weather", args: { city: "Huế" } }] },
        { say: "Warm." },
      ],
      weather: [{ when: '{"city":"Huế"}', say: '{"celsius": 31}' }],
    };
    const { events, content } = await play(crew, replies);
    const [refused, made] = of(events, "call.ended");
    assert.deepEqual([refused?.error?.kind, made?.output, content], ["validation", { celsius: 31 }, "Warm."]);
  });

  test("begins at its first scripted reply in every call", async () => {
    const replies = {
      boss: [{ call: [ask("helper", "a")] }, { call: [ask("helper", "b")] }, { say: "ok" }],
      helper: [{ say: "first" }, { say: "second" }],
    };
    const { events } = await play(team([{ agent: "helper" }], [{ id: "helper" }]), replies);
    assert.deepEqual(
      of(events, "call.ended").map(({ output }) => output),
      ["first", "first"],
    );
  });

  test("past max_calls it is answered with an error and not called", async () => {
    const crew = team([{ agent: "helper", maxCalls: 2 }], [{ id: "helper" }]);
    const calls = ["a", "b", "c"].map((input) => ask("helper", input));
    const { events, outcome } = await play(crew, { boss: [{ call: calls }, { say: "ok" }], helper: [{ say: "yes" }] });
    const ends = of(events, "call.ended").toSorted((one, other) => (one.call < other.call ? -1 : 1));
    assert.deepEqual(
      ends.map(({ error }) => error?.kind),
      [undefined, undefined, "permanent"],
    );
    assert.deepEqual([of(events, "turn.started").length, outcome], [3, "done"]);
  });

  test("that fails is a failed call, and one that takes too long a timeout", async () => {
    const clock = new SimulatedClock(1);
    const crew = team([{ agent: "broken" }, { agent: "slow", timeoutMs: 2_000 }], [{ id: "broken" }, { id: "slow" }]);
    const model = scriptModel({
      boss: [{ call: [ask("broken", "a"), ask("slow", "b")] }, { say: "I go on." }],
      broken: [{ fail: "no such model" }],
      slow: [{ say: "late", delayMs: 60_000 }],
    });
    await using engine = new Engine({ clock, model: () => model });
    const { events, content } = await clock.run(collect(engine.start(crew, { input: "go" })));
    const errors = new Map(of(events, "call.ended").map(({ tool, error }) => [tool, error]));
    assert.equal(errors.get("broken")?.message, "no such model");
    assert.deepEqual(
      [errors.get("broken")?.kind, errors.get("slow")?.kind, errors.get("slow")?.code],
      ["permanent", "timeout", "tool"],
    );
    assert.equal(content, "I go on.");
  });

  test("ends with the run if the run is out of time", async () => {
    const clock = new SimulatedClock(1);
    const crew = team([{ agent: "slow" }], [{ id: "slow" }], { settings: { timeoutMs: 5_000 } });
    const model = scriptModel({ boss: [{ call: [ask("slow", "b")] }], slow: [{ say: "late", delayMs: 60_000 }] });
    await using engine = new Engine({ clock, model: () => model });
    const { outcome, error } = await clock.run(collect(engine.start(crew, { input: "go" })));
    assert.deepEqual([outcome, error?.limit?.name], ["limit", "timeout_seconds"]);
  });

  test("is not held by the time and the permits of tools, and works at most max_parallel_agents at once", async () => {
    const clock = new SimulatedClock(1);
    let [open, most] = [0, 0];
    const calls = Array.from({ length: 5 }, (_, at) => ask("slow", `${at}`));
    const script = scriptModel({ boss: [{ call: calls }, { say: "ok" }], slow: [{ say: "done", delayMs: 200_000 }] });
    const model: Model = {
      name: "counted",
      async *stream(prompt, scope) {
        if (prompt.agent === "slow") most = Math.max(most, ++open);
        yield* script.stream(prompt, scope);
        if (prompt.agent === "slow") open--;
      },
    };
    const settings = { timeoutMs: 3_600_000, maxParallelAgents: 2, maxParallelCalls: 1, modelIdleMs: 900_000 };
    const crew = team([{ agent: "slow" }], [{ id: "slow" }], { settings });
    await using engine = new Engine({ clock, model: () => model });
    const { events, content } = await clock.run(collect(engine.start(crew, { input: "go" })));
    assert.deepEqual(
      [most, content, of(events, "call.ended").every(({ error }) => error === undefined)],
      [2, "ok", true],
    );
  });

  test("inside an agent that is a tool itself, up to max_depth", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const agents = (count: number) =>
      names
        .slice(0, count)
        .map((id, at) => (at + 1 < count ? { id, tools: [{ agent: names[at + 1] ?? "" }] } : { id }));
    const replies = Object.fromEntries(
      ["boss", ...names].map((id, at) => [
        id,
        at < 4 ? [{ call: [ask(names[at] ?? "", "go")] }, { say: id }] : [{ say: id }],
      ]),
    );
    const { events, outcome } = await play(team([{ agent: "a" }], agents(4)), replies);
    assert.equal(of(events, "turn.started").at(-1)?.turn, "1.1.1/a/1.1.1/b/1.1.1/c/1.1.1/d/1");
    assert.equal(outcome, "done");
    assert.throws(() => team([{ agent: "a" }], agents(5)), /max_depth is 4: a → b → c → d → e/);
    assert.throws(
      () =>
        team(
          [{ agent: "a" }],
          [
            { id: "a", tools: [{ agent: "b" }] },
            { id: "b", tools: [{ agent: "a" }] },
          ],
        ),
      /the agent `a` reaches itself through tools: a → b → a/,
    );
    assert.throws(() => team([{ agent: "boss", as: "me" }], []), /`boss` reaches itself through tools: boss → boss/);
  });

  test("several may ask a person at once, and are answered in any order", async () => {
    const crew = team(
      [{ agent: "left" }, { agent: "right" }],
      [
        { id: "left", tools: ["Buy"] },
        { id: "right", tools: ["Buy"] },
      ],
      {
        tools: [buy],
      },
    );
    const one = (what: string) => [{ call: [{ tool: "Buy", args: { what } }] }, { say: `${what} is there` }];
    const { engine, run, outcome, questions } = await play(crew, {
      boss: [{ call: [ask("left", "a"), ask("right", "b")] }, { say: "Both." }],
      left: one("tea"),
      right: one("milk"),
    });
    assert.deepEqual(
      [outcome, questions.map(({ question }) => question)],
      ["paused", ["1.1.1/left/1.1.1", "1.1.2/right/1.1.1"]],
    );
    const { run: half } = await engine.command(run.id, {
      type: "answer",
      question: "1.1.2/right/1.1.1",
      value: "allow",
    });
    assert.equal((await half.result).outcome, "paused");
    const { run: whole } = await engine.command(run.id, {
      type: "answer",
      question: "1.1.1/left/1.1.1",
      value: "deny",
    });
    const { events, content } = await collect(whole);
    assert.equal(content, "Both.");
    const opened = of(events, "question.opened").map(({ lane }) => lane);
    assert.deepEqual(opened, ["1.1.1/left", "1.1.2/right"]);
    assert.deepEqual(
      of(events, "call.ended")
        .map(({ call, error }) => `${call} ${error?.kind ?? "ok"}`)
        .toSorted(),
      ["1.1.1 ok", "1.1.1/left/1.1.1 permission", "1.1.2 ok", "1.1.2/right/1.1.1 ok"],
    );
  });

  for (const target of [{ call: "1.1.1" }, { lane: "1.1.1/slow" }]) {
    test(`a cancel of its ${Object.keys(target)[0]} stops it alone`, async () => {
      const clock = new SimulatedClock(1);
      const crew = team([{ agent: "slow" }], [{ id: "slow" }]);
      const model = scriptModel({
        boss: [{ call: [ask("slow", "b")] }, { say: "Without it." }],
        slow: [{ say: "never", delayMs: 50_000 }],
      });
      await using engine = new Engine({ clock, model: () => model });
      const run = engine.start(crew, { input: "go" });
      const all = collect(run);
      const cancelled = (async () => {
        for await (const { type, lane } of run.events()) if (type === "step.started" && lane !== "") break;
        return engine.command(run.id, { type: "cancel", ...target });
      })();
      const [{ events, content }, { receipt }] = await clock.run(Promise.all([all, cancelled]));
      const { code, kind } = of(events, "call.ended")[0]?.error ?? {};
      assert.deepEqual([code, kind, content], ["tool", "cancelled", "Without it."]);
      assert.ok(receipt?.stopped.includes("lane:1.1.1/slow"), JSON.stringify(receipt));
      assert.ok(receipt?.stopped.includes("agent:slow"));
    });
  }

  test("may be forbidden or asked about by its name", async () => {
    const agents = [{ id: "helper" }];
    const replies = { boss: [{ call: [ask("help", "a")] }, { say: "ok" }], helper: [{ say: "yes" }] };
    const tools = [{ agent: "helper", as: "help" }];
    const { events } = await play(team(tools, agents, { permissions: { help: "deny" } }), replies);
    assert.equal(of(events, "call.ended")[0]?.error?.kind, "permission");
    const { questions } = await play(team(tools, agents, { permissions: { help: "ask" } }), replies);
    assert.deepEqual(
      questions.map(({ question }) => question),
      ["1.1.1"],
    );
  });
});

describe("a crew as a tool", () => {
  const alpha = defineCrew({
    name: "alpha",
    agents: [{ id: "reader" }, { id: "editor", isTerminal: true }],
    signals: { reader: [{ signal: "[EDIT]", target: "editor" }] },
  });

  test("runs to its end in a lane of the call, and its answer is the result", async () => {
    const crew = team([{ crew: "alpha" }], [], { subCrews: { alpha } });
    const { events, content } = await play(crew, {
      boss: [{ call: [ask("alpha", "Read this")] }, { say: "Thanks." }],
      "alpha/reader": [{ when: "read this", say: "I read it. [EDIT]" }],
      "alpha/editor": [{ say: "Edited." }],
    });
    assert.deepEqual([content, of(events, "call.ended")[0]?.output], ["Thanks.", "Edited."]);
    assert.deepEqual(of(events, "call.started")[0]?.via, { crew: "alpha", lane: "1.1.1/alpha" });
    const turns = of(events, "turn.started").map(({ turn, audience }) => [turn, audience]);
    assert.deepEqual(turns.slice(1), [
      ["1.1.1/alpha/1", "crew"],
      ["1.1.1/alpha/2", "crew"],
    ]);
  });

  test("an agent of it that waits asks a question of its lane, and the next message answers it", async () => {
    const waiting = defineCrew({
      name: "w",
      agents: [{ id: "asker" }],
      behaviors: { asker: { waitForSignal: true } },
      signals: { asker: [{ signal: "[END]", target: "" }] },
    });
    const crew = team([{ crew: "w" }], [], { subCrews: { w: waiting } });
    const { engine, run, outcome } = await play(crew, {
      boss: [{ call: [ask("w", "Ask them")] }, { say: "Thanks." }],
      asker: [{ say: "What is it?" }, { when: "a cat", say: "A cat. [END]" }],
    });
    assert.equal(outcome, "paused");
    const { events, content } = await collect(engine.resume(run.id, "It is a cat"));
    assert.deepEqual([content, of(events, "call.ended")[0]?.output], ["Thanks.", "A cat."]);
  });
});
