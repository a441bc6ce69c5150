/** Where a run stands is told for people too: without signals, whether it runs, waits or has ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { fold } from "./fold.ts";
import { toResult } from "../handle/run-result.ts";
import { of, play } from "../testing/crew-runs.ts";

test("a run that waits or has ended has a content without signals, as its result had", async () => {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a" }],
    signals: {
      a: [
        // @ts-expect-error the compiler knows that there is no such agent
        { signal: "[LATER]", target: "nobody" },
        { signal: "[END]", target: "" },
      ],
    },
    behaviors: { a: { waitForSignal: true } },
  });
  for (const [say, expected] of [
    ["Which one? [LATER]", ["paused", "Which one?"]],
    ["Good bye. [END]", ["done", "Good bye."]],
  ] as const) {
    const { events, engine: _, run: __, ...result } = await play(crew, { a: [{ say }] });
    assert.deepEqual([result.outcome, result.content], expected);
    assert.deepEqual(toResult(fold(events)), result);
  }
});

test("the content of a turn and of a group has no signals before the run goes on", async () => {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "lead" }, { id: "one" }, { id: "two" }, { id: "end", isTerminal: true }],
    signals: { lead: [{ signal: "[ALL]", target: "both" }], one: [{ signal: "[X]", target: "lead" }] },
    groups: { both: { agents: ["one", "two"], nextAgent: "end" } },
  });
  const { events } = await play(crew, {
    lead: [{ say: "You two. [ALL]" }],
    one: [{ say: "Yes. [X]" }],
    two: [{ say: "No." }],
    end: [{ say: "Fine." }],
  });
  const after = (seq = 0) => {
    const { text, content } = fold(events.slice(0, seq));
    return [text, content];
  };
  assert.deepEqual(after(of(events, "turn.ended")[0]?.seq), ["You two. [ALL]", "You two."]);
  const [group] = of(events, "group.ended");
  assert.deepEqual(after(group?.seq), ["[one] Yes. [X]\n\n[two] No.", "[one] Yes.\n\n[two] No."]);
});
