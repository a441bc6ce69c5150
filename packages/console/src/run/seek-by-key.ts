/**
 * Seek by key: returns the event that a key leads to.
 */
import { countUpTo } from "../store/growing-text.ts";
import type { RunStore } from "../store/run-store.ts";
import type { TimelineKey } from "../timeline/timeline.tsx";

/** The event that a key leads to from another. */
export function seekByKey(
  { events, story, last }: Pick<RunStore, "events" | "story" | "last">,
  seq: number,
  key: TimelineKey,
): number {
  const seqs = events.map((event) => event.seq);
  const turns = [...new Set([...story.turns, ...story.groups].map(({ from }) => from.seq))].toSorted((a, b) => a - b);
  switch (key) {
    case "first":
      return seqs[0] ?? seq;
    case "last":
      return last;
    case "next":
      return seqs[countUpTo(seqs, seq)] ?? last;
    case "previous":
      return before(seqs, seq) ?? seqs[0] ?? seq;
    case "nextTurn":
      return turns[countUpTo(turns, seq)] ?? last;
    case "previousTurn":
      return before(turns, seq) ?? seqs[0] ?? seq;
  }
}

function before(seqs: readonly number[], seq: number): number | undefined {
  return seqs[countUpTo(seqs, seq - 1) - 1];
}
