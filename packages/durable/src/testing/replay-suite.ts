/**
 * Replay suite: random runs say the same again, and a log that was changed anywhere differs there.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Crew, RunEvent } from "@baton/core";
import { isKeyed } from "@baton/core/engine";
import { simulate } from "@baton/core/testing";
import { parseEvent } from "@baton/store";
import { replay } from "../replay/replay.ts";

/** Seeds of this many random runs meet every rare situation, and those of so few every optional field. */
export const MANY = 400;
export const FEW = 60;

/** Seeds of the random runs: for a replay of each, and for a replay after each of very many changes. */
export interface ReplaySeeds {
  readonly many: readonly number[];
  readonly few: readonly number[];
}

/** Fields that come from outside: the run cannot know that they were changed. */
const INPUTS: readonly string[] = ["run.started", "command.received"];
/** Fields that a replay copies, or that give an event's place. */
const COPIED: readonly string[] = ["run", "seq", "at", "lane", "type", "receipt", "model", "tokens", "window"];
/** Fields of events without a lane that must be equal nevertheless, but for the words of people and the names of keys. */
const KEYED: readonly string[] = ["run.paused", "question.opened", "call.started"];
const KEYS: readonly string[] = ["question", "call", "kind"];
/** Fields that events of a lane have only sometimes. */
const OPTIONAL: readonly string[] = ["error", "content"];

/** Situations that the random runs must have met to prove something about them. */
const RARE: { readonly [what: string]: (event: RunEvent) => boolean } = {
  "a run was configured": (event) => event.type === "command.received" && event.command.type === "configure",
  "a model said nothing": (event) => event.type === "warning.raised" && event.text.includes("gave an empty reply"),
  "a model said nothing, twice": (event) => event.type === "turn.ended" && event.error?.code === "empty_reply",
  "another agent continued after a failure": (event) => event.type === "handoff.made" && event.via === "failure",
  "an agent was stuck": (event) => event.type === "warning.raised" && event.text.includes("max_repeated_calls"),
  "a call was cancelled alone": (event) => event.type === "call.ended" && event.error?.kind === "cancelled",
  "the client carried a call out": (event) => event.type === "question.answered" && event.question.endsWith("/tool"),
  "a lane was cancelled alone": (event) => event.type === "turn.ended" && event.error?.lane !== undefined,
};

/** The same crew with tools that must not be called. */
function untouchable(crew: Crew): Crew {
  const tools = Array.from(crew.tools, ([name, one]) => {
    const run = () => assert.fail("a tool was called");
    const prepare: typeof one.prepare = async (args) => {
      const prepared = await one.prepare(args);
      return prepared.ok ? { ok: true, run } : prepared;
    };
    return [name, { ...one, prepare }] as const;
  });
  return { ...crew, tools: new Map(tools) };
}

/** Where each event of a line is, but for what came from outside. */
function lineOf(events: readonly RunEvent[]): readonly number[] {
  return events.flatMap((event, at) => (isKeyed(event) || INPUTS.includes(event.type) ? [] : at));
}

/** Registers the tests over random runs. */
export function testRandomReplays({ many, few }: ReplaySeeds): void {
  describe("the same crew", () => testSame(many, few));
  describe("a log that was changed", () => testChanges(few));
}

function testSame(many: readonly number[], few: readonly number[]): void {
  test("random runs say the same again, with no tool called, whatever happened in them", async () => {
    const met = new Set<string>();
    for (const seed of many) {
      const { crew, events } = await simulate(seed);
      const difference = await replay(untouchable(crew), events);
      assert.equal(difference, undefined, `seed ${seed}: ${difference?.text}`);
      for (const [what, isThere] of Object.entries(RARE)) if (events.some(isThere)) met.add(what);
    }
    if (many.length >= MANY) assert.deepEqual([...met].toSorted(), Object.keys(RARE).toSorted());
  });

  test("a run that was interrupted anywhere says the same up to the end of its log", async () => {
    for (const seed of few) {
      const { crew, events } = await simulate(seed);
      for (const { seq } of events) {
        const difference = await replay(crew, events.slice(0, seq));
        assert.equal(difference, undefined, `seed ${seed} up to ${seq}: ${difference?.text}`);
      }
    }
  });
}

function testChanges(few: readonly number[]): void {
  test("differs at the event of which any field is another", async () => {
    for (const seed of few) {
      const { crew, events } = await simulate(seed);
      const others = events.flatMap(({ type }, at) => (KEYED.includes(type) ? at : []));
      for (const at of [...lineOf(events), ...others]) {
        const event = events[at] ?? assert.fail();
        for (const field of Object.keys(event).filter(
          (name) => !isCopied(events, at, name) && !(isKeyed(event) && KEYS.includes(name)),
        )) {
          const difference = await replay(crew, events.with(at, { ...event, [field]: "changed" }));
          assert.equal(difference?.seq, event.seq, `seed ${seed}, ${field} of ${event.type} at ${event.seq}`);
          assert.ok(difference.text.includes(event.type), difference.text);
        }
      }
    }
  });

  test("differs at the event that lacks something which the run says now", async () => {
    const lacking = new Map(OPTIONAL.map((field) => [field, 0]));
    for (const seed of few) {
      const { crew, events } = await simulate(seed);
      for (const at of lineOf(events)) {
        const event = events[at] ?? assert.fail();
        for (const field of OPTIONAL.filter((name) => name in event && !isCopied(events, at, name))) {
          // What is undefined is not in the JSON.
          const rest = parseEvent(JSON.stringify({ ...event, [field]: undefined }));
          const difference = await replay(crew, events.with(at, rest));
          assert.equal(difference?.seq, event.seq, `seed ${seed}, ${field} of ${event.type} at ${event.seq}`);
          lacking.set(field, (lacking.get(field) ?? 0) + 1);
        }
      }
    }
    for (const [field, count] of lacking) assert.ok(few.length < FEW || count > 0, `no event has ${field}`);
  });

  test("differs if an event of a line is missing, at the latest at the next event of that line", async () => {
    for (const seed of few) {
      const { crew, events } = await simulate(seed);
      for (const at of lineOf(events)) {
        const event = events[at] ?? assert.fail();
        const isLate = event.type === "warning.raised" && event.text.endsWith("came too late");
        // Without its end a run has only not ended yet.
        if (event.type === "run.ended" || isLate) continue;
        const next = events.find(({ seq, lane }) => seq > event.seq && isWithin(event.lane, lane));
        const difference = await replay(crew, events.toSpliced(at, 1));
        const found = difference?.seq ?? Infinity;
        assert.ok(next !== undefined && found > event.seq, `seed ${seed}, ${event.type} at ${event.seq}`);
        const later = events.slice(at + 1).filter((one) => !isKeyed(one) && isWithin(event.lane, one.lane));
        assert.ok(found <= (later[0]?.seq ?? 0), `seed ${seed}, ${event.type} at ${event.seq}: ${difference?.text}`);
      }
    }
  });
}

/** Whether a replay takes a field from the log; why a run was cancelled while it waited came from outside. */
function isCopied(events: readonly RunEvent[], at: number, field: string): boolean {
  const [before, event] = [events[at - 1], events[at]];
  const isReason = event?.type === "run.ended" && event.outcome === "cancelled" && before?.type === "run.paused";
  return COPIED.includes(field) || (isReason && field === "error");
}

/** Whether a lane is another one, or inside of it. */
function isWithin(lane: string, other: string): boolean {
  return other === "" || lane === other || lane.startsWith(`${other}/`);
}
