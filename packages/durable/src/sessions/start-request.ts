/**
 * Start request: the options of a run that has not begun, as they are stored until it begins.
 */
import { BatonError, type Crew, type Json } from "@baton/core";
import type { Beginning } from "@baton/core/engine";
import type { AnsweredBy } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { Owner, RequestRecord, RunRecord } from "@baton/store";
import { type Change, NO_COUNTS, type ClaimedRequest, ownerOf } from "@baton/store/ports";

/** A run that is to begin. */
export interface StartRequest {
  readonly id: string;
  readonly owner: Owner;
  readonly crew: Crew;
  readonly beginning: Beginning;
  /** The client's request that it comes from. */
  readonly once?: ClaimedRequest | undefined;
  /** It neither waits for its session nor continues a run that waits there. */
  readonly onlyIfFree?: boolean;
  /** Its sender, named in the log if it answers a question of the run that waits in its session. */
  readonly by?: AnsweredBy | undefined;
}

/** Options of making a record from a request. */
interface RecordOptions {
  readonly definition: string;
  readonly now: number;
  /** It may have to begin in another process. */
  readonly waits: boolean;
}

/** Returns the record of a run that has not begun. */
export function toQueuedRecord({ id, owner, crew, beginning }: StartRequest, options: RecordOptions): RunRecord {
  const { definition, now, waits } = options;
  const { input, session, history, request: requestId, afterOf, options: said } = beginning;
  return {
    id,
    ...ownerOf(owner),
    crew: crew.name,
    definition,
    ...(session === undefined ? {} : { session }),
    status: "queued",
    ...(session === undefined || history === undefined ? {} : { rewrites: true }),
    request: waits ? toJson(beginning) : null,
    ...omitUndefined({ requestId, afterOf, options: said }),
    input,
    ...NO_COUNTS,
    questions: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** Returns the fields that link a change to the client's request: both are written, or neither. */
export function linkRequest(
  { claim, request }: ClaimedRequest,
  begun: NonNullable<RequestRecord["begun"]>,
): Pick<Change, "also" | "request"> {
  return { also: claim, request: { ...request, begun } };
}

/** The request of a run that never began. */
export function parseStartRequest(record: RunRecord, crew: Crew): StartRequest {
  const { id, request } = record;
  if (!isBeginning(request)) throw new BatonError("damaged", `what run ${id} was asked for cannot be read`);
  // It may have another owner by now.
  const owner = ownerOf(record);
  const beginning: Beginning = request;
  return { id, owner, crew, beginning: { ...beginning, ...owner } };
}

function toJson(beginning: Beginning): Json {
  const value: unknown = JSON.parse(JSON.stringify(beginning));
  return isJson(value) ? value : null;
}

/** Whatever JSON text holds is JSON. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** Only start options are written there, and the database gives back what was written. */
function isBeginning(value: unknown): value is Beginning {
  return typeof value === "object" && value !== null && "input" in value && "entry" in value;
}
