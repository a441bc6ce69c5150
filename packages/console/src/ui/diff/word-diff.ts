/**
 * Word diff: what of a text stayed, came and went, by words; long texts by lines. Its work is bounded: two texts with too
 * many differences are one replacement.
 */

/** A stretch of one of the texts or of both. */
export type DiffPart = Readonly<{ kind: "same" | "added" | "removed"; text: string }>;

const MAX_BY_WORD = 20_000;
const MAX_EDITS = 1_000;
const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Compares two texts. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  const isLong = before.length + after.length > MAX_BY_WORD;
  const split = (text: string): readonly string[] => (isLong ? linesOf(text) : (text.match(WORDS) ?? []));
  return joinParts(diffTokens(split(before), split(after)));
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.map((line, at) => (at === lines.length - 1 ? line : `${line}\n`));
}

/** Compares two lists of tokens; equal ends are left aside first. */
function diffTokens(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const one = before.slice(head, before.length - tail);
  const other = after.slice(head, after.length - tail);
  return [
    ...before.slice(0, head).map(same),
    ...shortestEdit(one, other),
    ...before.slice(before.length - tail).map(same),
  ];
}

const same = (text: string): DiffPart => ({ kind: "same", text });

/** The furthest point on each diagonal, from `-MAX_EDITS - 1` on. */
type Diagonals = Int32Array;

/** Myers' greedy algorithm: the furthest points with one edit more in each round. */
function shortestEdit(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  const rounds: Diagonals[] = [];
  const furthest: Diagonals = new Int32Array(2 * MAX_EDITS + 3);
  for (let edits = 0; edits <= Math.min(before.length + after.length, MAX_EDITS); edits++) {
    rounds.push(furthest.slice(MAX_EDITS - edits, MAX_EDITS + edits + 3));
    for (let k = -edits; k <= edits; k += 2) {
      const at = k + MAX_EDITS + 1;
      const [down = 0, right = 0] = [furthest[at + 1], furthest[at - 1]];
      let x = k === -edits || (k !== edits && right < down) ? down : right + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[at] = x;
      if (x >= before.length && x - k >= after.length) return walkBack(rounds, before, after);
    }
  }
  return [
    { kind: "removed", text: before.join("") },
    { kind: "added", text: after.join("") },
  ];
}

function walkBack(
  rounds: readonly Diagonals[],
  before: readonly string[],
  after: readonly string[],
): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const k = x - y;
    const at = k + edits + 1;
    const [down = 0, right = 0] = [rounds[edits]?.[at + 1], rounds[edits]?.[at - 1]];
    const isDown = k === -edits || (k !== edits && right < down);
    const fromX = isDown ? down : right;
    const fromY = fromX - (isDown ? k + 1 : k - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      parts.push(same(before[x - 1] ?? ""));
      x--;
      y--;
    }
    if (edits === 0) break;
    parts.push(isDown ? { kind: "added", text: after[y - 1] ?? "" } : { kind: "removed", text: before[x - 1] ?? "" });
    [x, y] = [fromX, fromY];
  }
  return parts.toReversed();
}

/** Joins neighbours; a space between two changes belongs to both of them. */
function joinParts(parts: readonly DiffPart[]): readonly DiffPart[] {
  const joined: { kind: DiffPart["kind"]; text: string }[] = [];
  let removed = "";
  let added = "";
  const flush = (): void => {
    if (removed !== "") joined.push({ kind: "removed", text: removed });
    if (added !== "") joined.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  parts.forEach(({ kind, text }, at) => {
    const next = parts[at + 1];
    const isBetween = kind === "same" && text === " " && next !== undefined && next.kind !== "same";
    if (kind === "removed" || (isBetween && removed !== "" && added !== "")) removed += text;
    if (kind === "added" || (isBetween && removed !== "" && added !== "")) added += text;
    if (kind !== "same" || (isBetween && removed !== "" && added !== "")) return;
    flush();
    const last = joined.at(-1);
    if (last?.kind === "same") last.text += text;
    else joined.push({ kind, text });
  });
  flush();
  return joined;
}
