/** A held run changes its state only as the table says, and every state leads to its release. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type HeldState, move, MOVES } from "./held-state.ts";

const STATES: readonly HeldState[] = ["opening", "running", "resting", "leaving", "released"];

test("every change that the table has is made, and every other one is refused", () => {
  for (const from of STATES) {
    for (const to of STATES) {
      if (MOVES[from].includes(to)) assert.equal(move("r", from, to), to);
      else
        assert.throws(() => move("r", from, to), {
          code: "internal",
          message: `run r cannot change from ${from} to ${to}`,
        });
    }
  }
});

test("from every state a run can come to its release, and what is released stays so", () => {
  for (const from of STATES) {
    const reached = new Set<HeldState>([from]);
    for (const state of reached) for (const next of MOVES[state]) reached.add(next);
    assert.ok(reached.has("released"), from);
  }
  assert.deepEqual(MOVES.released, []);
});

test("a running or leaving run is never released before it rests", () => {
  for (const state of ["running", "leaving"] as const) assert.ok(!MOVES[state].includes("released"), state);
});
