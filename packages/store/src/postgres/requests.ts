/**
 * Requests: those that are to be carried out once; the process's clock says how long they are kept.
 */
import type { RequestRecord } from "../database.ts";
import type { Ask, Cell } from "./connection.ts";
import { SEALED, type Sealed, sealRecord, toName, unsealRecord } from "./sealed.ts";

/** A record as its row in a commit, in the order of its columns. */
export function toRequestColumns(request: RequestRecord): readonly Cell[] {
  const { key, begun, keptUntil } = request;
  const { body, checksum } = sealRecord(key, request);
  return [toName(key), begun === undefined ? null : toName(begun.run), keptUntil, body, checksum];
}

/** The request under a key, while it is kept. */
export async function readRequest(ask: Ask, key: string, now: number): Promise<RequestRecord | undefined> {
  const text = `select ${SEALED} from baton_requests where key = $1 and kept_until > $2`;
  const [row] = await ask<Sealed>({ text }, [toName(key), now]);
  return row && unsealRecord(key, row, isRequest);
}

/** What was written was a request, and the checksum says that this is what was written. */
function isRequest(value: unknown): value is RequestRecord {
  return typeof value === "object" && value !== null && "fingerprint" in value && "keptUntil" in value;
}
