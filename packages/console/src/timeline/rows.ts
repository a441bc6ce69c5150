/**
 * Rows: what the timeline draws: one row an agent, with its turns, its calls, and what happened to it.
 */
import { isFailed } from "../store/receipt-lines.ts";
import { type CallSpan, type StorySpan, type Story, type TurnSpan } from "../store/story.ts";

/** The ways to draw a bar. */
export type BarKind = "turn" | "call" | "effect" | "abandoned";

/** A piece of work, from an event to another; one that has not ended has no end. */
export interface TimelineBar {
  readonly kind: BarKind;
  /** The turn or call. */
  readonly of: string;
  readonly from: number;
  readonly to?: number;
}

/** Something that happened at one event. */
export interface RowMark {
  readonly kind: "signal" | "question" | "error" | "limit";
  readonly seq: number;
  readonly text: string;
}

/** One agent's row. */
export interface TimelineRow {
  readonly agent: string;
  readonly bars: readonly TimelineBar[];
  readonly marks: readonly RowMark[];
}

interface Draft {
  readonly agent: string;
  readonly bars: TimelineBar[];
  readonly marks: RowMark[];
}

/** The rows of a run, in the order of the crew; agents that had no turn have none, unless they are expected. */
export function buildTimelineRows(
  story: Story,
  order: readonly string[],
  expected: readonly string[] = [],
): readonly TimelineRow[] {
  const rows = new Map<string, Draft>();
  const rowOf = (agent: string): Draft => {
    const row = rows.get(agent) ?? { agent, bars: [], marks: [] };
    rows.set(agent, row);
    return row;
  };
  for (const agent of expected) rowOf(agent);
  for (const turn of story.turns) addTurn(rowOf(turn.crew ?? turn.agent), turn, story);
  for (const { from, signal, seq } of story.handoffs) {
    if (signal !== undefined) rows.get(from)?.marks.push({ kind: "signal", seq, text: signal });
  }
  for (const { asked, from } of story.questions) {
    rows.get(asked.agent)?.marks.push({ kind: "question", seq: from.seq, text: asked.text });
  }
  for (const aside of story.asides) {
    if (aside.kind !== "limit") continue;
    const last = [...rows.values()].find(({ agent }) => agent === story.ended?.agent);
    last?.marks.push({ kind: "limit", seq: aside.seq, text: aside.limit });
  }
  const rank = new Map(order.map((agent, index) => [agent, index]));
  const rankOf = ({ agent }: TimelineRow): number => rank.get(agent) ?? order.length;
  return [...rows.values()].toSorted((a, b) => rankOf(a) - rankOf(b));
}

function addTurn({ bars, marks }: Draft, turn: TurnSpan, { fates }: Pick<Story, "fates">): void {
  bars.push({ kind: "turn", of: turn.turn, ...endsOf(turn) });
  if (hasFailed(turn)) {
    marks.push({ kind: "error", seq: turn.to?.seq ?? turn.from.seq, text: turn.ended?.error?.message ?? "" });
  }
  for (const { calls } of turn.steps) {
    for (const call of calls) {
      bars.push({ kind: kindOf(call, fates), of: call.call, ...endsOf(call) });
      const { ended, to, from } = call;
      if (!hasFailed(call)) continue;
      marks.push({ kind: "error", seq: to?.seq ?? from.seq, text: ended?.error?.message ?? "" });
    }
  }
}

function hasFailed({ ended }: TurnSpan | CallSpan): boolean {
  return isFailed(ended?.error);
}

function kindOf({ call, effect }: CallSpan, fates: Story["fates"]): BarKind {
  if (fates.get(call) === "abandoned") return "abandoned";
  return effect === "read" ? "call" : "effect";
}

function endsOf({ from, to }: StorySpan): Pick<TimelineBar, "from" | "to"> {
  return to === undefined ? { from: from.seq } : { from: from.seq, to: to.seq };
}
