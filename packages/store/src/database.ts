/**
 * Database: what a store is kept in. Three of them keep the same promises: memory, SQLite, Postgres.
 *
 * Every method is one transaction: all of it is on disk when its promise resolves, or none of it and it rejects. It
 * knows nothing of crews, events or time to live: a log is rows of text, a claim a row with an owner. Its promises
 * are tests: `testing/database-suite`.
 */
import type { BatonError, Failure, Json, Outcome, Receipt } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
import type { DueDocument, DueQuery, VectorDocuments } from "./document-table.ts";
import type { Owner } from "./owner.ts";

/** A piece of a run's log: the events from `first` to `last`, one JSON text a line. */
export interface Batch {
  readonly run: string;
  readonly first: number;
  readonly last: number;
  readonly body: string;
  /** CRC-32 of the run's id, the range and the body, so that a changed or misplaced row is noticed. */
  readonly checksum: number;
}

/** The right to write to a run, session or request. One that was lost is never held again: `number` is new each time. */
export interface Claim {
  /** `run:ID`, `session:TENANT:USER:ID` for all runs of a session, or the key of a request. */
  readonly key: string;
  /** The process that holds it; its lease must be alive. */
  readonly owner: string;
  /** The fencing number; unique together with the owner. */
  readonly number: number;
}

export type RunStatus = "queued" | "running" | "paused" | "ended";

/** What is known of a run without reading its log. */
export interface RunRecord extends Owner {
  readonly id: string;
  /** The crew's name. */
  readonly crew: string;
  /** Hash of the crew's definition, see `Database.definition`. */
  readonly definition: string;
  readonly session?: string;
  readonly status: RunStatus;
  /** Once it is paused or has ended. */
  readonly outcome?: Outcome;
  readonly error?: Failure;
  /** It came with a history of its own, which its session remembers from then on in the place of all that was before. */
  readonly rewrites?: true;
  /** What it was started with, to begin it again where its log is still empty. */
  readonly request: Json;
  /** The id of the HTTP request that started it (`X-Request-Id`). */
  readonly requestId?: string;
  /** The run that it follows, as the `after` of that run's crew. */
  readonly afterOf?: string;
  /** What its caller said about it. */
  readonly options?: Json;
  readonly input: string;
  /** Who has the baton, or had it last. */
  readonly agent: string;
  readonly turns: number;
  readonly steps: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Time in which it ran, without what it waited; up to `runningSince` while it runs. Absent in older records, as are the next five. */
  readonly activeMs?: number;
  /** When it last began or went on, while it runs. */
  readonly runningSince?: number;
  /** From its beginning to its first text. */
  readonly firstTextMs?: number;
  /** The models that were called, in the order of their first call. */
  readonly models?: readonly string[];
  /** What each tool did. */
  readonly tools?: readonly ToolCount[];
  /** What each agent did. */
  readonly agents?: readonly AgentCount[];
  /** The run that it was forked from, and the event. */
  readonly forkedFrom?: ForkOrigin;
  /** Ids of the questions that are open. */
  readonly questions: readonly string[];
  /** How often in a row it was recovered because its process had died, with no step or call finished since. */
  readonly recoveries?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

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
  /** The run that waits for somebody. */
  readonly paused?: string;
  /** In a list, where the record is damaged: beside this only whose it is and its times are known. */
  readonly error?: Failure;
  readonly createdAt: number;
  /** When it was last used: a run of it began, waited, went on or ended. */
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
  /** The run it has begun or gone on with, and how long that one's log was before; written with what it led to. */
  readonly begun?: { readonly run: string; readonly after: number };
  /** The first answer as JSON text, once there is one. */
  readonly answer?: string;
  /** Forgotten from this time on. */
  readonly keptUntil: number;
}

