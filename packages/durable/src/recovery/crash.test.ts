import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, type RunEvent, scriptModel } from "@baton/core";
import { of, play as playCrew } from "@baton/core/testing";
import { z } from "zod";
import { checkLife, playLives } from "../testing/five-steps-lives.ts";
import { continueRun } from "../testing/play-run.ts";

test("a process that dies at its start, in the middle or near the end: the run ends as if nothing had happened", async () => {
  const whole = await playLives([]);
  for (const place of [1, 12, 25, 40]) {
    const life = await playLives([place]);
    assert.equal(life.deaths, 1);
    await checkLife(life, whole);
  }
});

test("a question that was closed before the end is not an approval afterwards", async () => {
  let paid = 0;
  const pay = defineTool({
    name: "Pay",
    description: "Pays.",
    effect: "irreversible",
    input: z.object({}),
    run: () => {
      paid++;
      return "paid";
    },
  });
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Pay"], isTerminal: true }], tools: [pay] });
  const replies = { a: [{ call: [{ tool: "Pay" }] }, { say: "ok" }] };
  const { events, engine } = await playCrew(crew, replies);
  await engine[Symbol.asyncDispose]();
  const at = { run: events[0]?.run ?? "", at: 0, lane: "" };
  const cut: readonly RunEvent[] = [
    ...events,
    { ...at, seq: events.length + 1, type: "run.resumed", agent: "a" },
    { ...at, seq: events.length + 2, type: "question.closed", question: "1.1.1" },
  ];
  const lived = await continueRun(crew, scriptModel(replies), { events: cut });
  assert.equal(paid, 0);
  assert.equal(of(lived.events, "call.ended")[0]?.error?.kind, "permission");
});
