/** Axes: events have their places, and places their events, on every axis; long waits are short. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RunEvent } from "@baton/client";
import * as fc from "fast-check";
import { type AxisSource, chooseAxis, toClockScale, toEvenScale, toPlayScale, toReadingScale } from "./axes.ts";
import { runTimes, waitedBetween } from "../store/gaps.ts";
import { barAt, placeBars, barPlacement, seqAtPlace } from "./bars.ts";
import { toTicks } from "./ticks.ts";

type Kind = "turn" | "paused" | "resumed" | "handoff" | "call";

interface Planned {
  readonly kind: Kind;
  readonly wait: number;
  readonly deltas: number;
}

const SCALES = [toClockScale, toEvenScale, toPlayScale, toReadingScale];

/** A log without deltas, with room for them. */
function toSource(planned: readonly Planned[]): AxisSource {
  let seq = 0;
  let at = 1_000_000;
  const events = planned.map(({ kind, wait, deltas }): RunEvent => {
    seq += 1 + deltas;
    at += wait;
    const stamp = { run: "r", lane: "", seq, at };
    if (kind === "paused") return { ...stamp, type: "run.paused", by: "command", agent: "a", questions: [] };
    if (kind === "resumed") return { ...stamp, type: "run.resumed", agent: "a" };
    if (kind === "handoff") return { ...stamp, type: "handoff.made", from: "a", to: "b", via: "signal", count: 1 };
    if (kind === "call") {
      return { ...stamp, type: "call.started", call: "1.1.1", agent: "a", tool: "t", args: {}, effect: "read" };
    }
    return { ...stamp, type: "turn.started", turn: "1", agent: "a" };
  });
  return { events, last: seq };
}

const PLANNED = fc.record({
  kind: fc.constantFrom<Kind>("turn", "paused", "resumed", "handoff", "call"),
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 9_000_000 })),
  deltas: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
});
const LOG = fc.array(PLANNED, { minLength: 1, maxLength: 40 });

describe("scales", () => {
  test("values never fall, begin at 0 and end at the length", () => {
    fc.assert(
      fc.property(LOG, fc.constantFrom(...SCALES), (planned, toScale) => {
        const source = toSource(planned);
        const scale = toScale(source);
        assert.equal(toScale({ ...source, events: source.events.slice(0, 1), last: scale.first }).length, 0);
        let before = 0;
        for (let seq = scale.first; seq <= source.last; seq++) {
          const value = scale.valueOf(seq);
          assert.ok(value >= before, `#${seq}: ${value} < ${before}`);
          before = value;
        }
        assert.equal(before, scale.length);
      }),
    );
  });

  test("the event at an event's value has that value, and is not an earlier one", () => {
    fc.assert(
      fc.property(LOG, fc.constantFrom(...SCALES), (planned, toScale) => {
        const source = toSource(planned);
        const scale = toScale(source);
        for (let seq = scale.first; seq <= source.last; seq++) {
          const found = scale.seqAt(scale.valueOf(seq));
          assert.ok(found >= seq, `#${seq} became #${found}`);
          assert.ok(scale.valueOf(found) - scale.valueOf(seq) < 1e-3);
        }
      }),
    );
  });

  test("every place of the axis is an event of the run, and places keep their order", () => {
    fc.assert(
      fc.property(LOG, fc.constantFrom(...SCALES), (planned, toScale) => {
        const source = toSource(planned);
        const scale = toScale(source);
        let before = 0;
        for (let step = 0; step <= 50; step++) {
          const seq = seqAtPlace(scale, step / 50);
          assert.ok(Number.isInteger(seq) && seq >= Math.max(before, scale.first) && seq <= source.last, String(seq));
          before = seq;
        }
        assert.equal(before, source.last);
        assert.equal(barPlacement(scale, source.last), scale.first === source.last ? 0 : 1);
      }),
    );
  });
});

