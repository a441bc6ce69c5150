/**
 * Run store: one open run as a page needs it: its events without deltas, what to draw, and where it stood at any event.
 *
 * Events that come together are applied together, once a frame; listeners hear only of what changed. Rules of what a run
 * is are core's own (`fold`).
 */
import { fold, type OpenFold, openFold, type RunEvent, type RunView } from "@baton/client";
import { countUpTo } from "./growing-text.ts";
import { type AddedSay, type PendingSay, PendingSays } from "./pending-says.ts";
import { type StoryChange, StoryIndex } from "./story-index.ts";

/** The newest event, or one of the past. */
export type Playhead = "live" | number;

/** Does work later: once a frame in a page, at once in a test. */
export type FrameSchedule = (work: () => void) => void;

type Listener = () => void;

/** A run that is looked at. */
export class RunStore {
  readonly id: string;
  readonly story = new StoryIndex();
  readonly #schedule: FrameSchedule;
  readonly #kept: RunEvent[] = [];
  readonly #seqs: number[] = [];
  readonly #live: OpenFold = openFold();
  readonly #versions = new Map<StoryChange, number>();
  readonly #listeners = new Map<StoryChange, Set<Listener>>();
  readonly #says = new PendingSays();
  #waiting: RunEvent[] = [];
  #last = 0;
  #lastAt = 0;
  #past: { readonly count: number; readonly view: RunView } | undefined;

  constructor(id: string, schedule: FrameSchedule) {
    this.id = id;
    this.#schedule = schedule;
  }

  /** The events, without deltas. */
  get events(): readonly RunEvent[] {
    return this.#kept;
  }

  /** The newest event that is known, deltas included. */
  get last(): number {
    return this.#last;
  }

  /** When the newest event was, deltas included. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** The messages of this page to the run that are not in its log yet. */
  get pending(): readonly PendingSay[] {
    return this.#says.list;
  }

  /** Shows a message as pending until it is in the log. */
  expect(text: string): AddedSay {
    const { drop, mark } = this.#says.add(text);
    const tell = (): void => this.#tell(new Set(["run"]));
    tell();
    return {
      drop: () => {
        drop();
        tell();
      },
      mark: (state) => {
        mark(state);
        tell();
      },
    };
  }

  /** Takes the next events; what is known already is left out. */
  ingest(events: readonly RunEvent[]): void {
    const isFirst = this.#waiting.length === 0;
    for (const event of events) this.#waiting.push(event);
    if (isFirst && events.length > 0) this.#schedule(() => this.#apply());
  }

  /** The number of changes of a part: pages draw it again if it has grown. */
  version(key: StoryChange): number {
    return this.#versions.get(key) ?? 0;
  }

  /** Calls back when a part changes; returns how to stop. */
  subscribe(key: StoryChange, listener: Listener): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** The event that a playhead stands at. */
  seqAt(playhead: Playhead): number {
    return playhead === "live" ? this.#last : Math.min(playhead, this.#last);
  }

  /** Where the run stood. */
  viewAt(playhead: Playhead): RunView {
    if (playhead === "live" || playhead >= this.#last) return this.#live.view;
    const count = countUpTo(this.#seqs, playhead);
    if (this.#past?.count !== count) this.#past = { count, view: fold(this.#kept.slice(0, count)) };
    return this.#past.view;
  }

  #apply(): void {
    const changed = new Set<StoryChange>();
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) {
      if (event.seq <= this.#last) continue;
      this.#last = event.seq;
      this.#lastAt = event.at;
      changed.add(this.story.add(event));
      if (event.type.endsWith(".delta")) continue;
      this.#kept.push(event);
      this.#seqs.push(event.seq);
      this.#live.add([event]);
      this.#says.take(event);
    }
    this.#tell(changed);
  }

  #tell(changed: ReadonlySet<StoryChange>): void {
    for (const key of changed) this.#versions.set(key, this.version(key) + 1);
    for (const key of changed) for (const listener of this.#listeners.get(key) ?? []) listener();
  }
}
