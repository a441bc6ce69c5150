/**
 * Dialect suite: what the chat dialect promises about every run, checked on simulated runs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Crew, RunEvent } from "@baton/core";
import { of, simulate } from "@baton/core/testing";
import { type Frame, findAgent, listCrewAgents } from "@baton/server/mount";
import { chatDialect } from "../chat-dialect.ts";
import { framesBySegment, parseFrame, resultsOf, toContentText, toContext } from "./chat-frames.ts";

const dialect = chatDialect({ disclaimer: { en: "not advice" } });

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

/** The turn of a step: its position without the last number. */
const turnOf = (step: string): string => step.slice(0, step.lastIndexOf("."));

/** Joins what agents said to the user, without signals, in the order their steps ended; undefined if a step was interrupted. */
function toSaid(crew: Crew, events: readonly RunEvent[], segment: readonly RunEvent[]): string | undefined {
  const cast = listCrewAgents(crew);
  const hidden = new Set(
    of(events, "turn.started").flatMap(({ turn, audience }) => (audience === "crew" ? [turn] : [])),
  );
  const ended = of(segment, "step.ended");
  if (ended.some(({ error }) => error !== undefined)) return undefined;
  if (of(segment, "step.started").length !== ended.length) return undefined;
  return ended
    .filter(({ step, calls }) => calls.length === 0 && !hidden.has(turnOf(step)))
    .map(({ text, lane, agent }) => findAgent(cast, lane, agent).watch.matcher.strip(text))
    .filter((text) => text !== "")
    .join("\n\n");
}

type SimulatedRun = Readonly<{ seed: number; crew: Crew; events: readonly RunEvent[] }>;

/** Runs the suite on the runs of these seeds. */
export function testChatDialect(seeds: readonly number[]): void {
  const runs = Promise.all(seeds.map(async (seed) => ({ seed, ...(await simulate(seed)) })));

  test("the same frames come from every state again, for no state is ever changed", async () => {
    for (const run of await runs) assertReplayable(run);
  });

  test("frames are numbered without gap or repeat, and all hold JSON", async () => {
    for (const run of await runs) assertNumbered(run);
  });

  test("every segment of random runs is told in its order, and ends with its sum", async () => {
    for (const run of await runs) assertOrder(run);
  });

  test("the content is all that agents say to the user, without signals, and nothing else", async () => {
    const checked = (await runs).reduce((sum, run) => sum + assertContent(run), 0);
    assert.ok(checked > seeds.length / 4, `${checked} segments`);
  });

  test("every call of an agent with a language model is told once, with what became of it", async () => {
    for (const run of await runs) assertCalls(run);
  });
}

function assertReplayable({ crew, events }: SimulatedRun): void {
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

function assertNumbered({ crew, events }: SimulatedRun): void {
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

function assertOrder({ seed, crew, events }: SimulatedRun): void {
  for (const frames of framesBySegment(crew, events)) {
    if (frames.length === 0) continue;
    const types = frames.map(({ data }) => parseFrame(data).type);
    const letters = types.map((type) => (type === "warning" ? "" : (LETTERS[type] ?? "?"))).join("");
    assert.match(letters, ORDER, `seed ${seed}`);
  }
}

/** Returns the number of segments whose content was checked. */
function assertContent({ seed, crew, events }: SimulatedRun): number {
  const segments: RunEvent[][] = [[]];
  for (const event of events) {
    segments.at(-1)?.push(event);
    if (event.type === "run.paused") segments.push([]);
  }
  let checked = 0;
  for (const [index, frames] of framesBySegment(crew, events).entries()) {
    const said = toSaid(crew, events, segments[index] ?? []);
    if (said === undefined) continue;
    assert.equal(toContentText(frames.map(({ data }) => parseFrame(data))), said, `seed ${seed}`);
    checked++;
  }
  return checked;
}

function assertCalls({ crew, events }: SimulatedRun): void {
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
