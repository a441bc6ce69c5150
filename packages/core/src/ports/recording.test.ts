/**
 * Facts that a run repeats must be equal to the recorded ones; the engine's own sentences for people may have changed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Failure } from "../words/error.ts";
import type { EventBody } from "../words/event.ts";
import { Recording } from "./recording.ts";

const repeat = (now: EventBody, recorded: EventBody) =>
  new Recording([{ run: "r", seq: 3, at: 5, lane: "", ...recorded }]).repeat(now);

const failure = (message: string, more: Partial<Failure> = {}): Failure => ({ code: "bad_output", message, ...more });

const withMessage = (message: string): readonly EventBody[] => [
  { type: "warning.raised", agent: "a", text: message },
  { type: "turn.ended", turn: "1", agent: "a", text: "", error: failure(message) },
  { type: "group.ended", turn: "1", group: "g", results: [{ agent: "a", error: failure(message) }] },
  { type: "group.ended", turn: "1", group: "g", results: [], error: failure(message) },
];

test("a run recorded with other sentences in warnings and failures continues", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, now) => {
      const recorded = withMessage(before);
      withMessage(now).forEach((fact, index) => {
        const event = recorded[index];
        assert.ok(event !== undefined);
        assert.equal(repeat(fact, event)?.seq, 3);
      });
    }),
  );
});

test("another agent, code, limit or answer is still a divergence", () => {
  const limit = { name: "max_steps", value: 3 };
  const ended = { type: "turn.ended", turn: "1", agent: "a", text: "" } as const;
  const group = { type: "group.ended", turn: "1", group: "g" } as const;
  const cases: readonly [now: EventBody, recorded: EventBody][] = [
    [
      { type: "warning.raised", agent: "b", text: "x" },
      { type: "warning.raised", agent: "a", text: "x" },
    ],
    [
      { ...ended, error: failure("x", { code: "model" }) },
      { ...ended, error: failure("x") },
    ],
    [
      { ...ended, error: failure("x", { limit }) },
      { ...ended, error: failure("x") },
    ],
    [
      { ...ended, text: "Other." },
      { ...ended, text: "One." },
    ],
    [
      { ...group, results: [{ agent: "a", text: "Other." }] },
      { ...group, results: [{ agent: "a", text: "One." }] },
    ],
    [
      { ...group, results: [{ agent: "a", error: failure("x", { code: "model" }) }] },
      { ...group, results: [{ agent: "a", error: failure("x") }] },
    ],
  ];
  for (const [now, recorded] of cases) {
    assert.throws(() => repeat(now, recorded), { code: "diverged" }, JSON.stringify(now));
  }
});
