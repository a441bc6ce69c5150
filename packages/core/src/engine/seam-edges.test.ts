import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { Engine } from "./engine.ts";
import { fold } from "../words/fold.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import { type Decide, defineProgram } from "../ports/program.ts";
import { toResult } from "../handle/run-result.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const NULLABLE = { type: ["object", "null"] } as const;
const toAlpha = (alpha: Partial<CrewDefinition>, more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "outer",
    subCrews: { alpha: defineCrew({ name: "alpha-crew", agents: [{ id: "worker", isTerminal: true }], ...alpha }) },
    agents: [{ id: "desk" }, { id: "checker", audience: "crew", isTerminal: true }],
    signals: { desk: [{ signal: "[ALPHA]", target: "alpha", returnTo: "checker" }] },
    ...more,
  });
const REPLIES = { desk: [{ say: "For you. [ALPHA]" }], worker: [{ say: "Work." }], checker: [{ say: "secret" }] };

test("null is an output if the schema allows it, of a program and of a model", async () => {
  const agent: AgentDefinition = { id: "a", output: NULLABLE, isTerminal: true };
  const crew = defineCrew({
    name: "t",
    programs: { p: defineProgram(() => ({ output: null })) },
    agents: [{ ...agent, model: { name: "code/p" } }],
  });
  assert.deepEqual([(await play(crew, {})).outcome, (await play(crew, {})).output], ["done", null]);
  const { outcome, output } = await play(defineCrew({ name: "t", agents: [agent] }), { a: [{ say: "null" }] });
  assert.deepEqual([outcome, output], ["done", null]);
});

test("what a sub-crew answers is shown without its signals", async () => {
  const crew = toAlpha({ agents: [{ id: "worker" }], signals: { worker: [{ signal: "[END]", target: "" }] } });
  const { content, events } = await play(crew, { ...REPLIES, worker: [{ say: "Answer. [END]" }] });
  assert.equal(content, "Answer.");
  assert.equal(of(events, "turn.ended").find(({ agent }) => agent === "alpha")?.content, "Answer.");
});

test("a sub-crew that writes for the crew alone leaves what the user was shown, and nothing in the session", async () => {
  const { content, history } = await play(
    toAlpha({ agents: [{ id: "worker", audience: "crew", isTerminal: true }] }),
    REPLIES,
  );
  assert.equal(content, "For you.");
  assert.deepEqual(
    history.map((message) => message.content),
    ["hello", "For you. [ALPHA]"],
  );
});

test("a sub-crew's agent that writes for the crew and waits leaves what the user was shown, live and by the log", async () => {
  const crew = toAlpha({
    agents: [{ id: "worker", audience: "crew" }],
    behaviors: { worker: { waitForSignal: true } },
  });
  const { events, engine: _1, run: _2, ...result } = await play(crew, REPLIES);
  assert.deepEqual(toResult(fold(events)), result);
  assert.equal(result.content, "For you.");
});

test("a run that reaches its limit at an agent of the crew shows what the user was shown last", async () => {
  const agents: readonly AgentDefinition[] = [{ id: "a" }, { id: "b", audience: "crew" }];
  const crew = defineCrew({ name: "t", agents, defaults: { a: "b", b: "a" }, settings: { maxHandoffs: 2 } });
  const { outcome, content } = await play(crew, { a: [{ say: "For you." }], b: [{ say: "secret" }] });
  assert.deepEqual([outcome, content], ["limit", "For you."]);
});

test("what members of a group write for the crew does not belong to the session", async () => {
  const agents: readonly AgentDefinition[] = [
    { id: "a", audience: "crew" },
    { id: "b", audience: "crew" },
    { id: "w", isTerminal: true },
  ];
  const crew = defineCrew({ name: "t", agents, entry: "g", groups: { g: { agents: ["a", "b"], nextAgent: "w" } } });
  const { history } = await play(crew, { a: [{ say: "secret" }], b: [{ say: "secret" }], w: [{ say: "Hi." }] });
  assert.deepEqual(
    history.map((message) => message.content),
    ["hello", "Hi."],
  );
});

test("the answer of a sub-crew that reached a limit is in the history live as by the log", async () => {
  const crew = toAlpha({ agents: [{ id: "worker" }, { id: "other" }], settings: { maxHandoffs: 2 } });
  const { events, engine: _1, run: _2, ...result } = await play(crew, { ...REPLIES, other: [{ say: "No, you." }] });
  assert.deepEqual(toResult(fold(events)), result);
});

