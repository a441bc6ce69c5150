import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../../definitions/crew.ts";
import type { Crew, CrewDefinition } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { EventBody } from "../../words/event.ts";
import { fold } from "../../words/fold.ts";
import { scriptModel } from "../../ports/script.ts";
import { collect, of, type Replies } from "../../testing/crew-runs.ts";
import { defineTool } from "../../definitions/tool.ts";

/** A crew that goes to `alpha` with [ALPHA] and ends at `end`. */
const outer = (alpha: Crew, more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "outer",
    subCrews: { alpha },
    agents: [{ id: "desk" }, { id: "end", isTerminal: true }],
    signals: { desk: [{ signal: "[ALPHA]", target: "alpha", returnTo: "end" }] },
    ...more,
  });

const solo = (more: Partial<CrewDefinition> = {}) =>
  defineCrew({ name: "alpha-crew", agents: [{ id: "worker", isTerminal: true }], ...more });

const REPLIES = { desk: [{ say: "Ask them. [ALPHA]" }], worker: [{ say: "Work." }], end: [{ say: "Bye." }] };

/** Plays a crew and sends commands when a fact is seen. */
async function meddle(crew: Crew, replies: Replies, isMoment: (fact: EventBody) => boolean) {
  const moment = Promise.withResolvers<undefined>();
  const engine = new Engine({
    model: () => scriptModel(replies),
    observe: (event) => {
      if (isMoment(event)) moment.resolve(undefined);
    },
  });
  const run = engine.start(crew, { input: "hello" });
  await moment.promise;
  return { engine, run };
}

const isTurnOf = (agent: string) => (fact: EventBody) => fact.type === "turn.started" && fact.agent === agent;

suite("a command to a run whose sub-crew is running", () => {
  test("say and pause are heard by the innermost crew", async () => {
    const two = solo({ agents: [{ id: "worker" }, { id: "second", isTerminal: true }], autoRoute: true });
    const replies = {
      ...REPLIES,
      worker: [{ say: "Work.", delayMs: 20 }],
      second: [{ when: "hurry", say: "Hurried." }, { say: "Slow." }],
    };
    const { run, engine } = await meddle(outer(two), replies, isTurnOf("worker"));
    await run.command({ type: "say", text: "hurry" });
    await run.command({ type: "pause" });
    const paused = await collect(run);
    assert.deepEqual(
      of(paused.events, "command.received").map(({ command, lane }) => [command.type, lane]),
      [
        ["say", "2/alpha"],
        ["pause", "2/alpha"],
      ],
    );
    assert.deepEqual(
      paused.questions.map(({ question }) => question),
      ["2/alpha/2/pause"],
    );
    const { events, content } = await collect((await engine.command(run.id, { type: "resume" })).run);
    assert.equal(content, "Bye.");
    assert.equal(of(events, "turn.ended").find(({ agent }) => agent === "second")?.text, "Hurried.");
  });

  test("a cancel stops what is inside, and its receipt names it", async () => {
    const started = Promise.withResolvers<undefined>();
    const slow = defineTool({
      name: "Slow",
      description: "Waits.",
      effect: "read",
      input: z.any(),
      run: async (_, { scope }) => {
        started.resolve(undefined);
        await scope.sleep(60_000);
      },
    });
    const alpha = solo({ tools: [slow], agents: [{ id: "worker", tools: ["Slow"], isTerminal: true }] });
    const engine = new Engine({ model: () => scriptModel({ ...REPLIES, worker: [{ call: [{ tool: "Slow" }] }] }) });
    const run = engine.start(outer(alpha), { input: "hello" });
    await started.promise;
    const { receipt } = await run.command({ type: "cancel" });
    assert.ok(receipt?.stopped.includes("call:2/alpha/1.1.1"), JSON.stringify(receipt));
    const { outcome, events } = await collect(run);
    assert.equal(outcome, "cancelled");
    assert.equal(of(events, "turn.started").length, of(events, "turn.ended").length);
    await engine[Symbol.asyncDispose]();
    assert.equal(engine.open, 0);
  });

  test("a cancel of one call inside stops that call alone", async () => {
    const slow = defineTool({
      name: "Slow",
      description: "Waits.",
      effect: "read",
      input: z.any(),
      run: (_, { scope }) => scope.sleep(60_000),
    });
    const alpha = solo({ tools: [slow], agents: [{ id: "worker", tools: ["Slow"], isTerminal: true }] });
    const replies = { ...REPLIES, worker: [{ call: [{ tool: "Slow" }] }, { say: "Went on." }] };
    const { run } = await meddle(outer(alpha), replies, ({ type }) => type === "call.started");
    await run.command({ type: "cancel", call: "2/alpha/1.1.1" });
    const { outcome, events } = await collect(run);
    const [ended] = of(events, "call.ended");
    assert.deepEqual([outcome, ended?.error?.kind], ["done", "cancelled"]);
  });

  test("configure names an agent inside by its path, and no other of that name", async () => {
    const alpha = solo({ agents: [{ id: "end", isTerminal: true }] });
    const seen: [string, number | undefined][] = [];
    const script = scriptModel({ ...REPLIES, desk: [{ say: "Go. [ALPHA]", delayMs: 5 }] });
    const engine = new Engine({
      model: () => ({
        name: "seen",
        stream: (prompt, scope) => {
          seen.push([prompt.agent, prompt.temperature]);
          return script.stream(prompt, scope);
        },
      }),
    });
    const run = engine.start(outer(alpha), { input: "hello" });
    await run.command({ type: "configure", agent: "alpha/end", temperature: 0 });
    await assert.rejects(run.command({ type: "configure", agent: "beta/end", temperature: 0 }), { code: "not_found" });
    await run.result;
    assert.deepEqual(seen, [
      ["desk", 0.7],
      ["end", 0],
      ["end", 0.7],
    ]);
  });
});

