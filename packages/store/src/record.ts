/**
 * Records: what databases keep of runs, sessions, claims, requests and keys, and how it is asked for.
 */
import type { Failure, Json, Outcome, Receipt } from "@baton/core";
import type { Owner } from "./owner.ts";
import type { RunTextField } from "./search/run-text-fields.ts";

/** A piece of a run's log: the events from `first` to `last`, one JSON text a line. */
export interface Batch {
  readonly run: string;
  readonly first: number;
  readonly last: number;
  readonly body: string;
  /** CRC-32 of the run's id, the range and the body, so that a changed or misplaced row is noticed. */
  readonly checksum: number;
}

/** The lock on a run, session or request. One that was lost is never held again: `number` is new each time. */
export interface Claim {
  /** `run:ID`, `session:TENANT:USER:ID` for all runs of a session, or the key of a request. */
  readonly key: string;
  /** The process that owns it; its lease must be alive. */
  readonly owner: string;
  /** The fencing number; unique together with the owner. */
  readonly number: number;
}

export type RunStatus = "queued" | "running" | "paused" | "ended";

/** Summary of a run that is read without its log. */
export interface RunRecord extends Owner {
  readonly id: string;
  /** The crew's name. */
  readonly crew: string;
  /** Hash of the crew's definition, see `Definitions`. */
  readonly definition: string;
  readonly session?: string;
  readonly status: RunStatus;
  /** Once it is paused or has ended. */
  readonly outcome?: Outcome;
  readonly error?: Failure;
  /** It came with a history of its own, which replaces the conversation of its session. */
  readonly rewrites?: true;
  /** Options of its start, to start it again if its log is still empty. */
  readonly request: Json;
  /** The id of the HTTP request that started it (`X-Request-Id`). */
  readonly requestId?: string;
  /** The run that it follows, as the `after` of that run's crew. */
  readonly afterOf?: string;
  /** Options that its caller gave. */
  readonly options?: Json;
  readonly input: string;
  /** The agent that has the baton, or had it last. */
  readonly agent: string;
  readonly turns: number;
  readonly steps: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of `inputTokens` that came from a provider's cache, and that were written into it; absent in older records. */
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly costUsd: number;
  /** Time in which it ran, without what it waited; up to `runningSince` while it runs. Absent in older records, as are the next five. */
  readonly activeMs?: number;
  /** When it last began or continued, while it runs. */
  readonly runningSince?: number;
  /** From its beginning to its first text. */
  readonly firstTextMs?: number;
  /** The models that were called, in the order of their first call. */
  readonly models?: readonly string[];
  /** Counts for each tool. */
  readonly tools?: readonly ToolCount[];
  /** Counts for each agent. */
  readonly agents?: readonly AgentCount[];
  /** The run that it was forked from, and the event. */
  readonly forkedFrom?: ForkOrigin;
  /** Ids of the questions that are open. */
  readonly questions: readonly string[];
  /** It was imported before it had ended; nothing continues it by itself. */
  readonly interrupted?: true;
  /** Recoveries in a row after its process had died, with no step or call finished since. */
  readonly recoveries?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** In a list that was searched: the fields in which a word was found. */
  readonly matched?: readonly RunTextField[];
}

/** One user's judgement of a run. */
export interface FeedbackRecord extends Owner {
  readonly rating: "up" | "down";
  readonly comment?: string;
  readonly at: number;
}

/** The counts of a record before anything was counted. */
export const NO_COUNTS = {
  agent: "",
  turns: 0,
  steps: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
} as const;

/** The calls of one tool in a run. */
export interface ToolCount {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  /** From the start of each call to its end. */
  readonly ms: number;
}

