/**
 * Signal hold: streamed text for people, without the signals of the agent that wrote it.
 *
 * Text is held back from a `[` until it can no longer be a signal that counts, and white space until it is known not to stand
 * beside one: all that is shown of a reply, joined, is exactly what core's `strip` leaves of the whole reply. Linear
 * in the text, however it is cut.
 */
import { compileSignals, type SignalMatcher } from "../words/signal.ts";
import { type Scan, SCAN_START, type ScanItem, SignalScanner, type Vocabulary } from "../words/signal-scan.ts";

/** The signals of one agent, made ready to be held back. */
export interface Watch extends Vocabulary {
  readonly matcher: SignalMatcher;
}

/** White space around a signal, with its line breaks counted once. */
interface Gap {
  readonly text: string;
  readonly lines: number;
}

/** State of reading the text of one reply. */
export interface Hold {
  readonly watch: Watch;
  /** Where the reply is, and what of it is not decided yet. */
  readonly scan: Scan;
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
/** As much of a crew as is needed to know its signals and where they count. */
export interface Signalling {
  readonly agents: ReadonlyMap<string, unknown>;
  readonly signals: ReadonlyMap<string, readonly { readonly signal?: string }[]>;
  readonly behaviors: ReadonlyMap<string, { readonly signalPosition?: Vocabulary["position"] }>;
  readonly settings: { readonly signalPosition: Vocabulary["position"] };
}

/** Builds the watch of each agent of a crew. */
export function toWatches({ agents, signals, behaviors, settings }: Signalling): ReadonlyMap<string, Watch> {
  const toSignals = (id: string) => (signals.get(id) ?? []).flatMap(({ signal }) => signal ?? []);
  const positionOf = (id: string) => behaviors.get(id)?.signalPosition ?? settings.signalPosition;
  return new Map(Array.from(agents.keys(), (id) => [id, toWatch(toSignals(id), positionOf(id))]));
}

/** Builds the watch for these signals. */
export function toWatch(signals: readonly string[], position: Vocabulary["position"] = "anywhere"): Watch {
  const matcher = compileSignals(signals, position);
  const keys = signals.map((signal) => toKey(`[${signal.slice(1, -1).replace(/\s+/g, " ").trim()}]`));
  const maxLength = keys.reduce((most, { length }) => Math.max(most, length * MAX_GROWTH), 0);
  return {
    matcher,
    position,
    isSignal: (bracketed) => matcher.has(bracketed),
    mayBecome(collapsed) {
      if (collapsed.length > maxLength) return false;
      // What comes next may still change the last character: combine with it, or be its second half.
      const start = toKey(collapsed.trimEnd()).replace(/[\p{M}\uD800-\uDBFF]+$/u, "");
      return keys.some((key) => key.startsWith(start));
    },
  };
}

/** Before the first text of a reply. */
export function startHold(watch: Watch): Hold {
  return { watch, scan: SCAN_START, space: "", gap: NO_GAP, isCut: false, isInWords: false, hasShown: false };
}

/** Takes the next piece of a reply, and gives what may be shown now. */
export function feed(hold: Hold, text: string): readonly [Hold, string] {
  const { watch, scan } = hold;
  if (!watch.mayBecome("[")) return [hold, text];
  const draft: Draft = { ...hold };
  const shown: string[] = [];
  const scanner = new SignalScanner(watch, scan, (item) => shown.push(take(draft, item)));
  scanner.read(text);
  draft.scan = scanner.state;
  return [draft, shown.join("")];
}

/** Returns the rest of the text to show once the reply has ended. */
export function finish(hold: Hold): string {
  const draft: Draft = { ...hold };
  const shown: string[] = [];
  new SignalScanner(hold.watch, hold.scan, (item) => shown.push(take(draft, item))).end();
  return shown.join("") + (draft.isInWords || !draft.isCut ? draft.space : "");
}

/** A signal that counts leaves a gap, anything else is text. */
function take(draft: Draft, item: ScanItem): string {
  if (item.kind === "text" || !item.counts) return show(draft, item.text);
  draft.gap = draft.isInWords ? toGap(draft.space) : wider(draft.gap, toGap(draft.space));
  draft.space = "";
  draft.isCut = true;
  draft.isInWords = false;
  return "";
}

/** Like core's key of a signal, but such that the beginning of a text has the beginning of its key. */
function toKey(text: string): string {
  return text.toLowerCase().normalize("NFD").replaceAll("ς", "σ");
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
