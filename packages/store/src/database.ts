/**
 * Database: the port of a store, by noun. Two drivers keep the same promises: SQLite (in a file or in memory) and Postgres.
 *
 * Every method is one transaction: all of it is on disk when its promise resolves, or none of it and it rejects. A
 * database knows nothing of crews, events or time to live: a log is rows of text, a claim a row with an owner. The promises
 * are tests: `testing/database-suite`. A record that cannot be parsed is `damaged`, and it does not hide others.
 */
import type { BatonError } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
import type { DueDocument, DueQuery, VectorDocuments } from "./documents/document-table.ts";
import type { Owner } from "./owner.ts";
import type {
  Batch,
  Change,
  Claim,
  Conversation,
  FeedbackRecord,
  KeyRecord,
  InboxCommand,
  RequestRecord,
  Retention,
  RunFilter,
  RunRecord,
  SessionEdit,
  SessionFilter,
  SessionRecord,
  SessionRuns,
  TransferCounts,
} from "./record.ts";

/** The records of runs. */
export interface Runs {
  /** Throws `damaged` if the record cannot be parsed. From then on the run counts as ended. */
  find(id: string): Promise<RunRecord | undefined>;
  /** Newest first. A damaged record is in its place, as ended and failed with `damaged`. */
  list(filter: RunFilter): Promise<readonly RunRecord[]>;
  /** Removes a run with its log and the answers of requests that started it. False if there is no such run. */
  delete(id: string): Promise<boolean>;
  /** Removes ended runs with their logs and gives how many. Also removes expired documents. */
  prune(retention: Retention): Promise<number>;
  /** Ids of queued and running runs, of these crews or of all, whose run and session no live process owns; oldest first. */
  interrupted(crews?: readonly string[]): Promise<readonly string[]>;
}

/** The logs of runs. */
export interface Logs {
  /** The rows with events beyond `after`, in order, at most about `maxBytes` of them (but at least one row). */
  batches(run: string, after: number, maxBytes: number): Promise<readonly Batch[]>;
  /** The `seq` of a run's last event, or 0. It is stored apart from the rows, so a lost row is noticed. */
  length(run: string): Promise<number>;
  /** Calls back soon after any process has added to the run; returns how to stop. */
  watch(run: string, changed: () => void): () => void;
  /** Calls back soon after any process has written a run's record or posted to a run; returns how to stop. */
  watchAll(changed: () => void): () => void;
}

