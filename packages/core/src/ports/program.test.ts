import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { Engine } from "../engine/engine.ts";
import type { Json } from "../words/json.ts";
import type { Chunk, PastCall, Prompt } from "./model.ts";
import { type Decide, defineProgram } from "./program.ts";
import { scriptModel } from "./script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const long = "x".repeat(20_000);
const echo = defineTool({
  name: "Echo",
  description: "Gives back what it is given.",
  effect: "read",
  input: z.object({ text: z.string().default("") }),
  digest: () => "short",
  run: ({ text }, { state }) => {
    if (text === "throw") throw new TypeError("no such text");
    state.set("echoed", text);
    return text;
  },
});

const crewOf = (decide: Decide, agent: Partial<AgentDefinition> = {}, more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "t",
    tools: [echo],
    programs: { p: defineProgram(decide) },
    agents: [{ id: "a", model: { name: "code/p" }, tools: ["Echo"], isTerminal: true, ...agent }],
    ...more,
  });

const run = (decide: Decide, agent: Partial<AgentDefinition> = {}) => play(crewOf(decide, agent), {});

suite("a program", () => {
  test("says a reply at once or later, in the log as a model's", async () => {
    for (const decide of [() => ({ say: "Hi." }), async () => ({ say: "Hi." })]) {
      const { outcome, content, events, history } = await run(decide);
      assert.deepEqual([outcome, content, history.at(-1)?.content], ["done", "Hi.", "Hi."]);
      assert.equal(of(events, "step.started")[0]?.model, "code/p");
      assert.deepEqual(
        of(events, "text.delta").map(({ text }) => text),
        ["Hi."],
      );
    }
  });

  test("calls tools and has their results whole in its next step, neither digest nor cut", async () => {
    const seen: (readonly PastCall[])[] = [];
    const { events, history } = await run(({ results }) => {
      seen.push(results);
      if (results.length > 0) return { say: "done" };
      return {
        call: [{ tool: "Echo", args: { text: long } }, { tool: "Echo", args: { text: "throw" } }, { tool: "Ecko" }],
      };
    });
    const [none, [first, second, third] = []] = seen;
    assert.deepEqual(none, []);
    assert.deepEqual(first, { call: "1.1.1", tool: "Echo", args: { text: long }, output: long });
    assert.deepEqual([second?.call, second?.error?.message, second?.output], ["1.1.2", "no such text", undefined]);
    assert.deepEqual([third?.call, third?.args, third?.error?.kind], ["1.1.3", {}, "validation"]);
    assert.equal(history[2]?.content, "short");
    assert.equal(of(events, "step.ended")[0]?.finish, "calls");
  });

  test("has the results of its previous step only, and none of an earlier turn", async () => {
    const counts: number[] = [];
    const decide: Decide = ({ results, values }) => {
      counts.push(results.length);
      const round = Number(values.get("round") ?? 0) + 1;
      const set = { round };
      if (round === 1) return { set, call: [{ tool: "Echo" }, { tool: "Echo" }] };
      return round === 2 ? { set, call: [{ tool: "Echo" }] } : { set, say: "next" };
    };
    const agents = [
      { id: "a", model: { name: "code/p" }, tools: ["Echo"] },
      { id: "b", model: { name: "code/p" }, isTerminal: true },
    ];
    await play(crewOf(decide, {}, { agents, defaults: { a: "b" } }), {});
    assert.deepEqual(counts, [0, 2, 1, 0]);
  });

  test("keeps its own state from step to step, and sets the run's", async () => {
    const seen: [Json | undefined, Json | undefined, Json | undefined][] = [];
    const { events } = await run(({ state, values }) => {
      seen.push([state, values.get("k"), values.get("echoed")]);
      return state === undefined
        ? { state: { n: 1 }, set: { k: [1] }, call: [{ tool: "Echo", args: { text: "e" } }] }
        : {};
    });
    assert.deepEqual(seen, [
      [undefined, undefined, undefined],
      [{ n: 1 }, [1], "e"],
    ]);
    assert.deepEqual(of(events, "step.ended")[0]?.set, { k: [1] });
  });

  test("is given who the run is for, its options and its output's schema", async () => {
    const seen: Prompt[] = [];
    const output = { type: "object" } as const;
    const crew = crewOf(
      (prompt) => {
        seen.push(prompt);
        return { output: {} };
      },
      { output, systemPrompt: "For {{state.options.who}}" },
    );
    await play(crew, {}, { user: "ann", session: "s1", options: { who: "Ann" } });
    const [prompt] = seen;
    assert.deepEqual([prompt?.agent, prompt?.user, prompt?.session, prompt?.system], ["a", "ann", "s1", "For Ann"]);
    assert.deepEqual([prompt?.outputSchema, prompt?.tools.map(({ name }) => name)], [output, ["Echo"]]);
  });

  test("adds notes and warnings, each with the step that wrote it", async () => {
    const { events } = await run(() => ({ notes: [{ kind: "intent", data: { a: 1 } }], warnings: ["late", "old"] }));
    assert.deepEqual(
      of(events, "note.made").map(({ kind, of: step, agent, data }) => [kind, step, agent, data]),
      [["intent", "1.1", "a", { a: 1 }]],
    );
    assert.deepEqual(
      of(events, "warning.raised").map(({ text, of: step }) => [text, step]),
      [
        ["late", "1.1"],
        ["old", "1.1"],
      ],
    );
  });

  test("ends the run with `end`, whatever the routing says", async () => {
    const agents = [{ id: "a", model: { name: "code/p" } }, { id: "b" }];
    const { outcome, agent, events } = await play(
      crewOf(() => ({ say: "No. [B]", end: true }), {}, { agents, signals: { a: [{ signal: "[B]", target: "b" }] } }),
      {},
    );
    assert.deepEqual([outcome, agent, of(events, "step.ended")[0]?.end], ["done", "a", true]);
  });

  test("may say nothing: it is not asked again, and nothing joins the history", async () => {
    const { outcome, events, history } = await run(() => ({}));
    assert.deepEqual([outcome, history.length, of(events, "step.ended").length], ["done", 1, 1]);
    assert.equal(of(events, "warning.raised").length, 0);
  });

  test("may repeat a call as often as it has rounds, and its last round has no tools", async () => {
    const offered: number[] = [];
    const { outcome, events } = await run(
      ({ tools }) => {
        offered.push(tools.length);
        return { call: [{ tool: "Echo" }] };
      },
      { maxSteps: 6 },
    );
    assert.equal(outcome, "done");
    assert.deepEqual(offered, [1, 1, 1, 1, 1, 0]);
    assert.equal(of(events, "call.ended").length, 5);
    assert.equal(
      of(events, "warning.raised").some(({ text }) => text.includes("max_repeated_calls")),
      false,
    );
    assert.deepEqual(
      of(events, "limit.reached").map(({ limit }) => limit),
      ["max_rounds"],
    );
  });
});

