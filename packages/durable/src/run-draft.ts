/**
 * Run draft: what a held run has to write next, put together as one change.
 *
 * Its lines, its record where that is worth it, and what its session is told are written together or not at all. What
 * the run is told is kept in its record until it is in the log.
 */
import type { Message } from "@baton/core";
import { type Fact, type FactOf, given } from "@baton/core/ports";
import { type After, toAfterRecord } from "./after.ts";
import type { Owner, RunRecord, RunStatus, SessionRecord } from "@baton/store";
import { type Change, type Claim, ownerOf, toBatch, toTitle } from "@baton/store/ports";
import { type Once, toCarriedOut } from "./once.ts";
import { Tally } from "./tally.ts";

/** A run that is about to be held: who may write, and what is stored of it so far. */
export interface Seat {
  readonly claim: Claim;
  /** The claim is taken with the first thing that is written. */
  readonly isClaimNew: boolean;
  readonly record: RunRecord;
  /** Its record is not stored yet. */
  readonly isNew: boolean;
  /** How many events are stored. */
  readonly length: number;
  /** How many messages the conversation had before it. */
  readonly past: number;
  /** The client's request that it begins for. */
  readonly once?: Once | undefined;
  /** Its session's record, if it has a session. */
  readonly session?: SessionRecord;
  /** What runs when it has ended `done`. */
  readonly after?: After | undefined;
  /** The claim stays when the run ends. */
  readonly isLent: boolean;
  /** Called once where another process has taken the run over. */
  readonly lost: () => void;
}

/** All of a run that is not on its way to the disk yet. */
export class RunDraft {
  readonly #run: string;
  readonly #owner: Owner;
  readonly #tally: Tally;
  readonly #claim: Claim;
  readonly #isLent: boolean;
  /** The session it runs in. */
  readonly #session: SessionRecord | undefined;
  #past: number;
  #lines: string[] = [];
  #takes: string[] = [];
  #messages: readonly string[] | undefined;
  #sessionRecord: SessionRecord | undefined;
  /** The client's request that is carried out with what is written next. */
  #once: Once | undefined;
  #known: RunStatus | undefined;
  readonly #after: After | undefined;
  /** The run that is queued with what is written next. */
  #next: RunRecord | undefined;
  /** Its claim is taken. */
  #isBegun: boolean;
  /** Its claim is given back with what is written next. */
  #isEnding = false;

  constructor({ record, claim, session, past, once, after, isNew, isClaimNew, isLent }: Seat) {
    this.#run = record.id;
    this.#owner = ownerOf(record);
    this.#tally = new Tally(record, { isNew });
    this.#claim = claim;
    this.#isLent = isLent;
    this.#session = session;
    this.#past = past;
    this.#once = once;
    this.#after = after;
    this.#known = isNew ? undefined : record.status;
    this.#isBegun = !isClaimNew;
  }

  /** What is known of the run now. */
  get record(): RunRecord {
    return this.#tally.record;
  }

  /** The record has changed in a way that is worth writing. */
  get isChanged(): boolean {
    return this.#tally.isChanged;
  }

  /** How the run stands on disk; undefined where it is not there. */
  get known(): RunStatus | undefined {
    return this.#known;
  }

  /** What was added just now carries out a client's request, if it is written at all. */
  carryOut(once: Once | undefined): void {
    this.#once = once;
  }

  /** A posted command is settled by what is written next. */
  addTaken(id: string): void {
    this.#takes.push(id);
  }

  /** The run is left in good order. */
  leave(): void {
    this.#tally.leave();
  }

  /** Takes note that a piece of text was written. */
  noteText(at: number): void {
    this.#tally.text(at);
  }

