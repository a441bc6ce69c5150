/**
 * Paced feed: a run's events as a page follows them, at reading speed if they come too fast to be read.
 *
 * Scripts and rules answer in no time. Their words, calls and handoffs are given one after the other, the whole of them
 * in at most eight seconds; what real models write passes as it comes. Nothing is changed, dropped or put in another
 * order, but a long piece of text is given in parts.
 */
import type { FollowOptions, RunEvent } from "@baton/client";
import type { RunSource } from "../../feed/visible-tab-source.ts";

const WORD_MS = 18;
const HANDOFF_MS = 350;
const CALL_MS = 250;
const MOST_MS = 8_000;
const FRAME_MS = 16;
const WORDS_A_PIECE = 2;
const MAX_PIECES = 600;
const SCRIPTED: ReadonlySet<string> = new Set(["script", "offline", "code/offline"]);

/** The distance between the shown events and the newest one. */
export interface Pace {
  /** The real duration of a run that has ended or waits, as long as its end is not shown yet. */
  readonly tookMs?: number;
  /** Charts that are known and not shown yet: their place can be kept. */
  readonly ahead: readonly RunEvent[];
}

/** The options of a paced feed. */
export interface PacedFeedOptions {
  readonly client: RunSource;
  readonly pace: "reading" | "off";
  readonly wait: (ms: number, abort: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly onPace: (pace: Pace) => void;
}

/** A source of events that can be hurried. */
export interface PacedFeed {
  readonly source: RunSource;
  /** Shows all that there is. */
  readonly skip: () => void;
}

/** Nothing is held back. */
export const IN_TIME: Pace = { ahead: [] };

/** Makes a feed. */
export function openFeed(options: PacedFeedOptions): PacedFeed {
  const { client, pace } = options;
  const skipped = new AbortController();
  const whole = pace === "reading";
  return {
    source: {
      events: whole ? async () => [] : (run, listed) => client.events(run, listed),
      followBatches: (run, followed = {}) => follow({ ...options, run, followed, skipped: skipped.signal }),
    },
    skip: () => skipped.abort(),
  };
}

interface Following extends PacedFeedOptions {
  readonly run: string;
  readonly followed: FollowOptions;
  readonly skipped: AbortSignal;
}

/** The events that have arrived and are not shown yet. */
interface Inbox {
  readonly events: RunEvent[];
  wake: () => void;
  isOver: boolean;
}

async function* follow(following: Following): AsyncGenerator<readonly RunEvent[], void, undefined> {
  const inbox: Inbox = { events: [], wake: () => {}, isOver: false };
  const abort = new AbortController();
  const outer = following.followed.abort;
  const signal = outer === undefined ? abort.signal : AbortSignal.any([outer, abort.signal]);
  const pumping = pump(following, inbox, signal);
  try {
    yield* show(following, inbox, signal);
  } finally {
    abort.abort();
    await pumping;
  }
}

/** Takes what comes. */
async function pump({ client, run, followed }: Following, inbox: Inbox, abort: AbortSignal): Promise<void> {
  try {
    for await (const batch of client.followBatches(run, { ...followed, abort })) {
      inbox.events.push(...batch.flatMap(splitEvent));
      inbox.wake();
    }
  } finally {
    inbox.isOver = true;
    inbox.wake();
  }
}

async function* show(
  { pace, wait, now, onPace, skipped }: Following,
  inbox: Inbox,
  abort: AbortSignal,
): AsyncGenerator<readonly RunEvent[], void, undefined> {
  const costOf = openCosts();
  const queue: Priced[] = [];
  let spent = 0;
  let beganAt = 0;
  const isQuick = (): boolean => pace === "off" || skipped.aborted;
  const hurry = AbortSignal.any([abort, skipped]);
  while (!abort.aborted) {
    const come = inbox.events.splice(0);
    beganAt = come.findLast(isBeginning)?.at ?? beganAt;
    queue.push(...come.map((event) => ({ event, ms: costOf(event) })));
    if (queue.length === 0) {
      if (inbox.isOver) return;
      await arrival(inbox, abort);
      continue;
    }
    if (!isQuick()) onPace(toPace(queue, beganAt));
    const from = now();
    const { batch, ms } = isQuick() ? { batch: queue.splice(0), ms: 0 } : takeFrame(queue, MOST_MS - spent);
    if (ms > 0) await wait(ms, hurry);
    yield batch.map(({ event }) => event);
    // A busy machine waits longer than it was told to, and drawing takes time too.
    spent = batch.some(({ event }) => event.type === "run.paused") ? 0 : spent + (now() - from);
    if (queue.length === 0) onPace(IN_TIME);
  }
}

type Priced = Readonly<{ event: RunEvent; ms: number }>;

/** As much as is shown with the next frame, and how long that takes. */
function takeFrame(queue: Priced[], leftMs: number): { readonly batch: Priced[]; readonly ms: number } {
  const whole = queue.reduce((sum, { ms }) => sum + ms, 0);
  const scale = whole === 0 ? 0 : Math.min(1, Math.max(0, leftMs) / whole);
  const batch: Priced[] = [];
  let taken = 0;
  while (queue.length > 0 && taken * scale < FRAME_MS) {
    const next = queue.shift();
    if (next === undefined) break;
    batch.push(next);
    taken += next.ms;
  }
  return { batch, ms: taken * scale };
}

function arrival(inbox: Inbox, abort: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      abort.removeEventListener("abort", go);
      resolve();
    };
    inbox.wake = go;
    abort.addEventListener("abort", go);
    if (inbox.events.length > 0 || inbox.isOver || abort.aborted) go();
  });
}

