/**
 * Story: the log of a small run that pauses once and is answered, with text of every width.
 */
import type { RunEvent } from "@baton/core";
import type { EventBody } from "@baton/core/ports";

const FACTS: readonly EventBody[] = [
  {
    type: "run.started",
    crew: "hello",
    input: "Grüße, 👋🏽\r\n\u2028",
    history: [],
    entry: { kind: "agent", id: "a" },
    outputChars: { each: 1, total: 1 },
  },
  { type: "turn.started", turn: "1", agent: "a" },
  { type: "text.delta", step: "1.1", agent: "a", text: "data: 日本\n\nid: 7" },
  { type: "run.paused", by: "signal", agent: "a", questions: [] },
  { type: "run.resumed", agent: "a", input: "go on" },
  { type: "turn.ended", turn: "2", agent: "a", text: "done" },
  { type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "done" },
];

/** A run of seven events. */
export const STORY: readonly RunEvent[] = FACTS.map((fact, index) => ({
  ...fact,
  run: "r1",
  seq: index + 1,
  at: 1_000 + index,
  lane: "",
}));
