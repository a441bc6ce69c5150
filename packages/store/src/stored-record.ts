/**
 * Stored record: the JSON of a row, parsed, and what stands in a list in place of one that cannot be parsed.
 *
 * A record that is not JSON, has another shape or belongs to another row is `damaged`. It hides neither itself nor others:
 * lists show what the columns beside it say. Who owns a record and which key it has is what the columns say, too.
 */
import { BatonError, type Failure, type Receipt } from "@baton/core";
import type { Database } from "./database.ts";
import { LOCAL, type Owner } from "./owner.ts";
import type {
  KeyRecord,
  InboxCommand,
  RequestRecord,
  RunFilter,
  RunRecord,
  RunStatus,
  SessionRecord,
} from "./record.ts";
import { NO_COUNTS } from "./record.ts";

/** The columns beside a run's record; they may be damaged too. */
export type RunColumns = Readonly<
  Record<"id" | "tenant" | "user" | "crew" | "session" | "createdAt" | "updatedAt" | "body", unknown>
>;

/** The columns beside a session's record. */
export type SessionColumns = Readonly<
  Record<"id" | "tenant" | "user" | "createdAt" | "updatedAt" | "body" | "givenTitle" | "pinned", unknown>
>;

const STATUSES = ["queued", "running", "paused", "ended"] as const;

/** A run's status in a column. */
export function toStatus(column: unknown): RunStatus | undefined {
  return STATUSES.find((status) => status === column);
}

/** The error of a record that cannot be read. */
export function unreadable(name: string): BatonError {
  return new BatonError("damaged", `what is stored of ${name} is damaged`);
}

/** Reads something, or gives what takes its place if it is damaged. */
export function orDamaged<T>(read: () => T, toOther: (error: Failure) => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return toOther({ code: error.code, message: error.message });
  }
}

/** A run's record; undefined if there is none or it is damaged. */
export async function findUndamaged({ runs }: Database, id: string): Promise<RunRecord | undefined> {
  try {
    return await runs.find(id);
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

function isDamaged(error: unknown): error is BatonError {
  return error instanceof BatonError && error.code === "damaged";
}

/** Whether damaged runs are among those that a filter asks for: they count as ended and failed. */
export function isListedDamaged({ status = "ended", outcome = "failed" }: RunFilter): boolean {
  return status === "ended" && outcome === "failed";
}

/** The record of a run. */
export function toRun({ id, tenant, user, body }: RunColumns): RunRecord {
  const record = parseBody(body);
  if (isRun(record) && record.id === id) return { ...record, tenant: toText(tenant), user: toText(user) };
  throw unreadable(`run ${toText(id)}`);
}

/** The record of a run, or of one that can never continue. */
export function toListedRun(columns: RunColumns): RunRecord {
  const { id, tenant, user, crew, session, createdAt, updatedAt } = columns;
  return orDamaged<RunRecord>(
    () => toRun(columns),
    (error) => ({
      id: toText(id),
      tenant: toText(tenant),
      user: toText(user),
      crew: toText(crew),
      definition: "",
      ...(typeof session === "string" ? { session } : {}),
      status: "ended",
      outcome: "failed",
      error,
      request: null,
      input: "",
      ...NO_COUNTS,
      questions: [],
      createdAt: toTime(createdAt),
      updatedAt: toTime(updatedAt),
    }),
  );
}

/** The record of a session. */
export function toSession(columns: Omit<SessionColumns, "createdAt" | "updatedAt">): SessionRecord {
  const { id, tenant, user, body } = columns;
  const record = parseBody(body);
  if (isSession(record) && record.id === id) {
    const { givenTitle: _title, pinned: _pinned, ...rest } = record;
    return { ...rest, tenant: toText(tenant), user: toText(user), ...toEdited(columns) };
  }
  throw unreadable(`session ${toText(id)}`);
}

/** Title and place that a person gave: the columns know, whatever the record says. */
function toEdited({ givenTitle, pinned }: Pick<SessionColumns, "givenTitle" | "pinned">) {
  const isPinned = pinned === 1 || pinned === true;
  return { ...(typeof givenTitle === "string" ? { givenTitle } : {}), ...(isPinned ? { pinned: true as const } : {}) };
}

/** The record of a session, or of one that is only known to exist. */
export function toListedSession(columns: SessionColumns): SessionRecord {
  const [id, tenant, user] = [toText(columns.id), toText(columns.tenant), toText(columns.user)];
  const [createdAt, updatedAt] = [toTime(columns.createdAt), toTime(columns.updatedAt)];
  return orDamaged<SessionRecord>(
    () => toSession(columns),
    (error) => ({ id, tenant, user, ...toEdited(columns), error, createdAt, updatedAt }),
  );
}

/** Messages of a run in a session, each as JSON text. */
export function toMessages(session: string, body: unknown): readonly string[] {
  const messages = parseBody(body);
  if (Array.isArray(messages) && messages.every((message) => typeof message === "string")) return messages;
  throw unreadable(`the messages of session ${session}`);
}

/** The record of a request. */
export function toRequest(key: string, body: unknown): RequestRecord {
  const record = parseBody(body);
  if (isRequest(record)) return { ...record, key };
  throw unreadable(key);
}

/** The record of a key; a damaged one grants no access. */
export function toListedKey(id: string, body: unknown): KeyRecord {
  const key = parseBody(body);
  if (isKey(key) && key.id === id) return { ...key, user: key.user ?? LOCAL.user };
  const { code, message } = unreadable(`key ${id}`);
  return { id, tenant: "", user: "", scopes: [], hash: "", error: { code, message }, createdAt: 0, revokedAt: 0 };
}

/** The fate of a posted command as text: one word, or a reply as JSON. */
export function toFateText(fate: InboxCommand["fate"]): string {
  return typeof fate === "string" ? fate : JSON.stringify(fate);
}

/** The fate that a text says. */
export function parseFate(text: string): InboxCommand["fate"] {
  if (text === "sent" || text === "taken") return text;
  const reply = parseBody(text);
  if (isReply(reply)) return reply;
  throw unreadable("the reply to a command");
}

function parseBody(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function isRun(value: unknown): value is Omit<RunRecord, keyof Owner> {
  if (!isFields(value) || toStatus(value["status"]) === undefined) return false;
  const { input, agent, crew, questions, createdAt, updatedAt } = value;
  const areTexts = [input, agent, crew].every((field) => typeof field === "string");
  return areTexts && Array.isArray(questions) && typeof createdAt === "number" && typeof updatedAt === "number";
}

function isSession(value: unknown): value is Omit<SessionRecord, keyof Owner> {
  return isFields(value) && typeof value["createdAt"] === "number" && typeof value["updatedAt"] === "number";
}

function isRequest(value: unknown): value is Omit<RequestRecord, "key"> {
  return isFields(value) && typeof value["fingerprint"] === "string" && "keptUntil" in value;
}

function isReply(value: unknown): value is Failure | Receipt {
  return isFields(value) && ("code" in value || "stopped" in value);
}

/** Keys of older stores have no user. */
function isKey(value: unknown): value is Omit<KeyRecord, "user"> & { readonly user?: string } {
  return isFields(value) && typeof value["hash"] === "string" && Array.isArray(value["scopes"]);
}

function toText(column: unknown): string {
  return typeof column === "string" ? column : "";
}

/** A time; 0 if the column has none. */
function toTime(column: unknown): number {
  return typeof column === "number" && !Number.isNaN(new Date(column).getTime()) ? column : 0;
}
