/**
 * Pending change: everything that a held run has to write next, as one change.
 *
 * Its lines, its record if that has changed, and what its session remembers are written together or not at all.
 */
import type { Message } from "@baton/core";
import type { EventBody } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type FollowUp, toFollowUpRecord } from "../engine/follow-up-run.ts";
import type { Owner, RunRecord, RunStatus, SessionRecord } from "@baton/store";
import { type Change, type Claim, type ClaimedRequest, ownerOf, toBatch, toSessionTitle } from "@baton/store/ports";
import { linkRequest } from "../sessions/start-request.ts";
import { RunRecordBuilder } from "./run-record-builder.ts";

/** Options of a run's log: the claim that it is written under, and the part of the run that is stored. */
export interface RunLogOptions {
  readonly claim: Claim;
  /** The claim is taken with the first thing that is written. */
  readonly isClaimNew: boolean;
  readonly record: RunRecord;
  /** Its record is not stored yet. */
  readonly isNew: boolean;
  /** Number of stored events. */
  readonly length: number;
  /** Number of messages in the conversation before this run. */
  readonly past: number;
  /** The client's request that it begins for. */
  readonly once?: ClaimedRequest | undefined;
  /** Its session's record, if it has a session. */
  readonly session?: SessionRecord;
  /** The run that follows when it has ended `done`. */
  readonly after?: FollowUp | undefined;
  /** The claim stays when the run ends. */
  readonly isLent: boolean;
  /** Called once if another process has taken the run over. */
  readonly lost: () => void;
}

/** Collects the lines, the record and the messages of a run until they are written. */
export class PendingChange {
  readonly builder: RunRecordBuilder;
  /** Posted commands that are settled by what is written next. */
  readonly takes: string[] = [];
  /** The client's request that is carried out with what is written next, if it is written at all. */
  once: ClaimedRequest | undefined;
  readonly #options: RunLogOptions;
  readonly #owner: Owner;
  readonly #title: string | undefined;
  #past: number;
  #lines: string[] = [];
  #messages: readonly string[] | undefined;
  #session: SessionRecord | undefined;
  #known: RunStatus | undefined;
  /** The run that is queued with what is written next. */
  #next: RunRecord | undefined;
  /** The last text of an agent of the run itself that is not written yet. */
  #answer: string | undefined;
  /** Its claim is taken. */
  #isBegun: boolean;
  /** Its claim is given back with what is written next. */
  #isEnding = false;

  constructor(options: RunLogOptions) {
    const { record, session, past, once, isNew, isClaimNew } = options;
    this.#options = options;
    this.#owner = ownerOf(record);
    this.builder = new RunRecordBuilder(record, { isNew });
    this.once = once;
    this.#title = session && (session.title ?? toSessionTitle(record.input));
    this.#past = past;
    this.#known = isNew ? undefined : record.status;
    this.#isBegun = !isClaimNew;
  }

  /** The status of the run on disk; undefined if it is not there. */
  get known(): RunStatus | undefined {
    return this.#known;
  }

  addLine(line: string): void {
    this.#lines.push(line);
  }

  /** Takes note of a fact; its line is added apart. */
  note(fact: EventBody, lane: string, at: number): void {
    this.builder.add(fact, lane, at);
    this.#options.after?.calls.add(fact, at);
    if (fact.type === "turn.ended" && lane === "") this.#answer = fact.content ?? fact.text;
    switch (fact.type) {
      case "run.started":
        // A history of its own is what its session remembers from the moment the run begins.
        this.#past = fact.history.length;
        if (this.#options.session !== undefined && this.#rewrites) this.#messages = toTexts(fact.history);
        break;
      case "run.ended":
        // Its own claim is given back with its last event, and the run that follows is queued with that.
        this.#isEnding = !this.#options.isLent;
        this.#next = this.#options.after && toFollowUpRecord(this.#options.after, this.builder.record, fact);
        break;
      case "run.paused":
      case "run.resumed":
        break;
      default:
        return;
    }
    this.#noteSession(fact, at);
  }

  /** The conversation so far; what its session has from other runs is left out. A segment that never began knows nothing. */
  remember(history: readonly Message[]): void {
    if (this.#options.session === undefined || history.length <= this.#past) return;
    this.#messages = toTexts(this.#rewrites ? history : history.slice(this.#past));
  }

  /** All of it, for a log that is `length` events long with it; undefined if there is nothing. */
  take(length: number): Change | undefined {
    const lines = this.#lines;
    const { isChanged } = this.builder;
    if (lines.length === 0 && !isChanged) return undefined;
    const { claim, record, session } = this.#options;
    const after = length - lines.length;
    const change: Change = {
      claim,
      ...(this.#isBegun ? {} : { begins: true }),
      ...(this.#isEnding ? { ends: true } : {}),
      ...(isChanged ? { run: this.builder.record, ...omitUndefined({ answer: this.#answer }) } : {}),
      ...(this.#known === undefined ? { creates: true } : {}),
      ...(this.once && linkRequest(this.once, { run: record.id, after })),
      ...(lines.length > 0 ? { batch: toBatch(record.id, after + 1, lines) } : {}),
      ...omitUndefined({ next: this.#next, session: this.#session }),
      ...(this.takes.length === 0 ? {} : { takes: this.takes.splice(0) }),
      ...(session === undefined ? {} : omitUndefined({ messages: this.#toConversation(session.id) })),
    };
    this.#isBegun = true;
    this.once = undefined;
    this.#lines = [];
    this.#next = undefined;
    this.builder.isChanged = false;
    this.#session = undefined;
    this.#messages = undefined;
    if (isChanged) this.#answer = undefined;
    return change;
  }

  /** The change is on disk. */
  wrote({ run }: Change): void {
    this.#known = run?.status ?? this.#known;
  }

  get #rewrites(): boolean {
    return this.#options.record.rewrites === true;
  }

  #toConversation(session: string): Change["messages"] {
    const messages = this.#messages;
    if (messages === undefined) return undefined;
    return {
      ...this.#owner,
      session,
      run: this.#options.record.id,
      messages,
      ...(this.#rewrites ? { replaces: true } : {}),
    };
  }

  /** A session knows which of its runs waits, from the same transaction as the run's own record. */
  #noteSession({ type }: EventBody, at: number): void {
    const { session, record } = this.#options;
    if (session === undefined) return;
    const { id, createdAt } = session;
    const base = { id, ...this.#owner, ...omitUndefined({ title: this.#title }), createdAt, updatedAt: at };
    this.#session = type === "run.paused" ? { ...base, paused: record.id } : base;
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
