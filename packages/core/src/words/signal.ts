/**
 * Signal: finds the bracketed texts by which an agent routes.
 *
 * A signal holds no bracket inside, so only text from a `[` to the next `]` with no bracket between can be one: one
 * forward pass sees every candidate and its place, for any number of signals, in time linear in the text.
 */
import { BatonError } from "./error.ts";
import type { MatchKind } from "./event.ts";
import { SCAN_START, type ScanItem, SignalScanner, type SignalPlace } from "./signal-scan.ts";

/** A signal that occurs in a text, with its position in the matcher's list and the best way in which it occurs. */
export type SignalMatch = Readonly<{
  index: number;
  signal: string;
  match: TextMatch;
  place: SignalPlace;
  /** False if the text only quotes it, or if it is not where signals count. */
  counts: boolean;
}>;

/** Kinds of match of a signal in a text. */
type TextMatch = Exclude<MatchKind, "output">;

/** The signals of one agent, made ready to look for. */
export interface SignalMatcher {
  readonly position: "anywhere" | "end";
  /** Every signal that occurs, once each, in the order of the list; one that counts goes before one that does not. */
  find(text: string): readonly SignalMatch[];
  /** The text for people: without signals that count and without the gaps they leave. */
  strip(text: string): string;
  /** Whether bracketed text is one of the signals. */
  has(bracketed: string): boolean;
}

const RANK = { exact: 0, case: 1, normalised: 2 } as const satisfies Record<TextMatch, number>;

/** Decomposing makes a character at most four times as long, so a longer candidate cannot match. */
const MAX_GROWTH = 4;

/** Length of a text whose signals are remembered until the next one. */
const MAX_KEPT_CHARS = 16_384;

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
export function compileSignals(
  signals: readonly string[],
  position: SignalMatcher["position"] = "anywhere",
): SignalMatcher {
  const wrong = signals.find((signal) => !isSignal(signal));
  if (wrong !== undefined)
    throw new BatonError(
      "invalid",
      `${JSON.stringify(wrong)} is not a valid signal: write [TEXT], with no brackets inside`,
    );
  const listedByKey = Map.groupBy(signals.entries(), ([, signal]) => toSignalKey(signal));
  const maxLength = listedByKey.keys().reduce((most, { length }) => Math.max(most, length * MAX_GROWTH), 0);
  const lookUp = (candidate: string) => listedByKey.get(toSignalKey(candidate, maxLength)) ?? [];
  const has = (candidate: string) => lookUp(candidate).length > 0;
  // The stricter place tells where a signal stands; what counts anywhere follows from that.
  const vocabulary = { position: "end", isSignal: has, mayBecome: () => true } as const;
  let last: Readonly<{ text: string; items: readonly ScanItem[] }> = { text: "", items: [] };
  /** The same reply is looked at several times in a row. */
  const scan = (text: string): readonly ScanItem[] => {
    if (last.text === text) return last.items;
    const items: ScanItem[] = [];
    const scanner = new SignalScanner(vocabulary, SCAN_START, (item) => items.push(item));
    scanner.read(text);
    scanner.end();
    // What is long is not kept.
    if (text.length <= MAX_KEPT_CHARS) last = { text, items };
    return items;
  };
  const doesCount = (place: SignalPlace): boolean =>
    place !== "quoted" && (place !== "inside" || position === "anywhere");
  const isPlain = (text: string): boolean => signals.length === 0 || !text.includes("[");
  return {
    position,
    has,
    find(text) {
      const found: SignalMatch[] = [];
      if (isPlain(text)) return found;
      for (const item of scan(text)) {
        if (item.kind === "text") continue;
        const { place } = item;
        for (const [index, signal] of lookUp(item.text)) {
          const match = { index, signal, match: toKind(item.text, signal), place, counts: doesCount(place) };
          const before = found[index];
          if (before === undefined || isBetter(match, before)) found[index] = match;
        }
      }
      // The list has holes; its values have none.
      return Object.values(found);
    },
    strip(text) {
      if (isPlain(text)) return text;
      const pieces: string[][] = [[]];
      for (const item of scan(text)) {
        if (item.kind === "signal" && doesCount(item.place)) pieces.push([]);
        else pieces.at(-1)?.push(item.text);
      }
      return pieces.length === 1 ? text : join(pieces.map((piece) => piece.join("")));
    },
  };
}

function isBetter(one: SignalMatch, other: SignalMatch): boolean {
  if (one.counts !== other.counts) return one.counts;
  return RANK[one.match] < RANK[other.match];
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