/** What one holder of a claim adds in one transaction; nothing of it is written where the claim was lost. */
export interface Change {
  readonly claim: Claim;
  /** A second claim that must be held, of the request that the change carries out: without it the first counts as lost. */
  readonly also?: Claim;
  /** The claim is new and taken with this change, unless somebody living holds the key. */
  readonly begins?: boolean;
  /** The claim is given back with this change; repeated with a batch that is there already, it counts as held. */
  readonly ends?: boolean;
  /** The whole record, new or changed. */
  readonly run?: RunRecord;
  /** The run is new: where it has another record or another log already, the claim counts as lost. */
  readonly creates?: boolean;
  /** One that is there already, the same, is no error: a commit may be tried again that was done unnoticed. */
  readonly batch?: Batch;
  /** A queued run that is created together with the batch, unless there is a run with its id: nobody holds it yet. */
  readonly next?: RunRecord;
  readonly session?: SessionRecord;
  /** What a run has added to its session's conversation so far; takes the place of what it added before. */
  readonly messages?: Conversation;
  /** The whole record, new or changed; some that nobody keeps any longer are removed with it. */
  readonly request?: RequestRecord;
  /** Ids of posted commands of the run that the batch says the fate of: they are kept no longer. */
  readonly takes?: readonly string[];
}

/** Messages of one run in a session, each as JSON text. */
export interface Conversation extends Owner {
  readonly session: string;
  readonly run: string;
  readonly messages: readonly string[];
  /** They are the whole conversation: what other runs have said in it is forgotten. */
  readonly replaces?: true;
}

/** Which runs; newest first, at most `limit` (100). */
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
  /** Part of the input, whatever its case. */
  readonly text?: string;
  /** Only runs created before this one. */
  readonly before?: string;
  readonly limit?: number;
}

/** Which sessions of one owner; the one that was used last first, at most `limit` (100). */
export interface SessionFilter extends Owner {
  /** Part of the title, whatever its case. */
  readonly text?: string;
  /** Only sessions that come after this place in the list. */
  readonly before?: SessionPlace;
  readonly limit?: number;
}

/** A place in a list of sessions; it stays where it is when the session is used. */
export type SessionPlace = Pick<SessionRecord, "id" | "updatedAt">;

/** An API key, as it is kept: the key itself is not. */
export interface KeyRecord extends Owner {
  readonly id: string;
  /** Which limits hold for it. */
  readonly plan?: "free" | "premium";
  readonly scopes: readonly string[];
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** In a list, where the record is damaged: it lets nobody in, and only its id is known. */
  readonly error?: Failure;
}

/** What one owner had and another has now. */
export interface Transferred {
  readonly runs: number;
  readonly sessions: number;
  readonly documents: number;
}

/** A command on its way to a run: any process may post it. It is kept until the log has what came of it. */
export interface Posted {
  readonly run: string;
  /** Made by the sender; commands are taken in the order of their ids. */
  readonly id: string;
  /** The command as JSON text. */
  readonly command: string;
  /** `sent` until the run's owner has seen it, `taken` until the run has heard it; or the reply to its sender. */
  readonly fate: "sent" | "taken" | Failure | Receipt;
}

/** Which ended runs to forget; paused and running ones are always kept. */
export interface Retention {
  /** Ended runs kept, the newest. */
  readonly maxRuns?: number;
  /** Ended before this time: forgotten. */
  readonly endedBefore?: number;
}

/** Where everything is kept. Records come back as they were written, byte for byte, or `damaged` is thrown. */
export interface Database extends AsyncDisposable {
  readonly name: "memory" | "sqlite" | "postgres";
  /** Why it cannot be written any more, for good: it is damaged beyond single records. */
  readonly problem: BatonError | undefined;

  /** Writes all of it at once. Gives the keys of the claims that were lost; what came under those is left out. */
  commit(changes: readonly Change[]): Promise<readonly string[]>;
  /** The rows with events beyond `after`, in order, at most about `maxBytes` of them (but at least one row). */
  batches(run: string, after: number, maxBytes: number): Promise<readonly Batch[]>;
  /** The `seq` of a run's last event; 0 where it has none. Kept apart from the rows, so that a lost row is noticed. */
  length(run: string): Promise<number>;
  /** Calls back soon after somebody, here or in another process, has added to the run; returns how to stop. */
  watch(run: string, changed: () => void): () => void;
  /** The same of all runs, also of one whose record alone was written. */
  watchAll(changed: () => void): () => void;

