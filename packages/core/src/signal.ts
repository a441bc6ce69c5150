/**
 * Signal: finds the bracketed texts by which an agent routes.
 *
 * A signal holds no bracket inside, so only text from a `[` to the next `]` with no bracket between can be one:
 * one forward pass sees every candidate, whatever the number of signals, in time linear in the text.
 * Reads: error, event. Read by: crew, turn.
 */
import { BatonError } from "./error.ts";
import type { MatchKind } from "./event.ts";

/** A signal that occurs in a text. */
export interface SignalMatch {
  /** Its position in the list the matcher was compiled from. */
  readonly index: number;
  readonly signal: string;
  /** The best way in which it occurs. */
  readonly match: MatchKind;
  /** Where it first occurs in that way. */
  readonly start: number;
  readonly end: number;
}

/** The signals of one agent, made ready to look for. */
export interface SignalMatcher {
  /** Every signal that occurs, once each, in the order of the list. */
  find(text: string): readonly SignalMatch[];
  /** The text for people: signals taken out, and the white space that stood around them closed. */
  strip(text: string): string;
}

const RANK = { exact: 0, case: 1, normalised: 2 } as const satisfies Record<MatchKind, number>;

/** Decomposing makes a character at most four times as long, so a longer candidate cannot match. */
const MAX_GROWTH = 4;

/** Why a text is not a signal; undefined where it is one. */
export function checkSignal(signal: string): string | undefined {
  if (!signal.startsWith("[") || !signal.endsWith("]") || signal.length < 2) {
    return `a signal is written [TEXT], not ${JSON.stringify(signal)}`;
  }
  const inner = signal.slice(1, -1);
  if (inner.includes("[") || inner.includes("]")) return `the signal ${signal} holds a bracket inside`;
  if (inner.trim() === "") return `the signal ${signal} holds no text`;
  return undefined;
}

/** Compiles an agent's signals; throws `invalid` where one is none. */
export function compileSignals(signals: readonly string[]): SignalMatcher {
  const listedByKey = new Map<string, Listed[]>();
  let longest = 0;
  for (const [index, signal] of signals.entries()) {
    const problem = checkSignal(signal);
    if (problem !== undefined) throw new BatonError("invalid", problem);
    const key = toKey(collapse(signal));
    longest = Math.max(longest, key.length);
    const listed = listedByKey.get(key);
    if (listed === undefined) listedByKey.set(key, [{ index, signal }]);
    else listed.push({ index, signal });
  }
  const maxLength = longest * MAX_GROWTH;

  function lookUp(candidate: string): readonly Listed[] | undefined {
    const collapsed = collapse(candidate);
    return collapsed.length > maxLength ? undefined : listedByKey.get(toKey(collapsed));
  }

  return {
    find(text) {
      const found = new Map<number, SignalMatch>();
      forEachCandidate(text, (start, end) => {
        const candidate = text.slice(start, end);
        for (const { index, signal } of lookUp(candidate) ?? []) {
          const match = toKind(candidate, signal);
          const before = found.get(index);
          if (before !== undefined && RANK[before.match] <= RANK[match]) continue;
          found.set(index, { index, signal, match, start, end });
        }
      });
      return [...found.values()].toSorted((a, b) => a.index - b.index);
    },
    strip(text) {
      const spans: Span[] = [];
      forEachCandidate(text, (start, end) => {
        if (lookUp(text.slice(start, end)) !== undefined) spans.push({ start, end });
      });
      return cutOut(text, spans);
    },
  };
}

interface Listed {
  readonly index: number;
  readonly signal: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Never searches back, and each place once for each kind of bracket: hostile text costs no more than other text. */
function forEachCandidate(text: string, visit: (start: number, end: number) => void): void {
  let open = text.indexOf("[");
  if (open === -1) return;
  let close = text.indexOf("]", open);
  while (close !== -1) {
    const next = text.indexOf("[", open + 1);
    if (next === -1 || next > close) visit(open, close + 1);
    if (next === -1) return;
    if (next > close) close = text.indexOf("]", next);
    open = next;
  }
}

function collapse(bracketed: string): string {
  return `[${bracketed.slice(1, -1).replace(/\s+/g, " ").trim()}]`;
}

/**
 * Lower case comes before NFC: texts that are equal but for case then always share a key, also where only the
 * small letter has a composed form (`J̌`, `ǰ`). A bracket ends every word, so lower-casing a candidate by itself
 * gives what lower-casing the whole text would (`Σ` is `ς` only at the end of a word).
 */
function toKey(collapsed: string): string {
  return collapsed.toLowerCase().normalize("NFC");
}

function toKind(candidate: string, signal: string): MatchKind {
  if (candidate === signal) return "exact";
  return candidate.toLowerCase() === signal.toLowerCase() ? "case" : "normalised";
}

function cutOut(text: string, spans: readonly Span[]): string {
  const [first] = spans;
  if (first === undefined) return text;
  const head = text.slice(0, first.start);
  const parts = [head.trimEnd()];
  let gap = head.slice(head.trimEnd().length);
  let isEmpty = head.trim() === "";
  for (const [at, { end }] of spans.entries()) {
    const piece = text.slice(end, spans[at + 1]?.start ?? text.length);
    const words = piece.trimStart();
    const leading = piece.slice(0, piece.length - words.length);
    gap = wider(gap, leading);
    if (words === "") continue;
    const isPunctuated = leading === "" && ".,;:!?".includes(words.charAt(0));
    if (!isEmpty && !isPunctuated) parts.push(toGap(gap));
    const isLast = at === spans.length - 1;
    parts.push(isLast ? words : words.trimEnd());
    gap = words.slice(words.trimEnd().length);
    isEmpty = false;
  }
  return parts.join("");
}

/** Of the white space before and after a signal, what keeps more lines apart; else what follows, for its indent. */
function wider(before: string, after: string): string {
  return after === "" || countLines(before) > countLines(after) ? before : after;
}

function toGap(space: string): string {
  const line = space.indexOf("\n");
  if (line !== -1) return space.slice(line);
  return space === "" ? "" : " ";
}

function countLines(space: string): number {
  return space.split("\n").length;
}
