/**
 * Run phase: what a run wants of the reader: nothing while it works, a message or an answer while it waits.
 */
import type { Story } from "../store/story.ts";

/** Where a run stands. */
export type RunPhase =
  | Readonly<{ kind: "working"; agents: readonly string[] }>
  /** An agent waits for a message; a question's id if the message is an answer to it. */
  | Readonly<{ kind: "message"; agent: string; question?: string }>
  | Readonly<{ kind: "questions"; agent: string }>
  | Readonly<{ kind: "ended" }>;

/** Where a run stands by its newest event. */
export function phaseOf(story: Story): RunPhase {
  if (story.ended !== undefined) return { kind: "ended" };
  const open = story.questions.filter(({ to }) => to === undefined);
  const asked = open.findLast((question) => question.asked.kind === "message");
  if (asked !== undefined && open.length === 1) {
    return { kind: "message", agent: asked.asked.agent, question: asked.asked.question };
  }
  const last = open.at(-1);
  if (last !== undefined) return { kind: "questions", agent: last.asked.agent };
  const wait = story.waits.at(-1);
  if (wait !== undefined && wait.to === undefined) return { kind: "message", agent: wait.agent };
  const agents = story.turns.flatMap((turn) => (turn.to === undefined && turn.crew === undefined ? [turn.agent] : []));
  return { kind: "working", agents };
}