  /** Takes note of a fact; its line is added apart. */
  note(fact: Fact, lane: string, at: number): void {
    this.#tally.add(fact, lane, at);
    this.#after?.calls.add(fact, at);
    if (fact.type === "run.started") this.#begin(fact.history);
    if (fact.type === "run.ended") this.#end(fact);
    if (this.#session !== undefined) this.#noteSession(this.#session, fact, at);
  }

  addLine(line: string): void {
    this.#lines.push(line);
  }

  /** The conversation so far; what its session has from others is left out. A life that never began knows of nothing. */
  remember(history: readonly Message[]): void {
    if (this.#session === undefined || history.length <= this.#past) return;
    this.#messages = toTexts(this.record.rewrites === true ? history : history.slice(this.#past));
  }

  /** All of it, for a log that is `length` events long with it; undefined where there is nothing. */
  take(length: number): Change | undefined {
    const lines = this.#lines;
    const { isChanged } = this.#tally;
    if (lines.length === 0 && !isChanged) return undefined;
    const id = this.#session?.id;
    const after = length - lines.length;
    const change: Change = {
      claim: this.#claim,
      ...(this.#isBegun ? {} : { begins: true }),
      ...(this.#isEnding ? { ends: true } : {}),
      ...(isChanged ? { run: this.#tally.record } : {}),
      ...(this.#known === undefined ? { creates: true } : {}),
      ...(this.#once && toCarriedOut(this.#once, { run: this.#run, after })),
      ...(lines.length > 0 ? { batch: toBatch(this.#run, after + 1, lines) } : {}),
      ...given({ next: this.#next }),
      ...(this.#takes.length === 0 ? {} : { takes: this.#takes }),
      ...(this.#sessionRecord === undefined ? {} : { session: this.#sessionRecord }),
      ...(this.#messages === undefined || id === undefined
        ? {}
        : {
            messages: {
              ...this.#owner,
              session: id,
              run: this.#run,
              messages: this.#messages,
              ...given({ replaces: this.record.rewrites }),
            },
          }),
    };
    this.#isBegun = true;
    this.#once = undefined;
    this.#lines = [];
    this.#takes = [];
    this.#next = undefined;
    this.#tally.isChanged = false;
    this.#sessionRecord = undefined;
    this.#messages = undefined;
    return change;
  }

  /** The change is on disk. */
  wrote({ run }: Change): void {
    this.#known = run?.status ?? this.#known;
  }

  /** Its own claim is given back with its last word, and what runs after it is queued with that. */
  #end(fact: FactOf<"run.ended">): void {
    this.#isEnding = !this.#isLent;
    this.#next = this.#after && toAfterRecord(this.#after, this.record, fact);
  }

  /** A history of its own is what its session remembers from the moment the run begins. */
  #begin(history: readonly Message[]): void {
    this.#past = history.length;
    if (this.#session !== undefined && this.record.rewrites === true) this.#messages = toTexts(history);
  }

  /** A session knows which of its runs waits, in the same transaction as the run's own word for it. */
  #noteSession({ id, title: known, createdAt }: SessionRecord, { type }: Fact, at: number): void {
    const title = known ?? toTitle(this.record.input);
    const base = { id, ...this.#owner, ...given({ title }), createdAt, updatedAt: at };
    if (type === "run.paused") this.#sessionRecord = { ...base, paused: this.#run };
    else if (type === "run.started" || type === "run.resumed" || type === "run.ended") this.#sessionRecord = base;
  }
}

function toTexts(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => JSON.stringify(toKept(message)));
}

/** The bytes of images are in the run that brought them; the conversation says that they were there. */
function toKept(message: Message): Message {
  if (message.role !== "user" || message.images === undefined) return message;
  const { images, content, ...rest } = message;
  const names = images.map(({ altText, mediaType }) => `[image: ${toAltText(altText) || mediaType}]`);
  return { ...rest, content: [content, ...names].filter((text) => text !== "").join("\n") };
}

const MAX_ALT_CHARS = 500;

/** On one line and without brackets, so that nothing of it looks like a part of the message. */
function toAltText(text = ""): string {
  const line = text
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .trim();
  return Array.from(line).slice(0, MAX_ALT_CHARS).join("");
}