  /** One that is found damaged counts as ended from then on: it is in nobody's way, and forgotten in time. */
  run(id: string): Promise<RunRecord | undefined>;
  /** One that is damaged is in its place, as ended and failed with `damaged`, and never among those of another status. */
  runs(filter: RunFilter): Promise<readonly RunRecord[]>;
  /** Removes a run with its log, and the answers kept of requests for it. False where there was none. */
  deleteRun(id: string): Promise<boolean>;
  /** Removes ended runs with their logs; gives how many. Also removes documents whose time is over. */
  prune(retention: Retention): Promise<number>;

  /** Keeps a command for a run that has not ended; false if there is no such run. */
  post(command: Posted): Promise<boolean>;
  /** The commands that are kept for a run, by their ids. */
  inbox(run: string): Promise<readonly Posted[]>;
  /** Changes the fate of a posted command, or removes it; false if it is not there any more. */
  settle(command: Pick<Posted, "run" | "id">, fate: Posted["fate"] | "withdrawn"): Promise<boolean>;
  /** The runs, at most 1,000, with commands that their owners have not seen. */
  unread(): Promise<readonly string[]>;

  session(owner: Owner, id: string): Promise<SessionRecord | undefined>;
  /** One that is damaged is in its place, with an error. */
  sessions(filter: SessionFilter): Promise<readonly SessionRecord[]>;
  /** The runs of these sessions of an owner, by the session's id; one that has none is not there. */
  sessionRuns(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, SessionRuns>>;
  /** The conversation from its beginning, each message as JSON text. */
  messages(owner: Owner, session: string): Promise<readonly string[]>;
  /** Removes a session with its messages, runs and documents. False where there was none. */
  deleteSession(owner: Owner, id: string): Promise<boolean>;
  /**
   * Gives all runs, sessions, messages, requests and documents of one owner to another; logs stay as they are. Throws
   * `conflict`, and changes nothing, if one of them is in use, a run is running, or both owners have a session or a
   * document with the same id.
   */
  transfer(from: Owner, to: Owner): Promise<Transferred>;
  /**
   * Removes all that an owner has: runs with their logs, sessions, messages, requests and documents; API keys stay.
   * Throws `conflict`, and removes nothing, if one of them is in use or a run is running.
   */
  deleteOwner(owner: Owner): Promise<void>;

  /** The documents of an owner, and of nobody else. */
  documents(owner: Owner): VectorDocuments;
  /** Documents of all owners whose index `dueAt` is a number of at most `upTo`, the smallest first. */
  due(collection: string, query: DueQuery): Promise<readonly DueDocument[]>;

  /** The request under a key; undefined where there is none, or it is kept no longer. */
  request(key: string): Promise<RequestRecord | undefined>;

  /** Keeps a crew's definition under its hash, once. */
  saveDefinition(hash: string, body: string): Promise<void>;
  definition(hash: string): Promise<string | undefined>;

  /** Says that a process lives, for so long from now. */
  renew(owner: string, leaseMs: number): Promise<void>;
  /** Takes a claim that nobody holds, or whose owner's lease is over; false where somebody holds it. */
  claim(claim: Claim): Promise<boolean>;
  /** Gives a claim back; nothing where it was lost. */
  release(claim: Claim): Promise<void>;
  /** Says that a process has gone: its lease and all its claims. */
  leave(owner: string): Promise<void>;
  /** Whether a living process uses it. */
  isInUse(): Promise<boolean>;
  /** Ids of queued and running runs, of these crews or of all, that no living process holds, neither the run nor its session; oldest first. */
  interrupted(crews?: readonly string[]): Promise<readonly string[]>;

  /** What model calls may spend, shared by all processes; what was reserved and never settled counts as spent. */
  ledger(): Ledger;

  addKey(key: KeyRecord): Promise<void>;
  /** One that is damaged is in its place, with an error. */
  keys(): Promise<readonly KeyRecord[]>;
  /** False where there is no such key, or it was revoked before. */
  revokeKey(id: string, at: number): Promise<boolean>;
  /** Removes all keys, also damaged and revoked ones; gives how many. */
  deleteKeys(): Promise<number>;
}