test("what a model keeps is kept by crew and agent", async () => {
  const alpha = solo({ agents: [{ id: "desk", isTerminal: true }] });
  const twice = outer(alpha, {
    signals: {
      desk: [
        { signal: "[ALPHA]", target: "alpha" },
        { signal: "[END]", target: "" },
      ],
    },
  });
  const states: [string, unknown][] = [];
  const engine = new Engine({
    model: (_, crew) => ({
      name: "counts",
      async *stream({ state }) {
        states.push([crew.name, state ?? 0]);
        const count = Number(state ?? 0) + 1;
        const text = crew.name === "outer" ? (count < 3 ? "Go. [ALPHA]" : "Enough. [END]") : "Inside.";
        yield [
          { type: "text", text },
          { type: "end", finish: "stop", usage: { inputTokens: 0, outputTokens: 0 }, state: count },
        ];
      },
    }),
  });
  const { events } = await collect(engine.start(twice, { input: "x" }));
  assert.deepEqual(states, [
    ["outer", 0],
    ["alpha-crew", 0],
    ["outer", 1],
    ["alpha-crew", 1],
    ["outer", 2],
  ]);
  assert.deepEqual(
    [...fold(events).modelStates],
    [
      ["desk", 3],
      ["alpha/desk", 2],
    ],
  );
});

test("state that is set inside is the run's, and is seen outside", async () => {
  const mark = defineTool({
    name: "Mark",
    description: "Marks.",
    effect: "read",
    input: z.any(),
    run: (_, { state }) => state.set("k", "inside"),
  });
  const alpha = solo({ tools: [mark], agents: [{ id: "worker", tools: ["Mark"], isTerminal: true }] });
  const crew = outer(alpha, {
    agents: [{ id: "desk" }, { id: "end", isTerminal: true, systemPrompt: "<{{state.k}}>" }],
  });
  const systems: string[] = [];
  const script = scriptModel({ ...REPLIES, worker: [{ call: [{ tool: "Mark" }] }, { say: "Work." }] });
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream: (prompt, scope) => {
        systems.push(prompt.system);
        return script.stream(prompt, scope);
      },
    }),
  });
  await engine.start(crew, { input: "x" }).result;
  assert.match(systems.at(-1) ?? "", /^<inside>\n/);
});
