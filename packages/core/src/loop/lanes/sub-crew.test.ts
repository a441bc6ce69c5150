import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../../definitions/crew.ts";
import type { Crew, CrewDefinition } from "../../definitions/definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { RunEvent } from "../../words/event.ts";
import { fold } from "../../words/fold.ts";
import { toResult } from "../../handle/run-result.ts";
import { scriptModel } from "../../ports/script.ts";
import { collect, of, play, type Played } from "../../testing/crew-runs.ts";
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

/** An agent that asks the user, and goes on with what it is told. */
const asking = solo({
  agents: [{ id: "worker" }],
  behaviors: { worker: { waitForSignal: true } },
  signals: { worker: [{ signal: "[DONE]", target: "" }] },
});

const REPLIES = { desk: [{ say: "Ask them. [ALPHA]" }], worker: [{ say: "Work." }], end: [{ say: "Bye." }] };
const ASKING = { ...REPLIES, worker: [{ say: "Sure?" }, { say: "Good. [DONE]" }] };

const positions = (events: readonly RunEvent[]) =>
  of(events, "turn.started").map(({ lane, turn, agent, crew }) => [lane, turn, agent, crew]);

function assertSameAsFold({ events, engine: _1, run: _2, ...result }: Played): void {
  assert.deepEqual(toResult(fold(events)), result);
}