/** Conversations. */
export interface Sessions {
  find(owner: Owner, id: string): Promise<SessionRecord | undefined>;
  /** A damaged record is in its place, with an error. */
  list(filter: SessionFilter): Promise<readonly SessionRecord[]>;
  /** The runs of these sessions, by the session's id; a session without runs is not in the map. */
  runs(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, SessionRuns>>;
  /** The conversation from its beginning, each message as JSON text. */
  messages(owner: Owner, session: string): Promise<readonly string[]>;
  /** The same, by the run that they belong to. */
  conversation(owner: Owner, session: string): Promise<readonly Pick<Conversation, "run" | "messages">[]>;
  /** Changes the title or pins it; gives the session, or undefined if there is none. */
  edit(owner: Owner, id: string, edit: SessionEdit): Promise<SessionRecord | undefined>;
  /** Removes a session with its messages, runs and documents. False if there is no such session. */
  delete(owner: Owner, id: string): Promise<boolean>;
}

/** Leases of processes, and the claims that they own. */
export interface Claims {
  /** Extends the lease of a process to this long from now. */
  renew(owner: string, leaseMs: number): Promise<void>;
  /** Takes a claim that has no owner, or whose owner's lease has expired; false if a live process owns it. */
  take(claim: Claim): Promise<boolean>;
  /** Takes a claim from its owner, alive or not: the owner's next commit under its claim is lost. */
  takeOver(claim: Claim): Promise<void>;
  /** Releases a claim; does nothing if it was lost. */
  release(claim: Claim): Promise<void>;
  /** Ends the lease of a process and releases all its claims. */
  leave(owner: string): Promise<void>;
  /** Whether any process is alive. */
  isInUse(): Promise<boolean>;
}

/** Commands that were posted to runs. */
export interface Inbox {
  /**
   * Stores a command for a run that has not ended, while a claim is held, if one is given, and together with the client's
   * request that it carries out; false if there is no such run, or the claim was lost.
   */
  post(command: InboxCommand, under?: { readonly claim: Claim; readonly request?: RequestRecord }): Promise<boolean>;
  /** The commands of a run, by their ids. */
  list(run: string): Promise<readonly InboxCommand[]>;
  /** Changes the fate of a command, or removes it; false if it does not exist any more, or the claim that is given was lost. */
  settle(
    command: Pick<InboxCommand, "run" | "id">,
    fate: InboxCommand["fate"] | "withdrawn",
    claim?: Claim,
  ): Promise<boolean>;
  /** The runs that have not ended, at most 1,000, with commands that their owners have not seen. */
  unread(): Promise<readonly string[]>;
  /** Calls back with the run when any process has posted to it; returns how to stop. Absent if the database cannot notify. */
  readonly watch?: (posted: (run: string) => void) => () => void;
}

/**
 * A client's request that is carried out once, however often it is sent: it is written together with what it led to, and
 * only while its claim is held.
 */
export interface ClaimedRequest {
  readonly claim: Claim;
  readonly request: RequestRecord;
}

/** Requests that are carried out once. */
export interface Requests {
  /** The request under a key, until it expires. */
  find(key: string): Promise<RequestRecord | undefined>;
}

/** Definitions of crews, by their hashes. */
export interface Definitions {
  save(hash: string, body: string): Promise<void>;
  find(hash: string): Promise<string | undefined>;
}

/** API keys. */
export interface Keys {
  add(key: KeyRecord): Promise<void>;
  /** Oldest first. A damaged record is in its place, with an error. */
  list(): Promise<readonly KeyRecord[]>;
  /** False if there is no such key or it is revoked already. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Removes all keys, also damaged and revoked ones; gives how many. */
  deleteAll(): Promise<number>;
}

/** Judgements of users on runs, one for each run and user; a run's are removed with it. */
export interface Feedback {
  /** Saves a judgement in place of an earlier one. False if there is no such run. */
  save(run: string, feedback: FeedbackRecord): Promise<boolean>;
  /** False if there was none. */
  delete(run: string, owner: Owner): Promise<boolean>;
  /** All judgements on these runs, by the run's id, the oldest first. */
  list(runs: readonly string[]): Promise<ReadonlyMap<string, readonly FeedbackRecord[]>>;
}

/** Everything that belongs to an owner. */
export interface Owners {
  /**
   * Gives all runs, sessions, messages, requests and documents of one owner to another; logs stay as they are. Throws
   * `conflict`, and changes nothing, if one of them is in use, a run is running, or both owners have a session or a
   * document with the same id.
   */
  transfer(from: Owner, to: Owner): Promise<TransferCounts>;
  /**
   * Removes all runs with their logs, sessions, messages, requests and documents of an owner; API keys stay. Throws
   * `conflict`, and removes nothing, if one of them is in use or a run is running.
   */
  delete(owner: Owner): Promise<void>;
}

/** Where everything is stored. */
export interface Database extends AsyncDisposable {
  readonly name: "memory" | "sqlite" | "postgres";
  /** Why the database cannot be written any more: it is damaged as a whole. */
  readonly problem: BatonError | undefined;
  /** Resolves with the reason if the database was removed or replaced while in use: its process must end. */
  readonly lost?: Promise<BatonError>;
  readonly runs: Runs;
  readonly logs: Logs;
  readonly sessions: Sessions;
  readonly claims: Claims;
  readonly inbox: Inbox;
  readonly requests: Requests;
  readonly definitions: Definitions;
  readonly keys: Keys;
  readonly feedback: Feedback;
  readonly owners: Owners;
  /** Spending of model calls, shared by all processes; an amount that was reserved and never settled counts as spent. */
  readonly ledger: Ledger;
  /** The documents of one owner only. */
  documents(owner: Owner): VectorDocuments;
  /** Documents of all owners whose index `dueAt` is a number of at most `upTo`, the smallest first. */
  due(collection: string, query: DueQuery): Promise<readonly DueDocument[]>;
  /** Writes all changes at once. Gives the keys of the claims that were lost; changes under those are not written. */
  commit(changes: readonly Change[]): Promise<readonly string[]>;
}
