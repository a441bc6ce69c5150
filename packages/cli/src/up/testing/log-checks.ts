/**
 * Log checks: what must be true of every run, whatever was killed while it was under way.
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Command, RunEvent } from "@baton/client";
import { of } from "@baton/core/testing";
import type { Mark } from "./marks.ts";
import type { Seen, Sent } from "./user.ts";

/** Time after a wake-up in which a process begins what it was about to begin: it learns that its claims are lost. */
const WAKING_MS = 2_000;

/** The end of a process's freeze. */
export interface Wake {
  readonly pid: number;
  readonly at: number;
}

/** The events that the user saw are the log: from the first event to the last, each once. */
export function checkSeen({ run, events }: Seen, log: readonly RunEvent[]): void {
  assert.deepEqual(events, log, `${run} was seen otherwise than it is stored`);
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
  );
  const ends = of(log, "run.ended");
  assert.equal(ends.length, 1, `${run} ended ${ends.length} times`);
  assert.equal(log.at(-1)?.type, "run.ended", run);
  const outcome = ends[0]?.outcome;
  assert.ok(outcome === "done" || outcome === "cancelled", `${run}: ${JSON.stringify(ends)}`);
  for (const type of ["step.ended", "call.ended"] as const) {
    const names = of(log, type).map((event) => (event.type === "step.ended" ? event.step : event.call));
    assert.equal(new Set(names).size, names.length, `${run}: ${type} repeats in ${names.join(" ")}`);
  }
}

/** A command that was acknowledged is in the log once; one that was refused is not there. */
export function checkSent({ run, command, fate, why }: Sent, log: readonly RunEvent[]): void {
  const times = log.filter((event) => isOutcome(event, command)).length;
  const allowed = { acknowledged: [1], refused: [0], unknown: [0, 1] }[fate];
  assert.ok(
    allowed.includes(times),
    `${run}: ${JSON.stringify(command)} was ${fate} (${why}), and is ${times} times in the log`,
  );
}

/** Whether an event says what a command came to: it was received, it came too late, or it ended the run. */
function isOutcome(event: RunEvent, command: Command): boolean {
  if (command.type === "cancel") return event.type === "run.ended" && event.outcome === "cancelled";
  if (event.type === "warning.raised") return event.text.includes(`"${command.type}" came too late`);
  // The log also says who sent it.
  const isSame = (said: Command): boolean =>
    isDeepStrictEqual({ ...said, by: undefined }, { ...command, by: undefined });
  return event.type === "command.received" && isSame(event.command);
}

/**
 * A step or call whose end a reader has seen is not done again; what is irreversible only if a person was asked. A process
 * that was frozen right before it began something begins it when it wakes up; that counts as one of the times.
 */
export function checkMarks({ events, arrivals }: Seen, marks: readonly Mark[], wakes: readonly Wake[]): void {
  const seen = events.map((event, index) => ({ event, at: arrivals[index] ?? Infinity }));
  for (const mark of marks) {
    if (isAtWake(mark, wakes) || (mark.kind !== "begun" && mark.kind !== "model")) continue;
    const end = mark.kind === "begun" ? findCall(seen, mark.of) : findStep(seen, mark.of);
    assert.ok(mark.at <= end, `done again, though its end was seen: ${JSON.stringify(mark)}`);
  }
  for (const { call, effect } of of(events, "call.started")) {
    if (effect !== "irreversible") continue;
    const times = marks.filter((mark) => mark.kind === "done" && mark.of === call).length;
    const asked = of(events, "question.opened").filter((one) => one.kind === "doubt" && one.call === call).length;
    assert.ok(times <= 1 + asked, `${call} was done ${times} times, and a person was asked ${asked} times`);
  }
}

/** Whether a process left a mark at the moment when it woke up. */
function isAtWake({ pid, at }: Mark, wakes: readonly Wake[]): boolean {
  return wakes.some((wake) => wake.pid === pid && at >= wake.at && at <= wake.at + WAKING_MS);
}

interface Arrived {
  readonly event: RunEvent;
  readonly at: number;
}

/** When the end of a call was seen. */
function findCall(seen: readonly Arrived[], call: string): number {
  return seen.find(({ event }) => event.type === "call.ended" && event.call === call)?.at ?? Infinity;
}

/** When the end of a step was seen, at the latest; `name` is its agent and a call of the step before it. */
function findStep(seen: readonly Arrived[], name: string): number {
  const [agent, call = ""] = name.split(" ");
  const own = seen.flatMap(({ event, at }) =>
    event.type === "step.ended" && event.agent === agent ? [{ ...event, at }] : [],
  );
  const isMeant = (_: unknown, index: number): boolean => {
    const before = own[index - 1];
    if (call === "") return before === undefined || before.calls.length === 0;
    return before !== undefined && call.startsWith(`${before.step}.`);
  };
  const ends = own.filter(isMeant).map(({ at }) => at);
  return ends.length === 0 ? Infinity : Math.max(...ends);
}

/** The runs of a session execute one after the other. */
export function checkOrder(logs: readonly (readonly RunEvent[])[]): void {
  for (const [index, log] of logs.entries()) {
    const before = logs[index - 1]?.at(-1)?.at ?? 0;
    assert.ok((log[0]?.at ?? 0) >= before, `${log[0]?.run} began before the one before it had ended`);
  }
}