suite("a sub-crew", () => {
  test("has turns, steps and calls at positions of its own, in a lane of its own", async () => {
    const look = defineTool({ name: "Look", description: "Looks.", effect: "read", input: z.any(), run: () => 1 });
    const alpha = solo({ tools: [look], agents: [{ id: "worker", tools: ["Look"], isTerminal: true }] });
    const played = await play(outer(alpha), { ...REPLIES, worker: [{ call: [{ tool: "Look" }] }, { say: "Work." }] });
    assert.deepEqual(positions(played.events), [
      ["", "1", "desk", undefined],
      ["", "2", "alpha", "alpha-crew"],
      ["2/alpha", "2/alpha/1", "worker", undefined],
      ["", "3", "end", undefined],
    ]);
    assert.deepEqual(
      of(played.events, "step.started").map(({ step }) => step),
      ["1.1", "2/alpha/1.1", "2/alpha/1.2", "3.1"],
    );
    assert.equal(of(played.events, "call.ended")[0]?.call, "2/alpha/1.1.1");
    assertSameAsFold(played);
  });

  test("is given the reply without its signals, and its answer is read as [alpha] …", async () => {
    const seen = new Map<string, readonly string[]>();
    const script = scriptModel(REPLIES);
    const engine = new Engine({
      model: () => ({
        name: "seen",
        stream: (prompt, scope) => {
          seen.set(
            prompt.agent,
            prompt.messages.map(({ content }) => content),
          );
          return script.stream(prompt, scope);
        },
      }),
    });
    const { history } = await engine.start(outer(solo()), { input: "hello" }).result;
    assert.deepEqual(seen.get("worker"), ["Ask them."]);
    assert.deepEqual(seen.get("end"), ["hello", "[desk] Ask them. [ALPHA]", "[alpha] Work."]);
    assert.deepEqual(
      history.map((message) => ("agent" in message ? message.agent : message.role)),
      ["user", "desk", "alpha", "end"],
    );
  });

  test("is given the user's words if the reply was nothing but a signal", async () => {
    const { events } = await play(outer(solo()), {
      ...REPLIES,
      desk: [{ say: "[ALPHA]" }],
      worker: [{ when: "hello", say: "Hello too." }],
    });
    assert.equal(of(events, "turn.ended").find(({ agent }) => agent === "alpha")?.text, "Hello too.");
  });

  test("gives the baton back to who sent it, if the route says nothing else; both ways count once", async () => {
    const back = outer(solo(), {
      signals: {
        desk: [
          { signal: "[ALPHA]", target: "alpha" },
          { signal: "[END]", target: "end" },
        ],
      },
    });
    const { events } = await play(back, { ...REPLIES, desk: [{ say: "Go. [ALPHA]" }, { say: "Enough. [END]" }] });
    assert.deepEqual(
      of(events, "handoff.made").map(({ from, to, via, count }) => [from, to, via, count]),
      [
        ["desk", "alpha", "signal", 1],
        ["alpha", "desk", "return", 1],
        ["desk", "end", "signal", 2],
      ],
    );
  });

  test("has its own limits, and if it reaches one so does the run", async () => {
    const alpha = solo({ agents: [{ id: "worker" }, { id: "other" }], autoRoute: true, settings: { maxHandoffs: 2 } });
    const played = await play(outer(alpha), { ...REPLIES, other: [{ say: "No, you." }] });
    assert.equal(played.outcome, "limit");
    assert.deepEqual(
      of(played.events, "limit.reached").map(({ limit, lane }) => [limit, lane]),
      [["max_handoffs", "2/alpha"]],
    );
    assert.equal(of(played.events, "run.ended").length, 1);
  });

  test("that fails makes the run fail, with its error", async () => {
    const played = await play(outer(solo()), { ...REPLIES, worker: [{ fail: "no key" }] });
    assert.deepEqual([played.outcome, played.error?.message, played.agent], ["failed", "no key", "alpha"]);
    const [inner, own] = of(played.events, "turn.ended").slice(1);
    assert.deepEqual([inner?.error?.code, own?.error?.code, own?.lane], ["model", "model", ""]);
    assertSameAsFold(played);
  });

  test("that takes longer than its timeout ends the run with that limit, and says whose it is", async () => {
    const alpha = solo({ settings: { timeoutMs: 30 } });
    const { outcome, error } = await play(outer(alpha), { ...REPLIES, worker: [{ say: "too late", delayMs: 10_000 }] });
    assert.deepEqual([outcome, error?.limit], ["limit", { name: "timeout_seconds", value: 0.03 }]);
    assert.match(error?.message ?? "", /^alpha took longer than .*\(timeout_seconds of alpha-crew\)$/);
  });

  test("has no more time than is left of the run", async () => {
    const crew = outer(solo({ settings: { timeoutMs: 60_000 } }), { settings: { timeoutMs: 30 } });
    const { outcome, error } = await play(crew, { ...REPLIES, worker: [{ say: "too late", delayMs: 10_000 }] });
    assert.deepEqual([outcome, error?.limit], ["limit", { name: "timeout_seconds", value: 0.03 }]);
    assert.match(error?.message ?? "", /^the run took longer/);
  });

  test("may hold groups and other crews, as deep as four", async () => {
    const inner = solo({ name: "beta-crew", agents: [{ id: "deep", isTerminal: true }] });
    const alpha = defineCrew({
      name: "alpha-crew",
      subCrews: { beta: inner },
      agents: [{ id: "worker" }, { id: "left" }, { id: "right" }, { id: "sum", isTerminal: true }],
      groups: { both: { agents: ["left", "right"], nextAgent: "sum" } },
      signals: {
        worker: [
          { signal: "[BETA]", target: "beta" },
          { signal: "[BOTH]", target: "both" },
        ],
      },
    });
    const played = await play(outer(alpha), {
      ...REPLIES,
      worker: [{ say: "Deeper. [BETA]" }, { say: "Wider. [BOTH]" }],
      deep: [{ say: "Deep." }],
      left: [{ say: "L" }],
      right: [{ say: "R" }],
      sum: [{ say: "Sum." }],
    });
    assert.equal(played.outcome, "done");
    assert.deepEqual(
      positions(played.events).map(([lane, turn]) => [lane, turn]),
      [
        ["", "1"],
        ["", "2"],
        ["2/alpha", "2/alpha/1"],
        ["2/alpha", "2/alpha/2"],
        ["2/alpha/2/beta", "2/alpha/2/beta/1"],
        ["2/alpha", "2/alpha/3"],
        ["2/alpha/4/both/left", "2/alpha/4/both/left/1"],
        ["2/alpha/4/both/right", "2/alpha/4/both/right/1"],
        ["2/alpha", "2/alpha/5"],
        ["", "3"],
      ],
    );
    assertSameAsFold(played);
  });
});