function isBeginning({ type }: RunEvent): boolean {
  return type === "run.started" || type === "run.resumed";
}

function toPace(queue: readonly Priced[], beganAt: number): Pace {
  const ahead = queue.flatMap(({ event }) => (event.type === "note.made" && event.kind === "chart" ? [event] : []));
  const end = queue.findLast(({ event }) => event.type === "run.ended" || event.type === "run.paused")?.event;
  if (end === undefined) return { ahead };
  return { ahead, tookMs: end.at - beganAt };
}

/** Returns the reading cost of each event; stateful, one for each run. */
function openCosts(): (event: RunEvent) => number {
  const paced = new Set<string>();
  let isReal = false;
  return (event) => {
    switch (event.type) {
      case "step.started":
        if (SCRIPTED.has(event.model)) paced.add(event.step);
        else if (!event.model.startsWith("code/")) isReal = true;
        return 0;
      case "text.delta":
        return paced.has(event.step) ? WORD_MS * Math.max(1, countWords(event.text)) : 0;
      case "call.ended":
        return paced.has(event.call.slice(0, event.call.lastIndexOf("."))) ? CALL_MS : 0;
      case "handoff.made":
        return isReal || paced.size === 0 ? 0 : HANDOFF_MS;
      default:
        return 0;
    }
  };
}

function countWords(text: string): number {
  return text.split(/\s/u).filter((word) => word !== "").length;
}

/** A long text as several; their places lie between two events. */
export function splitEvent(event: RunEvent): readonly RunEvent[] {
  if (event.type !== "text.delta") return [event];
  const words = splitWords(event.text);
  const size = Math.max(WORDS_A_PIECE, Math.ceil(words.length / MAX_PIECES));
  const count = Math.ceil(words.length / size);
  if (count <= 1) return [event];
  return Array.from({ length: count }, (_, index) => ({
    ...event,
    seq: index === count - 1 ? event.seq : event.seq - 1 + (index + 1) / count,
    text: words.slice(index * size, (index + 1) * size).join(""),
  }));
}

/** Words with the white space after them; joined again they are the text. */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let from = 0;
  for (let at = 1; at < text.length; at++) {
    const isStart = !isSpace(text.charCodeAt(at)) && isSpace(text.charCodeAt(at - 1));
    if (!isStart) continue;
    words.push(text.slice(from, at));
    from = at;
  }
  return [...words, text.slice(from)];
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13;
}
