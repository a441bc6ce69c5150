import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "../words/event.ts";
import { isMember, toCrewPath } from "../words/position.ts";
import { inSlice } from "../testing/in-slice.ts";
import { checkInvariants } from "../testing/run-invariants.ts";
import { simulate } from "../testing/simulation.ts";

const SEEDS = Array.from({ length: 5_000 }, (_, index) => index + 1);

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

test("5,000 random runs keep every promise, and meet each rare case often enough", async () => {
  const seeds = inSlice(SEEDS);
  const seen = new Map(Object.keys(RARE).map((what) => [what, 0]));
  for (const seed of seeds) {
    const simulated = await simulate(seed);
    checkInvariants(seed, simulated);
    for (const [what, isThere] of Object.entries(RARE)) {
      if (simulated.events.some(isThere)) seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  }
  // The rarest cases are met a few times in all 5,000 runs, so a slice may miss some of them.
  const isWhole = seeds.length === SEEDS.length;
  const rare = [...seen].filter(([, count]) => count <= (isWhole ? 10 : 0));
  assert.ok(rare.length <= (isWhole ? 0 : 3), `met too seldom: ${JSON.stringify(rare)}`);
});
