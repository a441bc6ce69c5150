import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, type RunEvent } from "@baton/core";
import { assertLinear, of, simulate } from "@baton/core/testing";
import { type Frame, findAgent, listCrewAgents } from "@baton/server/mount";
import { chatDialect } from "./chat-dialect.ts";
import { parseFrame, resultsOf, toContentText, toContext, framesBySegment } from "./testing/chat-frames.ts";

const RUNS = 300;
const dialect = chatDialect({ disclaimer: { en: "not advice" } });

test("the same frames come from every state again, for no state is ever changed", async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const { crew, events } = await simulate(seed);
    const states = [dialect.start(toContext(crew))];
    const told: (readonly Frame[])[] = [];
    for (const event of events) {
      const [state, frames] = dialect.next(states.at(-1) ?? dialect.start(toContext(crew)), event);
      states.push(state);
      told.push(frames);
    }
    for (const [index, event] of events.entries()) {
      const state = states[index];
      assert.ok(state !== undefined);
      assert.deepEqual(dialect.next(state, event)[1], told[index]);
    }
  }
});

test("frames are numbered without gap or repeat, and all hold JSON", async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const { crew, events } = await simulate(seed);
    let state = dialect.start(toContext(crew));
    for (const event of events) {
      const [next, frames] = dialect.next(state, event);
      state = next;
      const expected = frames.map((_, index) => (frames.length === 1 ? `${event.seq}` : `${event.seq}.${index + 1}`));
      assert.deepEqual(
        frames.map(({ id }) => id),
        expected,
      );
      for (const { data } of frames) parseFrame(data);
    }
  }
});

/** One letter a frame; what may stand in any place is left out. */
const LETTERS: Readonly<Record<string, string>> = {
  classification: "c",
  thinking_start: "T",
  thinking_step: "t",
  thinking_end: "E",
  turn_start: "n",
  tool_calls: "n",
  tool_results: "n",
  plan_update: "n",
  content_start: "S",
  content_delta: "d",
  content_restart: "d",
  content_end: "X",
  sources: "s",
  question: "q",
  error: "e",
  done: "D",
};

/** Thinking once before the content, content once, then sources, questions or an error, and the sum. */
const ORDER = /^c*n*(?:T[tn]*En*)?(?:S[dn]*X)?s?(?:q*|e)D$/;

test("every segment of random runs is told in its order, and ends with its sum", async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const { crew, events } = await simulate(seed);
    for (const frames of framesBySegment(crew, events)) {
      if (frames.length === 0) continue;
      const types = frames.map(({ data }) => parseFrame(data).type);
      const letters = types.map((type) => (type === "warning" ? "" : (LETTERS[type] ?? "?"))).join("");
      assert.match(letters, ORDER, `seed ${seed}`);
    }
  }
});

/** The turn of a step: its position without the last number. */
const turnOf = (step: string): string => step.slice(0, step.lastIndexOf("."));

/** What agents said to the user, without signals, in the order their steps ended; undefined if a step was interrupted. */
function toSaid(crew: Crew, events: readonly RunEvent[], segment: readonly RunEvent[]): string | undefined {
  const cast = listCrewAgents(crew);
  const hidden = new Set(
    of(events, "turn.started").flatMap(({ turn, audience }) => (audience === "crew" ? [turn] : [])),
  );
  const ended = of(segment, "step.ended");
  if (ended.some(({ error }) => error !== undefined)) return undefined;
  if (of(segment, "step.started").length !== ended.length) return undefined;
  return ended
    .filter(({ step }) => !hidden.has(turnOf(step)))
    .map(({ text, lane, agent }) => findAgent(cast, lane, agent).watch.matcher.strip(text))
    .filter((text) => text !== "")
    .join("\n\n");
}

test("the content is all that agents say to the user, without signals, and nothing else", async () => {
  let checked = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const { crew, events } = await simulate(seed);
    const lives: RunEvent[][] = [[]];
    for (const event of events) {
      lives.at(-1)?.push(event);
      if (event.type === "run.paused") lives.push([]);
    }
    for (const [index, frames] of framesBySegment(crew, events).entries()) {
      const said = toSaid(crew, events, lives[index] ?? []);
      if (said === undefined) continue;
      assert.equal(toContentText(frames.map(({ data }) => parseFrame(data))), said, `seed ${seed}`);
      checked++;
    }
  }
  assert.ok(checked > RUNS / 4, `${checked} lives`);
});

test("every call of an agent with a language model is told once, with what became of it", async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const { crew, events } = await simulate(seed);
    const cast = listCrewAgents(crew);
    const told = resultsOf(
      framesBySegment(crew, events)
        .flat()
        .map(({ data }) => parseFrame(data)),
    );
    const expected = of(events, "call.ended").filter(({ lane, agent }) => !findAgent(cast, lane, agent).isProgram);
    assert.deepEqual(
      told.map(({ id, success }) => [id, success]),
      expected.map(({ call, error }) => [call, error === undefined]),
    );
  }
});

test("what comes after the end of a run is not told", async () => {
  const { crew, events } = await simulate(1);
  const late: RunEvent = {
    type: "warning.raised",
    agent: "a",
    text: "too late",
    run: "run",
    lane: "",
    at: 0,
    seq: events.length + 1,
  };
  assert.deepEqual(framesBySegment(crew, [...events, late]), framesBySegment(crew, events));
});

test("a long reply is told in linear time", () => {
  const crew = defineCrew({ name: "solo", agents: [{ id: "writer", isTerminal: true }] });
  const stamp = { run: "run", at: 0, lane: "" };
  const about = { step: "1.1", agent: "writer" };
  assertLinear(40_000, (size) => {
    const deltas = Array.from({ length: size }, (_, index): RunEvent => {
      return { ...stamp, seq: index + 2, type: "text.delta", ...about, text: index % 3 === 0 ? " [" : "ab" };
    });
    const events: readonly RunEvent[] = [
      { ...stamp, seq: 1, type: "step.started", ...about, model: "test/model" },
      ...deltas,
    ];
    return () => framesBySegment(crew, events);
  });
});