/** The turns of one agent in a run. */
export interface AgentCount {
  readonly name: string;
  readonly turns: number;
  readonly errors: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Where a fork began. */
export interface ForkOrigin {
  readonly run: string;
  /** The event that was asked for; what was not finished by then is not in the fork. */
  readonly seq: number;
}

/** A conversation. Its id is unique within its owner. */
export interface SessionRecord extends Owner {
  readonly id: string;
  /** The first input in one line of at most 120 characters. */
  readonly title?: string;
  /** The title that a person gave it, in place of the first input. */
  readonly givenTitle?: string;
  /** Pinned sessions come first in lists. */
  readonly pinned?: true;
  /** The run that waits for a person. */
  readonly paused?: string;
  /** In a list, if the record is damaged: then only its owner and its times are known. */
  readonly error?: Failure;
  readonly createdAt: number;
  /** When it was last used: a run of it began, paused, continued or ended. */
  readonly updatedAt: number;
}

/** The runs of a session: how many, and the newest. */
export interface SessionRuns {
  readonly runs: number;
  /** Of the newest. */
  readonly crew: string;
  readonly status: RunStatus;
}

/** A client's request that is carried out once, however often it is sent. */
export interface RequestRecord {
  /** The key of its claim, with its owner and what the client calls it. */
  readonly key: string;
  /** Of what is asked for: under one key it is always the same. */
  readonly fingerprint: string;
  /** The run it has begun or continued, and how long that one's log was before; written with what it led to. */
  readonly begun?: { readonly run: string; readonly after: number };
  /** The first answer as JSON text, once there is one. */
  readonly answer?: string;
  /** It expires at this time. */
  readonly keptUntil: number;
}

/** Everything that the owner of a claim writes in one transaction; nothing of it is written if the claim was lost. */
export interface Change {
  readonly claim: Claim;
  /** Claim of the idempotency key. If it is no longer held, the whole change is refused. */
  readonly also?: Claim;
  /** The claim is taken with this change, unless a live process owns the key. */
  readonly begins?: boolean;
  /** The claim is released with this change. A change that is repeated after that counts as written. */
  readonly ends?: boolean;
  /** The whole record, new or changed. */
  readonly run?: RunRecord;
  /** The last text of the run's agents, for searches, once it pauses or ends. */
  readonly answer?: string;
  /** The run is new: if it has another record or another log already, the claim counts as lost. */
  readonly creates?: boolean;
  /** The same batch may be stored already: a commit whose answer was lost is retried. */
  readonly batch?: Batch;
  /** A queued run that is created together with the batch, unless a run with its id exists; it has no owner yet. */
  readonly next?: RunRecord;
  readonly session?: SessionRecord;
  /** All messages that a run has added to its session's conversation so far; they replace those it wrote before. */
  readonly messages?: Conversation;
  /** The whole record, new or changed. Some expired requests are removed with it. */
  readonly request?: RequestRecord;
  /** Ids of posted commands whose fate the batch records: they are removed. */
  readonly takes?: readonly string[];
}

/** Messages of one run in a session, each as JSON text. */
export interface Conversation extends Owner {
  readonly session: string;
  readonly run: string;
  readonly messages: readonly string[];
  /** They are the whole conversation: what other runs said in it is removed. */
  readonly replaces?: true;
}

/** Filter for runs; newest first, at most `limit` (100). */
export interface RunFilter {
  readonly tenant?: string;
  /** Without it, runs of all users. */
  readonly user?: string;
  /** `open`: any that has not ended. */
  readonly status?: RunStatus | "open";
  readonly outcome?: Outcome;
  readonly crew?: string;
  readonly session?: string;
  /** Created at this time or later. */
  readonly since?: number;
  /** Created before this time. */
  readonly until?: number;
  /** Its record was written at this time or later. */
  readonly changedSince?: number;
  /** The short id of the run, 12 hex digits (`toShortId`). Several runs may have the same. */
  readonly shortId?: string;
  /** The `requestId` of the run. */
  readonly request?: string;
  /** Words and "phrases" that must all occur in its texts, in any order, whatever their case and marks; the last word may be a beginning. */
  readonly text?: string;
  /** The rating that a user gave it, any rating, or none. */
  readonly feedback?: "up" | "down" | "any" | "none";
  /** Only runs created before this one. */
  readonly before?: string;
  readonly limit?: number;
}

/** Filter for the sessions of one owner; the most recently used first, at most `limit` (100). */
export interface SessionFilter extends Owner {
  /** Part of the title, whatever its case. */
  readonly text?: string;
  /** Only sessions that come after this place in the list. */
  readonly before?: SessionPlace;
  readonly limit?: number;
}

/** A place in a list of sessions; it stays where it is when the session is used. */
export type SessionPlace = Pick<SessionRecord, "id" | "updatedAt" | "pinned">;

/** Changes that a person makes to a session; `null` removes the given title. */
export interface SessionEdit {
  readonly title?: string | null;
  readonly pinned?: boolean;
}

/** An API key, as it is kept: the key itself is not. */
export interface KeyRecord extends Owner {
  readonly id: string;
  /** The plan whose limits apply to it. */
  readonly plan?: "free" | "premium";
  readonly scopes: readonly string[];
  /** Ids of the crews that it may use; all if absent. */
  readonly crews?: readonly string[];
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** In a list, if the record is damaged: it grants no access, and only its id is known. */
  readonly error?: Failure;
}

/** Counts of the things that moved from one owner to another. */
export interface TransferCounts {
  readonly runs: number;
  readonly sessions: number;
  readonly documents: number;
}

/** A command that any process posted to a run. It is stored until the log says what came of it. */
export interface InboxCommand {
  readonly run: string;
  /** Made by the sender; commands are taken in the order of their ids. */
  readonly id: string;
  /** The command as JSON text. */
  readonly command: string;
  /** `sent` until the run's owner has seen it, `taken` until the run has heard it; or the reply to its sender. */
  readonly fate: "sent" | "taken" | Failure | Receipt;
}

/** Rule for removing ended runs; paused and running ones are always kept. */
export interface Retention {
  /** Ended runs kept, the newest. */
  readonly maxRuns?: number;
  /** Runs that ended before this time are removed. */
  readonly endedBefore?: number;
}
