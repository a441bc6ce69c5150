import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { fold, openFold } from "./fold.ts";
import { defineProgram } from "../ports/program.ts";
import { play } from "../testing/crew-runs.ts";
import { simulate } from "../testing/simulation.ts";

const RUNS = 60;

test("a sum that goes on event by event is at every moment that of all events so far", async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const { events } = await simulate(seed);
    const open = openFold();
    for (const [index, event] of events.entries()) {
      open.add([event]);
      assert.deepEqual(open.view, fold(events.slice(0, index + 1)), `seed ${seed}, event ${index + 1}`);
    }
  }
});

test("what is under way and what a user is shown are there at every moment", async () => {
  const crew = defineCrew({
    name: "desk",
    programs: { note: defineProgram(() => ({ say: "For us.", notes: [{ kind: "intent", data: { topic: "tea" } }] })) },
    agents: [
      { id: "clerk", model: { name: "code/note" }, audience: "crew", handoffTargets: ["writer"] },
      { id: "writer", isTerminal: true },
    ],
    signals: { writer: [{ signal: "[END]", target: "" }] },
  });
  const { events } = await play(crew, { writer: [{ say: "Here it is. [END]" }] });
  const open = openFold();
  const seen: string[] = [];
  for (const event of events) {
    open.add([event]);
    const { openSteps, openTurns } = open.view;
    for (const { agent, text } of openSteps.values()) seen.push(`${agent}: ${text}`);
    assert.equal(openTurns.size, event.type === "turn.ended" || openTurns.size === 0 ? 0 : 1);
  }
  assert.ok(seen.includes("writer: Here it is."), seen.join("\n"));
  const { conversation, notes, openSteps, openCalls } = open.view;
  assert.deepEqual(
    conversation.map(({ agent, text }) => [agent, text]),
    [
      ["", "hello"],
      ["writer", "Here it is."],
    ],
  );
  assert.deepEqual(
    notes.map(({ kind, of, data }) => [kind, of, data]),
    [["intent", "1.1", { topic: "tea" }]],
  );
  assert.deepEqual([openSteps.size, openCalls.size], [0, 0]);
});
