/**
 * Signal: finds the bracketed texts by which an agent routes.
 *
 * A signal holds no bracket inside, so only text from a `[` to the next `]` with no bracket between can be one: one
 * forward pass sees every candidate, for any number of signals, in time linear in the text.
 */
import { BatonError } from "./error.ts";
import type { MatchKind } from "./event.ts";

/** A signal that occurs in a text, with its position in the matcher's list and the best way in which it occurs. */
export type SignalMatch = Readonly<{ index: number; signal: string; match: TextMatch }>;

/** Kinds of match of a signal in a text. */
type TextMatch = Exclude<MatchKind, "output">;

/** The signals of one agent, made ready to look for. */
export interface SignalMatcher {
  /** Every signal that occurs, once each, in the order of the list. */
  find(text: string): readonly SignalMatch[];
  /** The text for people: without signals and without the gaps they leave. */
  strip(text: string): string;
}

const RANK = { exact: 0, case: 1, normalised: 2 } as const satisfies Record<TextMatch, number>;

/** Decomposing makes a character at most four times as long, so a longer candidate cannot match. */
const MAX_GROWTH = 4;

/** Whether a text is `[TEXT]` with no bracket inside. */
export function isSignal(text: unknown): text is string {
  return typeof text === "string" && /^\[[^[\]]+\]$/.test(text) && text.slice(1, -1).trim() !== "";
}

/**
 * Returns the key that all spellings of a signal share; empty if that would be too long. Lower case comes before NFC:
 * texts that are equal except for case then always share a key, also if only the small letter has a composed form
 * (`J̌`, `ǰ`). A bracket ends every word, so lower-casing a candidate by itself gives what lower-casing the whole text
 * would (`Σ` is `ς` only at the end of a word).
 */
export function toSignalKey(bracketed: string, maxLength = Infinity): string {
  const collapsed = `[${bracketed.slice(1, -1).replace(/\s+/g, " ").trim()}]`;
  return collapsed.length > maxLength ? "" : collapsed.toLowerCase().normalize("NFC");
}

/** Compiles an agent's signals; throws `invalid` if one is not valid. */
export function compileSignals(signals: readonly string[]): SignalMatcher {
  const wrong = signals.find((signal) => !isSignal(signal));
  if (wrong !== undefined)
    throw new BatonError(
      "invalid",
      `${JSON.stringify(wrong)} is not a valid signal: write [TEXT], with no brackets inside`,
    );
  const listedByKey = Map.groupBy(signals.entries(), ([, signal]) => toSignalKey(signal));
  const maxLength = listedByKey.keys().reduce((most, { length }) => Math.max(most, length * MAX_GROWTH), 0);
  const lookUp = (candidate: string) => listedByKey.get(toSignalKey(candidate, maxLength));
  return {
    find(text) {
      const found: SignalMatch[] = [];
      forEachCandidate(text, (start, end) => {
        const candidate = text.slice(start, end);
        for (const [index, signal] of lookUp(candidate) ?? []) {
          const match = toKind(candidate, signal);
          const before = found[index];
          if (before === undefined || RANK[match] < RANK[before.match]) found[index] = { index, signal, match };
        }
      });
      // The list has holes; its values have none.
      return Object.values(found);
    },
    strip(text) {
      const pieces: string[] = [];
      let from = 0;
      forEachCandidate(text, (start, end) => {
        if (lookUp(text.slice(start, end)) === undefined) return;
        pieces.push(text.slice(from, start));
        from = end;
      });
      return from === 0 ? text : join([...pieces, text.slice(from)]);
    },
  };
}

/** Never searches back, and each place once for each kind of bracket: hostile text costs no more than other text. */
function forEachCandidate(text: string, visit: (start: number, end: number) => void): void {
  let open = text.indexOf("[");
  let close = open === -1 ? -1 : text.indexOf("]", open);
  while (close !== -1) {
    const next = text.indexOf("[", open + 1);
    if (next === -1 || next > close) visit(open, close + 1);
    if (next === -1) return;
    if (next > close) close = text.indexOf("]", next);
    open = next;
  }
}

function toKind(candidate: string, signal: string): TextMatch {
  if (candidate === signal) return "exact";
  return candidate.toLowerCase() === signal.toLowerCase() ? "case" : "normalised";
}

/** The text around signals, joined: white space at both ends stays, and each gap becomes one. */
function join(pieces: readonly string[]): string {
  const joined: string[] = [];
  let gap = "";
  let lines = 0;
  for (const [at, piece] of pieces.entries()) {
    const body = piece.trimStart();
    const words = body.trimEnd();
    const leading = piece.slice(0, piece.length - body.length);
    // Of the white space before and after a signal, what keeps more lines apart; else what follows, for its indent.
    if (leading !== "" && countLines(leading) >= lines) [gap, lines] = [leading, countLines(leading)];
    if (words === "") continue;
    const isPunctuation = leading === "" && ".,;:!?".includes(words.charAt(0));
    const line = gap.indexOf("\n");
    if (at === 0) joined.push(leading);
    else if (joined.length > 0 && !isPunctuation) joined.push(line === -1 ? gap && " " : gap.slice(line));
    joined.push(at === pieces.length - 1 ? body : words);
    gap = body.slice(words.length);
    lines = countLines(gap);
  }
  return joined.join("");
}

const countLines = (space: string): number => space.split("\n").length;