suite("a program as a stream", () => {
  test("needs no end chunk", async () => {
    const { outcome, content } = await run(async function* (): AsyncGenerator<readonly Chunk[]> {
      yield [{ type: "text", text: "One, " }];
      yield [];
      yield [{ type: "text", text: "two." }];
    });
    assert.deepEqual([outcome, content], ["done", "One, two."]);
  });

  test("is taken up to its own end chunk", async () => {
    const { events, content } = await run(async function* (): AsyncGenerator<readonly Chunk[]> {
      const usage = { inputTokens: 0, outputTokens: 0 };
      yield [
        { type: "text", text: "All." },
        { type: "end", finish: "stop", usage, set: { k: 1 } },
      ];
      yield [{ type: "text", text: " More." }];
    });
    assert.deepEqual([content, of(events, "step.ended")[0]?.set], ["All.", { k: 1 }]);
  });

  test("that throws in its middle fails for good, and what it set is not set", async () => {
    const { error, events } = await run(async function* (): AsyncGenerator<readonly Chunk[]> {
      yield [{ type: "note", kind: "half", data: 1 }];
      throw new Error("broken");
    });
    assert.deepEqual([error?.code, error?.message], ["model", "broken"]);
    assert.equal(of(events, "step.retried").length, 0);
  });
});

/** A crew's programs come from files whose types may be unchecked. */
const isDecision = (said: unknown): said is ReturnType<Decide> => said !== long;

suite("a program that goes wrong", () => {
  const nonsense: readonly (readonly [string, unknown, RegExp])[] = [
    ["text", "Hi.", /must return an object such as \{ say: "…" \}, not string/],
    ["nothing", undefined, /must return an object .* not undefined/],
    ["null", null, /must return an object .* not null/],
    ["a number", 5, /must return an object .* not number/],
    ["a promise of nothing", Promise.resolve(), /must return an object .* not undefined/],
    ["a say that is not text", { say: 5 }, /`say` must be text, not number/],
    ["calls that are no list", { call: { tool: "Echo" } }, /`call` must be a list, not object/],
    ["notes that are no list", { notes: "n" }, /`notes` must be a list, not string/],
    ["warnings that are no list", { warnings: "w" }, /`warnings` must be a list, not string/],
    ["a note without a kind", { notes: [{ data: 1 }] }, /an item of `notes` must be \{ kind, data \}/],
    ["a value that is not JSON", { set: { k: () => 1 } }, /state "k": a function is not JSON/],
    [
      "state of more than 1 MB",
      { set: { k: "x".repeat(1_048_577) } },
      /state "k" has 1,048,577 characters; at most 1 MiB/,
    ],
    [
      "a note of 300 KB",
      { notes: [{ kind: "big", data: "x".repeat(307_198) }] },
      /note big has 300 KB; at most 256 KB/,
    ],
    ["a chunk that is no list", streamOf(5), /./],
  ];
  for (const [what, said, message] of nonsense) {
    test(`by ${what} fails its turn with a clear message, once, and sets nothing`, async () => {
      let count = 0;
      const { outcome, error, events } = await run(() => {
        count++;
        return isDecision(said) ? said : {};
      });
      assert.deepEqual([outcome, error?.code, count], ["failed", "model", 1]);
      assert.match(error?.message ?? "", message);
      assert.equal(of(events, "step.ended")[0]?.set, undefined);
      assert.equal(of(events, "note.made").length, 0);
    });
  }

  test("by a throw is a model that fails for good, and on_failure gets the baton", async () => {
    const broken: Decide = () => {
      throw new RangeError("too far");
    };
    const { error, events } = await run(broken);
    assert.deepEqual([error?.code, error?.message], ["model", "too far"]);
    assert.equal(of(events, "step.retried").length, 0);
    const agents = [
      { id: "a", model: { name: "code/p" } },
      { id: "b", isTerminal: true },
    ];
    const saved = await play(crewOf(broken, {}, { agents, behaviors: { a: { onFailure: "b" } } }), {
      b: [{ say: "Saved." }],
    });
    assert.deepEqual([saved.outcome, saved.content], ["done", "Saved."]);
  });

  test("by waiting for ever ends with the run's time", async () => {
    const crew = crewOf(() => new Promise(() => {}), {}, { settings: { timeoutMs: 50 } });
    const { outcome, error } = await play(crew, {});
    assert.deepEqual([outcome, error?.limit?.name], ["limit", "timeout_seconds"]);
  });
});

