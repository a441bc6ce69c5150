/**
 * Signal hold: streamed text for people, without the signals of the agent that wrote it.
 *
 * Text is held back from a `[` until it can no longer be a signal, and white space until it is known not to stand
 * beside one: all that is shown of a reply, joined, is exactly what core's `strip` leaves of the whole reply. Linear
 * in the text, however it is cut.
 */
import { compileSignals, type SignalMatcher } from "../words/signal.ts";

/** The signals of one agent, made ready to be held back. */
export interface Watch {
  readonly matcher: SignalMatcher;
  /** One key for each signal, shared by all its spellings; a candidate must be the beginning of one. */
  readonly keys: readonly string[];
  readonly maxLength: number;
}

/** White space around a signal, with its line breaks counted once. */
interface Gap {
  readonly text: string;
  readonly lines: number;
}

/** State of reading the text of one reply. */
export interface Hold {
  readonly watch: Watch;
  /** From a `[` on, while it may be a signal; else empty. */
  readonly candidate: string;
  /** The candidate with its white space collapsed. */
  readonly collapsed: string;
  /** White space that was not shown yet. */
  readonly space: string;
  /** The text before the latest signal. */
  readonly gap: Gap;
  /** Whether there was a signal. */
  readonly isCut: boolean;
  /** Whether words were shown since the latest signal, and at all. */
  readonly isInWords: boolean;
  readonly hasShown: boolean;
}

type Draft = { -readonly [Key in keyof Hold]: Hold[Key] };

/** Decomposing makes a character at most four times as long, so a longer candidate cannot match. */
const MAX_GROWTH = 4;
const NO_GAP: Gap = { text: "", lines: 1 };
const OPEN = "[".charCodeAt(0);
const CLOSE = "]".charCodeAt(0);

/** As much of a crew as is needed to know its signals. */
interface Signalling {
  readonly agents: ReadonlyMap<string, unknown>;
  readonly signals: ReadonlyMap<string, readonly { readonly signal?: string }[]>;
}

/** Builds the watch of each agent of a crew. */
export function toWatches({ agents, signals }: Signalling): ReadonlyMap<string, Watch> {
  const toSignals = (id: string) => (signals.get(id) ?? []).flatMap(({ signal }) => signal ?? []);
  return new Map(Array.from(agents.keys(), (id) => [id, toWatch(toSignals(id))]));
}

/** Builds the watch for these signals. */
export function toWatch(signals: readonly string[]): Watch {
  const keys = signals.map((signal) => toKey(`[${collapse(signal.slice(1, -1)).trim()}]`));
  return {
    matcher: compileSignals(signals),
    keys,
    maxLength: keys.reduce((most, { length }) => Math.max(most, length * MAX_GROWTH), 0),
  };
}

/** Before the first text of a reply. */
export function startHold(watch: Watch): Hold {
  return {
    watch,
    candidate: "",
    collapsed: "",
    space: "",
    gap: NO_GAP,
    isCut: false,
    isInWords: false,
    hasShown: false,
  };
}

/** Takes the next piece of a reply, and gives what may be shown now. */
export function feed(hold: Hold, text: string): readonly [Hold, string] {
  if (hold.watch.keys.length === 0 || isPlain(hold, text)) return [hold, text];
  const draft: Draft = { ...hold };
  const shown: string[] = [];
  let from = 0;
  while (from < text.length) {
    if (draft.candidate === "") {
      const open = text.indexOf("[", from);
      const to = open === -1 ? text.length : open;
      shown.push(show(draft, text.slice(from, to)));
      if (open !== -1) draft.candidate = draft.collapsed = "[";
      from = open === -1 ? to : open + 1;
      continue;
    }
    const to = nextBracket(text, from);
    extend(draft, text.slice(from, to));
    from = to;
    if (to === text.length) break;
    if (text.charCodeAt(to) === OPEN) shown.push(release(draft));
    else shown.push(close(draft));
    if (text.charCodeAt(to) === CLOSE) from++;
  }
  if (!mayBeSignal(draft)) shown.push(release(draft));
  return [draft, shown.join("")];
}

/** Returns the rest of the text to show once the reply has ended. */
export function finish(hold: Hold): string {
  const draft: Draft = { ...hold };
  const shown = release(draft);
  return draft.isInWords || !draft.isCut ? shown + draft.space : shown;
}

/** The usual case: words after words. */
function isPlain({ candidate, isInWords, space }: Hold, text: string): boolean {
  return candidate === "" && isInWords && space === "" && !text.includes("[") && !isSpace(text.at(-1));
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character.trim() === "";
}

function nextBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN || code === CLOSE) return at;
  }
  return text.length;
}

function extend(draft: Draft, piece: string): void {
  draft.candidate += piece;
  const more = collapse(piece);
  const isSame = draft.collapsed === "[" || draft.collapsed.endsWith(" ");
  draft.collapsed += isSame && more.startsWith(" ") ? more.slice(1) : more;
}

/** A candidate is complete: a signal leaves a gap, anything else is text. */
function close(draft: Draft): string {
  draft.candidate += "]";
  if (draft.watch.matcher.find(draft.candidate).length === 0) return release(draft);
  draft.gap = draft.isInWords ? toGap(draft.space) : wider(draft.gap, toGap(draft.space));
  draft.candidate = draft.collapsed = draft.space = "";
  draft.isCut = true;
  draft.isInWords = false;
  return "";
}

/** The candidate was not a signal. */
function release(draft: Draft): string {
  const { candidate } = draft;
  draft.candidate = draft.collapsed = "";
  return show(draft, candidate);
}

/** Whether what follows could make a signal of the candidate. */
function mayBeSignal({ candidate, collapsed, watch }: Hold): boolean {
  if (candidate === "") return true;
  if (collapsed.length > watch.maxLength) return false;
  // What comes next may still change the last character: combine with it, or be its second half.
  const start = toKey(collapsed.trimEnd()).replace(/[\p{M}\uD800-\uDBFF]+$/u, "");
  return watch.keys.some((key) => key.startsWith(start));
}

/** Like core's key of a signal, but such that the beginning of a text has the beginning of its key. */
function toKey(text: string): string {
  return text.toLowerCase().normalize("NFD").replaceAll("ς", "σ");
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Shows text without signals, except the white space at its end. */
function show(draft: Draft, text: string): string {
  const body = draft.isInWords ? text : text.trimStart();
  if (!draft.isInWords) draft.space += text.slice(0, text.length - body.length);
  const words = body.trimEnd();
  if (words === "") {
    draft.space += body;
    return "";
  }
  const before = draft.isInWords ? draft.space : toOpening(draft, words.charAt(0));
  draft.isInWords = true;
  draft.hasShown = true;
  draft.space = body.slice(words.length);
  return before + words;
}

/** The white space before the first words, or between the words around a signal. */
function toOpening({ isCut, hasShown, gap, space }: Draft, first: string): string {
  if (!isCut) return space;
  const isPunctuation = space === "" && ".,;:!?".includes(first);
  if (!hasShown || isPunctuation) return "";
  const { text } = wider(gap, toGap(space));
  const line = text.indexOf("\n");
  return line === -1 ? text && " " : text.slice(line);
}

function toGap(text: string): Gap {
  return { text, lines: text.split("\n").length };
}

function wider(before: Gap, after: Gap): Gap {
  return after.text === "" || before.lines > after.lines ? before : after;
}