suite("a sub-crew that waits for the user", () => {
  test("asks a question of kind message, and the run is paused as by a signal", async () => {
    const played = await play(outer(asking), ASKING);
    assert.deepEqual([played.outcome, played.content, played.agent], ["paused", "Sure?", "worker"]);
    assert.deepEqual(
      played.questions.map(({ question, kind, schema }) => [question, kind, schema]),
      [["2/alpha/1/message", "message", { type: "string" }]],
    );
    assert.deepEqual(
      of(played.events, "run.paused").map(({ by, questions }) => [by, questions]),
      [["signal", ["2/alpha/1/message"]]],
    );
    assertSameAsFold(played);
  });

  const ways: readonly (readonly [string, (played: Played) => Promise<unknown>])[] = [
    ["a resume", async ({ engine, run }) => engine.resume(run.id, "yes")],
    ["a resume by command", async ({ run }) => run.command({ type: "resume", input: "yes" })],
    ["a say", async ({ run }) => run.command({ type: "say", text: "yes" })],
    ["an answer", async ({ run }) => run.command({ type: "answer", question: "2/alpha/1/message", value: "yes" })],
  ];
  for (const [what, wake] of ways) {
    test(`goes on with ${what}, and the run after it`, async () => {
      const first = await play(outer(asking), {
        ...ASKING,
        worker: [{ say: "Sure?" }, { when: "yes", say: "Good. [DONE]" }],
      });
      await wake(first);
      const rest = await collect(first.engine.run(first.run.id) ?? first.run);
      assert.deepEqual([rest.outcome, rest.content], ["done", "Bye."]);
      assert.deepEqual(
        rest.history.map(({ content }) => content),
        ["hello", "Ask them. [ALPHA]", "Good.", "Bye."],
      );
      assert.equal(of(rest.events, "turn.started").length, 5);
      assertSameAsFold({ ...first, ...rest });
    });
  }

  test("refuses an answer that is not text, and a resume that says nothing", async () => {
    const { run } = await play(outer(asking), ASKING);
    await assert.rejects(run.command({ type: "answer", question: "2/alpha/1/message", value: 5 }), { code: "invalid" });
    await assert.rejects(run.command({ type: "resume" }), { code: "question_open" });
  });

  test("counts handoffs anew after the message, inside and outside", async () => {
    const crew = outer(asking, {
      agents: [{ id: "desk" }, { id: "end" }, { id: "last", isTerminal: true }],
      defaults: { end: "last" },
      settings: { maxHandoffs: 2 },
    });
    const { engine, run } = await play(crew, { ...ASKING, last: [{ say: "Last." }] });
    const { events, outcome } = await collect(engine.resume(run.id, "yes"));
    assert.equal(outcome, "done");
    assert.deepEqual(
      of(events, "handoff.made").map(({ to, count }) => [to, count]),
      [
        ["alpha", 1],
        ["end", 0],
        ["last", 1],
      ],
    );
  });

  test("is cancelled with the run, and its question is closed", async () => {
    const { run } = await play(outer(asking), ASKING);
    const { run: last } = await run.command({ type: "cancel" });
    const { events, outcome } = await collect(last);
    assert.equal(outcome, "cancelled");
    assert.deepEqual(
      of(events, "question.closed").map(({ question, lane }) => [question, lane]),
      [["2/alpha/1/message", "2/alpha"]],
    );
    assert.equal(of(events, "turn.started").length, of(events, "turn.ended").length);
  });
});