describe("waits", () => {
  const paused: readonly Planned[] = [
    { kind: "turn", wait: 0, deltas: 0 },
    { kind: "paused", wait: 2_000, deltas: 0 },
    { kind: "resumed", wait: 7_200_000, deltas: 0 },
    { kind: "turn", wait: 3_000, deltas: 0 },
  ];

  test("a wait of two hours takes a small part of the axis, 400 ms of playing, and no active time", () => {
    const source = toSource(paused);
    const clock = toClockScale(source);
    assert.deepEqual(
      clock.cuts.map(({ seq, ms }) => [seq, ms]),
      [[2, 7_200_000]],
    );
    assert.ok(clock.length < 6_000);
    assert.equal(toPlayScale(source).length, 5_400);
    assert.deepEqual(runTimes(source), { activeMs: 5_000, waitedMs: 7_200_000 });
  });

  test("the time of an event does not count what was cut, and is found again on the axis behind the cut", () => {
    const { worked, placeOf: placeOfTime, valueOf, last, length } = toClockScale(toSource(paused));
    assert.deepEqual([1, 2, 3, 4].map(worked.valueOf), [0, 2_000, 2_000, 5_000]);
    assert.equal(worked.valueOf(last), 5_000);
    assert.equal(placeOfTime(1_000), 1_000);
    assert.equal(placeOfTime(5_000), length);
    assert.equal(placeOfTime(3_000) - 1_000, valueOf(3));
  });

  test("a long time without a pause is no wait", () => {
    const source = toSource([
      { kind: "turn", wait: 0, deltas: 0 },
      { kind: "turn", wait: 60_000, deltas: 0 },
    ]);
    assert.equal(toClockScale(source).length, 60_000);
    assert.deepEqual(toClockScale(source).cuts, []);
  });

  test("a short wait is not cut", () => {
    const source = toSource(paused.map((one) => ({ ...one, wait: Math.min(one.wait, 5_000) })));
    assert.deepEqual(toClockScale(source).cuts, []);
    assert.deepEqual(runTimes(source), { activeMs: 5_000, waitedMs: 5_000 });
  });

  test("a part of a run waited as long as it overlaps with a wait", () => {
    const wait = { by: "question", agent: "a" } as const;
    const waits = [
      { ...wait, from: { seq: 1, at: 2_000 }, to: { seq: 2, at: 5_000 } },
      { ...wait, from: { seq: 3, at: 9_000 } },
    ];
    assert.equal(waitedBetween({ waits, breaks: [] }, 0, 2_000), 0);
    assert.equal(waitedBetween({ waits, breaks: [] }, 1_000, 3_000), 1_000);
    assert.equal(waitedBetween({ waits, breaks: [] }, 0, 10_000), 4_000);
  });

  test("what a fork waited after its prefix is cut however short it was", () => {
    const source = toSource([
      { kind: "turn", wait: 0, deltas: 0 },
      { kind: "turn", wait: 100, deltas: 0 },
      { kind: "turn", wait: 3_000, deltas: 0 },
    ]);
    assert.deepEqual(runTimes({ ...source, forkedAt: 2 }), { activeMs: 100, waitedMs: 0 });
  });

  test("a fork continues after the last step that was finished, which may be before where it was made", () => {
    const source = toSource([
      { kind: "turn", wait: 0, deltas: 0 },
      { kind: "turn", wait: 100, deltas: 0 },
      { kind: "resumed", wait: 3_000, deltas: 0 },
      { kind: "turn", wait: 200, deltas: 0 },
    ]);
    assert.deepEqual(runTimes({ ...source, forkedAt: 3 }), { activeMs: 300, waitedMs: 0 });
    assert.deepEqual(runTimes(source), { activeMs: 300, waitedMs: 3_000 });
  });

  test("a run that goes on grows with the time, though nothing was logged", () => {
    const source = toSource([{ kind: "turn", wait: 0, deltas: 0 }]);
    assert.equal(toClockScale({ ...source, now: 1_002_500 }).length, 2_500);
  });
});

test("a run of less than a second has the even axis", () => {
  const at = (wait: number) =>
    toSource([
      { kind: "turn", wait: 0, deltas: 0 },
      { kind: "turn", wait, deltas: 0 },
    ]);
  assert.equal(chooseAxis(at(999)), "even");
  assert.equal(chooseAxis(at(1_000)), "clock");
});

test("reading takes time for words, handoffs and calls", () => {
  const source = toSource([
    { kind: "turn", wait: 0, deltas: 0 },
    { kind: "handoff", wait: 0, deltas: 10 },
    { kind: "call", wait: 0, deltas: 0 },
    { kind: "turn", wait: 0, deltas: 0 },
  ]);
  assert.equal(toReadingScale(source).length, 10 * 18 + 350 + 250);
});

describe("bars", () => {
  test("ten thousand bars are drawn as no more than a screen can show, and cover the same", () => {
    const bars = Array.from({ length: 10_000 }, (_, index) => ({
      kind: "turn" as const,
      of: String(index),
      from: index * 2 + 1,
      to: index * 2 + 2,
    }));
    const source = toSource(Array.from({ length: 20_000 }, () => ({ kind: "turn" as const, wait: 1, deltas: 0 })));
    const placed = placeBars(bars, toEvenScale(source));
    assert.ok(placed.length < 1_000, String(placed.length));
    assert.equal(placed[0]?.start, 0);
    assert.ok((placed.at(-1)?.end ?? 0) >= 0.999);
  });

  test("a call is found before the turn that it is in", () => {
    const bars = [
      { kind: "turn" as const, of: "1", from: 1, to: 9 },
      { kind: "call" as const, of: "1.1.1", from: 3, to: 5 },
    ];
    assert.equal(barAt(bars, 4)?.of, "1.1.1");
    assert.equal(barAt(bars, 7)?.of, "1");
    assert.equal(barAt(bars, 10), undefined);
  });
});

test("ticks are round, few, and end with the end", () => {
  assert.deepEqual(toTicks(41_200), [0, 10_000, 20_000, 30_000, 41_200]);
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (end) => {
      const ticks = toTicks(end);
      assert.ok(ticks.length <= 6 && ticks[0] === 0 && ticks.at(-1) === end, JSON.stringify(ticks));
    }),
  );
});
