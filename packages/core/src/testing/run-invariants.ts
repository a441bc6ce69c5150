/**
 * Run invariants: what must be true of the events of every run, however it went.
 */
import assert from "node:assert/strict";
import type { Crew } from "../definitions/definition.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import type { Settings } from "../definitions/limits.ts";
import { toCrewPath } from "../words/position.ts";
import { toResult } from "../handle/run-result.ts";
import { of } from "./crew-runs.ts";
import type { Simulated } from "./simulation.ts";

const PAIRS = [
  ["turn.started", "turn.ended", "turn"],
  ["step.started", "step.ended", "step"],
  ["call.started", "call.ended", "call"],
  ["group.started", "group.ended", "turn"],
] as const;

/** Positions of one type of event, each as often as it occurs. */
function positions(events: readonly RunEvent[], type: string, field: string): string[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => String(new Map(Object.entries(event)).get(field)));
}

/** The settings of the crew that a lane is in. */
function settingsAt(crew: Crew, lane: string): Settings {
  const path = toCrewPath(lane, crew).split("/").slice(0, -1);
  return path.reduce((inner, name) => inner.subCrews.get(name) ?? inner, crew).settings;
}

/** Whether one position is another or inside it, or the call that a lane carries out. */
function isWithin(call: string, cancelled: string): boolean {
  return call === cancelled || call.startsWith(`${cancelled}/`) || cancelled.startsWith(`${call}/`);
}

/** Fails if a simulated run broke one of the promises that hold for every run. */
export function checkInvariants(seed: number, { crew, events, leaked, livesMs, result }: Simulated): void {
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
      ({ command }) => command.type === "cancel" && isWithin(call, command.lane ?? command.call ?? ""),
    );
    assert.ok(isCommanded, `${at}: ${call} was cancelled and nobody said so`);
  }
}