test("a sub-crew that waits for a message can be cancelled by its lane", async () => {
  const crew = toAlpha({ agents: [{ id: "worker" }], behaviors: { worker: { waitForSignal: true } } });
  const { run, outcome, questions } = await play(crew, REPLIES);
  assert.deepEqual([outcome, questions.map(({ kind }) => kind)], ["paused", ["message"]]);
  const cancelled = await collect((await run.command({ type: "cancel", lane: "2/alpha" })).run);
  assert.deepEqual(
    of(cancelled.events, "question.closed").map(({ question }) => question),
    questions.map(({ question }) => question),
  );
  const error = { code: "cancelled", message: "cancelled by command", lane: "2/alpha" };
  assert.deepEqual(of(cancelled.events, "turn.ended").find(({ agent }) => agent === "alpha")?.error, error);
  assert.deepEqual([cancelled.outcome, cancelled.agent], ["done", "checker"]);
});

test("after a crash the baton returns where the route says that was followed, of several by output", async () => {
  const output = { type: "object", properties: { n: { type: "integer" } } } as const;
  const crew = toAlpha(
    {},
    {
      agents: [
        { id: "desk", output },
        { id: "one", isTerminal: true },
        { id: "two", isTerminal: true },
      ],
      signals: {
        desk: [
          { when: { n: 1 }, target: "alpha", returnTo: "one" },
          { when: { n: 2 }, target: "alpha", returnTo: "two" },
        ],
      },
    },
  );
  const replies = { ...REPLIES, desk: [{ say: '{"n":2}' }], one: [{ say: "1" }], two: [{ say: "2" }] };
  const whole = await play(crew, replies, { id: "r" });
  assert.equal(whole.agent, "two");
  const left = whole.events.slice(0, whole.events.findIndex(({ lane }) => lane === "2/alpha") + 1);
  const engine = new Engine({
    model: () => scriptModel(replies),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of left) log.open("r").append(event, event.lane);
      return log;
    },
  });
  assert.equal((await collect(engine.adopt(crew, { id: "r", events: left }))).agent, "two");
});

const isDecision = (said: unknown): said is ReturnType<Decide> => said !== REPLIES;
const cycle: { self?: object } = {};
cycle.self = cycle;
const NONSENSE: readonly (readonly [string, unknown])[] = [
  ["state that is a cycle", { say: "x", state: cycle }],
  ["an output that is a cycle", { say: "x", output: cycle }],
  ["state that is a function", { say: "x", state: () => 1 }],
  ["state of 20 MB", { say: "x", state: "x".repeat(20_000_000) }],
  ["a set that is text", { say: "x", set: "abc" }],
  ["a set that is a list", { say: "x", set: [1] }],
  ["a call that is null", { call: [null] }],
  ["a call without a tool", { call: [{}] }],
  ["arguments that are not JSON", { call: [{ tool: "T", args: () => 1 }] }],
  ["a note that is null", { notes: [null] }],
  ["a list", []],
];
for (const [what, said] of NONSENSE) {
  test(`a program that gives ${what} fails its turn with a message in words`, async () => {
    const tool = defineTool({ name: "T", description: "", effect: "read", input: z.any(), run: () => 1 });
    const decide: Decide = ({ results }) => (results.length === 0 && isDecision(said) ? said : { say: "went on" });
    const agents = [{ id: "a", tools: ["T"], model: { name: "code/p" }, isTerminal: true }];
    const { error } = await play(
      defineCrew({ name: "t", tools: [tool], programs: { p: defineProgram(decide) }, agents }),
      {},
    );
    assert.equal(error?.code, "model");
    assert.doesNotMatch(error.message, /destructure|Cannot read/);
  });
}

test("a program cannot change the state that it is shown", async () => {
  const crew = defineCrew({
    name: "t",
    programs: {
      p: defineProgram(({ values }) => {
        const set: unknown = Reflect.get(values, "set");
        if (typeof set === "function") Reflect.apply(set, values, ["forged", 1]);
        return { say: "x" };
      }),
      q: defineProgram(({ values }) => ({ say: JSON.stringify([...values]) })),
    },
    agents: [
      { id: "a", model: { name: "code/p" } },
      { id: "b", model: { name: "code/q" }, isTerminal: true },
    ],
    defaults: { a: "b" },
    behaviors: { a: { onFailure: "b" } },
  });
  assert.equal((await play(crew, {})).content, "[]");
});