async function* streamOf(value: unknown): AsyncGenerator {
  yield value;
}

suite("which code a program is", () => {
  test("no model is asked for: quotas and providers never see it", async () => {
    const asked: string[] = [];
    const agents = [
      { id: "a", model: { name: "code/p" } },
      { id: "b", isTerminal: true },
    ];
    const engine = new Engine({
      model: ({ id }) => {
        asked.push(id);
        return scriptModel({ b: [{ say: "ok" }] });
      },
    });
    await engine.start(
      crewOf(() => ({ say: "x" }), {}, { agents, defaults: { a: "b" } }),
      { input: "x", model: "openai/other" },
    ).result;
    assert.deepEqual(asked, ["b"]);
  });

  test("`configure` does not replace it, alone or with all agents", async () => {
    for (const agent of [{ agent: "a" }, {}]) {
      const agents = [{ id: "a", model: { name: "code/p" } }];
      const crew = crewOf(() => ({ say: "again" }), {}, { agents, behaviors: { a: { waitForSignal: true } } });
      const engine = new Engine({ model: () => scriptModel({}) });
      const first = engine.start(crew, { input: "x" });
      await first.result;
      await first.command({ type: "configure", model: "openai/other", ...agent });
      const { events, content } = await collect(engine.resume(first.id, "go on"));
      assert.equal(content, "again");
      assert.deepEqual(
        of(events, "step.started").map(({ model }) => model),
        ["code/p", "code/p"],
      );
    }
  });

  test("a test may play another reply in its place, for one agent or none", async () => {
    const agents = [
      { id: "a", model: { name: "code/p" } },
      { id: "b", model: { name: "code/p" }, isTerminal: true },
    ];
    const engine = new Engine({
      model: () => assert.fail("no model is needed"),
      replaceProgram: ({ id }) => (id === "a" ? scriptModel({ a: [{ say: "scripted" }] }) : undefined),
    });
    const { events } = await collect(
      engine.start(
        crewOf(() => ({ say: "code" }), {}, { agents, defaults: { a: "b" } }),
        { input: "x" },
      ),
    );
    assert.deepEqual(
      of(events, "turn.ended").map(({ text }) => text),
      ["scripted", "code"],
    );
  });

  test("one that is gone fails its turn", async () => {
    const crew = { ...crewOf(() => ({ say: "x" })), programs: new Map() };
    const { outcome, error } = await play(crew, {});
    assert.deepEqual([outcome, error?.code, error?.message], ["failed", "model", 'there is no program "p" any more']);
  });

  test("one that never was is refused before anything runs", () => {
    assert.throws(() => crewOf(() => ({}), { model: { name: "code/q" } }), {
      code: "invalid",
      message: /there is no program `q`/,
    });
  });
});

suite("a crew's wrapModel", () => {
  const loud: CrewDefinition["wrapModel"] = (model, { id }) => ({
    ...model,
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        yield chunks.map((one) => (one.type === "text" ? { ...one, text: `${id}: ${one.text.toUpperCase()}` } : one));
      }
    },
  });

  test("wraps the models of its agents, programs included, and keeps their names", async () => {
    const program = await play(
      crewOf(() => ({ say: "hi" }), {}, { wrapModel: loud }),
      {},
    );
    assert.deepEqual([program.content, of(program.events, "step.started")[0]?.model], ["a: HI", "code/p"]);
    const crew = defineCrew({ name: "t", agents: [{ id: "a", isTerminal: true }], wrapModel: loud });
    assert.equal((await play(crew, { a: [{ say: "hi" }] })).content, "a: HI");
  });

  test("that throws fails the turn like a model", async () => {
    const wrapModel = (): never => {
      throw new Error("no licence");
    };
    const { outcome, error } = await play(
      crewOf(() => ({ say: "hi" }), {}, { wrapModel }),
      {},
    );
    assert.deepEqual([outcome, error?.code, error?.message.includes("no licence")], ["failed", "model", true]);
  });
});
