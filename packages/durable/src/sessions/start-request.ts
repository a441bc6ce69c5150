/**
 * Request: what a run was asked for, as it is kept until the run has begun.
 */
import { BatonError, type Crew, type Json } from "@baton/core";
import type { Beginning } from "@baton/core/engine";
import { omitUndefined } from "@baton/core/util";
import type { Owner, RequestRecord, RunRecord } from "@baton/store";
import { type Change, NO_COUNTS, type Once, ownerOf } from "@baton/store/ports";

/** A run that is to begin. */
export interface Request {
  readonly id: string;
  readonly owner: Owner;
  readonly crew: Crew;
  readonly beginning: Beginning;
  /** The client's request that it comes from. */
  readonly once?: Once | undefined;
  /** It neither waits for its session nor continues a run that waits there. */
  readonly onlyIfFree?: boolean;
}

/** What a record is made with beside the request. */
interface RecordOptions {
  readonly definition: string;
  readonly now: number;
  /** It may have to begin in another process. */
  readonly waits: boolean;
}

/** What is known of a run before it begins. */
export function toRecord({ id, owner, crew, beginning }: Request, options: RecordOptions): RunRecord {
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

/** What the first change of a run adds for the request that it comes from: both are written, or neither. */
export function toCarriedOut(
  { claim, request }: Once,
  begun: NonNullable<RequestRecord["begun"]>,
): Pick<Change, "also" | "request"> {
  return { also: claim, request: { ...request, begun } };
}

/** The request of a run that never began. */
export function parseRequest(record: RunRecord, crew: Crew): Request {
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

/** What was written was a beginning, and the database gives back what was written. */
function isBeginning(value: unknown): value is Beginning {
  return typeof value === "object" && value !== null && "input" in value && "entry" in value;
}
