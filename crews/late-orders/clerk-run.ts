/** A run of the clerk by its script, for tests. */
import assert from "node:assert/strict";
import { type Crew, Engine, type RunEvent, scriptModel } from "@baton/core";
import { MemoryLog } from "@baton/core/ports";
import { of } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";
import { openInterpreter } from "@baton/sandbox";

export const INPUT = "Which are late? Refund those under 20 dollars, ask above";
export const interpreter = await openInterpreter();
const read = await readCrew(import.meta.dirname, {
  providers: [],
  interpreter: () => Promise.resolve(interpreter),
});
const { crew: found, script, findings } = read;
assert.ok(found && script, JSON.stringify(findings));
export const replies: NonNullable<typeof script> = script;
export const crew: Crew = found;

/** Whether a person refuses the refund of this order. */
export const isRefused = (args: unknown): boolean => JSON.stringify(args).includes("A-120");

/** Plays the run to its end, from its start or from what a process has left; refuses the refund of A-120. */
export async function live(by: Crew, left: readonly RunEvent[] = []): Promise<readonly RunEvent[]> {
  const id = left[0]?.run ?? "r";
  await using engine = new Engine({
    model: () => scriptModel(replies),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of left) log.open(id).append(event, event.lane);
      return log;
    },
  });
  const run = left.length === 0 ? engine.start(by, { input: INPUT, id }) : engine.adopt(by, { id, events: left });
  for (;;) {
    const { outcome, questions } = await run.result;
    const [open] = questions;
    if (outcome !== "paused" || open === undefined) return await Array.fromAsync(run.events());
    await run.answer(open.question, open.kind === "doubt" ? "again" : isRefused(open.args) ? "deny" : "allow");
  }
}

/** The output of the code. */
export const outputOf = (events: readonly RunEvent[]) =>
  of(events, "call.ended").find(({ call }) => call === "1.1.1")?.output;
