/**
 * Document entry: a document as databases keep it, checked, and the way back.
 *
 * What is wrong with a document is said here, so every database refuses the same with the same words.
 */
import { BatonError, type Json } from "@baton/core";
import type { Document, DocumentIndex, NewDocument } from "@baton/core/ports";
import { omitUndefined, parseJson } from "@baton/core/util";
import { Buffer } from "node:buffer";
import type { CollectionName, DocumentPlace, DocumentEntry, IndexKey } from "./document-table.ts";
import { toWords } from "./folded-text.ts";
import { toSortKey } from "./sort-key.ts";
import { orDamaged, unreadable } from "../stored-record.ts";
import { toBytes, toUnitVector } from "./unit-vector.ts";

const COLLECTION = /^[a-z][a-z0-9_-]{0,63}$/;
const ID = /^[a-zA-Z0-9_:/.@+=^-]{1,256}$/;
const INDEX_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const MAX_DATA_BYTES = 1_048_576;
const MAX_INDEX_NAMES = 16;
const MAX_INDEX_CHARS = 256;
const MAX_TEXT_CHARS = 65_536;

/** The JSON that is stored of a document: everything but its place and version. */
type Body = Omit<Document, "collection" | "id" | "version" | "error">;

/** Documents as they are written at a time; throws `invalid` if one of them cannot be. */
export function toDocumentEntries(
  name: CollectionName,
  documents: readonly NewDocument[],
  now: number,
): readonly DocumentEntry[] {
  const entries = documents.map((document) => toEntry({ ...name, id: document.id }, document, now));
  const ids = new Set<string>();
  for (const entry of entries) {
    if (ids.has(entry.id)) throw invalid(entry, "it is written twice at once");
    ids.add(entry.id);
  }
  return entries;
}

function toEntry(place: DocumentPlace, document: NewDocument, now: number): DocumentEntry {
  checkId(place);
  const { version: seen, index, text, vector, session, ttlMs } = document;
  if (seen !== undefined) checkVersion(place, seen);
  if (ttlMs !== undefined && !(ttlMs > 0 && ttlMs < Infinity))
    throw invalid(place, `ttlMs is ${ttlMs}; it must be above 0`);
  const expiresAt = ttlMs === undefined ? undefined : now + ttlMs;
  const data = toJson(place, document.data);
  const body: Body = { data, updatedAt: now, ...omitUndefined({ index, session, expiresAt }) };
  return {
    ...place,
    seen,
    body: JSON.stringify(body),
    keys: index === undefined ? [] : toIndexKeys(index, (problem) => invalid(place, problem)),
    words: text === undefined ? [] : toTextWords(place, text),
    vector: vector === undefined ? undefined : toBytes(toUnitVector(vector)),
    session,
    expiresAt,
  };
}

/** The document of a stored body; throws `damaged` if it is not one. */
export function toDocument({ collection, id }: DocumentPlace, version: number, text: unknown): Document {
  const body = typeof text === "string" ? parseJson(text) : undefined;
  if (isBody(body)) return { collection, id, version, ...body };
  throw unreadable(`document ${collection}/${id}`);
}

/** The document of a stored body, or what stands in a list in place of a damaged one. */
export function toListedDocument(place: DocumentPlace, version: number, text: unknown): Document {
  const { collection, id } = place;
  return orDamaged<Document>(
    () => toDocument(place, version, text),
    (error) => ({ collection, id, version, data: null, updatedAt: 0, error }),
  );
}

/** Throws `conflict` if a writer has not seen the version that is there now; undefined if none is. */
export function checkSeen(place: DocumentPlace, seen: number | undefined, now: number | undefined): void {
  if (seen === undefined || seen === (now ?? 0)) return;
  throw versionConflict(place, seen, now);
}

/** The error of a writer that has not seen the version that is there now. */
export function versionConflict(place: DocumentPlace, seen: number, now: number | undefined): BatonError {
  const problem =
    now === undefined
      ? `does not exist any more; version ${seen} was expected`
      : seen === 0
        ? `exists already, with version ${now}`
        : `has version ${now}, not version ${seen}`;
  return new BatonError("conflict", `${titleOf(place)} ${problem}: read it again, then try again`);
}

/** The keys of values by their names, checked. */
export function toIndexKeys(index: DocumentIndex, refuse: (problem: string) => BatonError): readonly IndexKey[] {
  const entries = Object.entries(index);
  if (entries.length > MAX_INDEX_NAMES)
    throw refuse(`its index has ${entries.length} names; at most ${MAX_INDEX_NAMES} are possible`);
  return entries.map(([name, value]) => {
    const problem = INDEX_NAME.test(name) ? problemOf(value) : "is not a name: write letters, digits, _ and -";
    if (problem !== undefined) throw refuse(`index "${name.slice(0, 64)}" ${problem}`);
    return { name, key: toSortKey(value) };
  });
}

/** Throws unless it is the name of a collection. */
export function checkCollection(collection: string): void {
  if (COLLECTION.test(collection)) return;
  throw new BatonError(
    "invalid",
    `"${collection.slice(0, 64)}" is not a collection: write a-z, 0-9, _ and -, at most 64 characters, a letter first`,
  );
}

/** Throws unless a document can have this id. */
export function checkId({ collection, id }: DocumentPlace): void {
  if (ID.test(id)) return;
  throw new BatonError(
    "invalid",
    `"${id.slice(0, 64)}" is not an id in ${collection}: write 1 to 256 letters, digits and _ : / . @ + = ^ -`,
  );
}

/** Whether this is an id. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** Throws unless there can be such a version. */
export function checkVersion(place: DocumentPlace, version: number): void {
  if (Number.isSafeInteger(version) && version >= 0) return;
  throw invalid(place, `version is ${version}; it must be 0 or the version that you have read`);
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `is ${value}, not a finite number`;
  if (typeof value !== "string") return "is neither a text nor a number";
  if (value.length > MAX_INDEX_CHARS) return `has ${value.length} characters; at most ${MAX_INDEX_CHARS} are possible`;
  return value.isWellFormed() ? undefined : "has half a surrogate pair";
}

/** A copy of the data, as it will be read. */
function toJson(place: DocumentPlace, data: unknown): Json {
  const text = toText(data);
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  if (bytes > MAX_DATA_BYTES) throw invalid(place, `its data has ${Math.ceil(bytes / 1_024)} KB; at most 1,024 KB`);
  const copy = text === undefined ? undefined : parseJson(text);
  if (copy !== undefined) return copy;
  throw invalid(place, "its data is not JSON, or is nested more than 1,000 levels deep");
}

function toText(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

function toTextWords(place: DocumentPlace, text: string): readonly string[] {
  if (text.length <= MAX_TEXT_CHARS) return toWords(text);
  throw invalid(place, `its text has ${text.length} characters; at most ${MAX_TEXT_CHARS} can be searched`);
}

function invalid(place: DocumentPlace, problem: string): BatonError {
  return new BatonError("invalid", `${titleOf(place)}: ${problem}`);
}

function titleOf({ collection, id }: DocumentPlace): string {
  return `document ${collection}/${id}`;
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && "data" in value && "updatedAt" in value;
}
