import assert from "node:assert/strict";
import { test } from "node:test";
import type { Crew } from "../definitions/definition.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import type { Settings } from "../definitions/limits.ts";
import { isMember, toCrewPath } from "../words/position.ts";
import { toResult } from "../handle/run-result.ts";
import { of } from "../testing/crew-runs.ts";
import { simulate, type Simulated } from "../testing/simulation.ts";

const RUNS = 5_000;

const PAIRS = [
  ["turn.started", "turn.ended", "turn"],
  ["step.started", "step.ended", "step"],
  ["call.started", "call.ended", "call"],
  ["group.started", "group.ended", "turn"],
] as const;

/** Cases that the simulations must have met often enough to say something about them. */
const RARE: { readonly [what: string]: (event: RunEvent) => boolean } = {
  "a lane cancelled alone": ({ type, ...rest }) =>
    type === "turn.ended" && "error" in rest && rest.error?.lane !== undefined,
  "a call cancelled alone": (event) => event.type === "call.ended" && event.error?.kind === "cancelled",
  "a tool of the client": (event) => event.type === "question.answered" && event.question.endsWith("/tool"),
  "a configured run": (event) => event.type === "command.received" && event.command.type === "configure",
  "an empty reply, twice": (event) => event.type === "turn.ended" && event.error?.code === "empty_reply",
  "a failure another agent took over": (event) => event.type === "handoff.made" && event.via === "failure",
  "a loop that was stopped": (event) => event.type === "warning.raised" && event.text.includes("max_repeated_calls"),
  "a cut output": (event) => event.type === "warning.raised" && event.text.includes("max_tool_output_chars"),
  "a window that was outgrown": (event) => event.type === "history.trimmed",
  "a model that ended the run": (event) => event.type === "step.ended" && event.end === true,
  "a program": (event) => event.type === "step.started" && event.model === "code/p",
  "a program that set the state": (event) => event.type === "step.ended" && event.set !== undefined,
  "a program that threw": (event) => event.type === "step.ended" && event.error?.message === "thrown by a program",
  "a program that called tools": (event) =>
    event.type === "step.ended" && event.calls.length > 0 && event.usage.outputTokens === 0,
  "a note of a program": (event) => event.type === "note.made" && event.data === "program",
  "a note of a tool": (event) => event.type === "note.made" && event.data === "tool",
  "a note of a model": (event) => event.type === "note.made" && event.data === "model",
  "an output": (event) => event.type === "turn.ended" && event.output !== undefined,
  "an output that was corrected": (event) =>
    event.type === "warning.raised" && event.text.endsWith("is asked to correct it"),
  "an output that never fitted": (event) => event.type === "turn.ended" && event.error?.code === "bad_output",
  "a route by output": (event) => event.type === "handoff.made" && event.via === "output",
  "a route by output in a group": (event) =>
    event.type === "signal.matched" && event.match === "output" && isMember(event.lane),
  "an agent that wrote for the crew": (event) => event.type === "turn.started" && event.audience === "crew",
  "a tool that was not offered": (event) =>
    event.type === "call.ended" && event.error?.message.endsWith("is not offered now") === true,
  "a search for tools": (event) => event.type === "call.ended" && event.tool === "tool_search",
  "a digest": (event) => event.type === "call.ended" && event.digest !== undefined,
  "a sub-crew that answered": (event) => event.type === "handoff.made" && event.via === "return",
  "a sub-crew that failed": (event) => isEndOfSub(event) && "error" in event && event.error?.code === "model",
  "a sub-crew that was out of time": (event) => isEndOfSub(event) && "error" in event && event.error?.code === "limit",
  "a sub-crew inside a sub-crew": (event) => event.type === "turn.started" && toCrewPath(event.lane) === "sub/sub/",
  "a group inside a sub-crew": (event) => event.type === "group.started" && event.lane !== "",
  "a sub-crew that waited for a message": (event) =>
    event.type === "question.answered" && event.question.endsWith("/message"),
  "a command that a sub-crew heard": (event) => event.type === "command.received" && event.lane !== "",
};

const isEndOfSub = (event: RunEvent): boolean => event.type === "turn.ended" && event.agent === "sub";

/** Positions of one type of event, each as often as it occurs. */
function positions(events: readonly RunEvent[], type: string, field: string): string[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => String(new Map(Object.entries(event)).get(field)));
}

/** The settings of the crew that a lane is in. */
function settingsAt(crew: Crew, lane: string): Settings {
  const path = toCrewPath(lane).split("/").slice(0, -1);
  return path.reduce((inner, name) => inner.subCrews.get(name) ?? inner, crew).settings;
}

function checkInvariants(seed: number, { crew, events, leaked, livesMs, result }: Simulated): void {
  const at = `seed ${seed}`;
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
    `${at}: seq has a gap`,
  );
  assert.equal(events.at(-1)?.type, "run.ended", `${at}: something after the end`);
  assert.equal(of(events, "run.ended").length, 1, at);
  for (const [started, ended, field] of PAIRS) {
    const begun = positions(events, started, field).toSorted();
    assert.deepEqual(positions(events, ended, field).toSorted(), begun, `${at}: ${started} without its ${ended}`);
    assert.equal(new Set(begun).size, begun.length, `${at}: ${started} twice`);
  }
  const { timeoutMs } = crew.settings;
  assert.ok(
    of(events, "handoff.made").every(({ count, lane }) => count < settingsAt(crew, lane).maxHandoffs),
    `${at}: too many handoffs`,
  );
  assert.ok(
    of(events, "step.started").every(
      ({ step, lane }) => Number(step.split(".").at(-1)) <= settingsAt(crew, lane).maxSteps,
    ),
    `${at}: too many steps`,
  );
  assert.ok(
    livesMs.every((ms) => ms <= timeoutMs + 250),
    `${at}: ${livesMs.join()} ms is longer than the run may be`,
  );
  assert.equal(leaked, 0, `${at}: ${leaked} leaked`);
  assert.deepEqual(toResult(fold(events)), result, `${at}: the fold differs from what was lived`);
  for (const { call } of of(events, "call.ended").filter(({ error }) => error?.kind === "cancelled")) {
    const isCommanded = of(events, "command.received").some(
      ({ command }) => "call" in command && command.call === call,
    );
    assert.ok(isCommanded, `${at}: ${call} was cancelled and nobody said so`);
  }
}

test(
  "5,000 random runs keep every promise, whatever fails and whenever it is cancelled",
  { timeout: 280_000 },
  async () => {
    const outcomes = new Map<string, number>();
    const seen = new Map(Object.keys(RARE).map((what) => [what, 0]));
    for (let seed = 1; seed <= RUNS; seed++) {
      const simulated = await simulate(seed);
      checkInvariants(seed, simulated);
      for (const [what, isThere] of Object.entries(RARE)) {
        if (simulated.events.some(isThere)) seen.set(what, (seen.get(what) ?? 0) + 1);
      }
      const [ended] = of(simulated.events, "run.ended");
      outcomes.set(ended?.outcome ?? "none", (outcomes.get(ended?.outcome ?? "none") ?? 0) + 1);
    }
    assert.deepEqual([...outcomes.keys()].toSorted(), ["cancelled", "done", "failed", "limit"]);
    for (const [what, count] of seen) assert.ok(count > 10, `${what} was seen ${count} times`);
  },
);

test("the same seed plays the same run, event for event", async () => {
  for (const seed of [3, 77, 4_242]) {
    assert.deepEqual((await simulate(seed)).events, (await simulate(seed)).events);
  }
});
