/**
 * Document listing: a query for documents as databases ask it, and where a page ends.
 */
import { BatonError } from "@baton/core";
import type { DocumentPage, DocumentQuery } from "@baton/core/ports";
import { checkCollection, isId, toIndexKeys } from "./document-entry.ts";
import type { DocumentCursor, DueQuery, DueSearch, ListedDocument, DocumentListing } from "./document-table.ts";
import { toSortKey } from "./sort-key.ts";

const LIST_LIMIT = 100;
export const MAX_LIMIT = 1_000;
const KEY = /^(?:[ns][0-9a-f]+)?$/;

/** The query, checked. */
export function toListing(query: DocumentQuery): DocumentListing {
  const { where = {}, orderBy, order: direction = "ascending", after, limit = LIST_LIMIT } = query;
  // A name that is ordered by is one that could be written.
  if (orderBy !== undefined) toIndexKeys({ [orderBy]: 0 }, refuse);
  return {
    where: toIndexKeys(where, refuse),
    orderBy,
    direction,
    after: after === undefined ? undefined : toCursor(after),
    limit: checkLimit(limit),
  };
}

/** Some documents with their keys in the order of the list, one more than the limit if there are more. */
export function toPage(found: readonly ListedDocument[], limit: number): DocumentPage {
  const documents = found.slice(0, limit).map(({ document }) => document);
  const last = found[limit - 1];
  return found.length > limit && last !== undefined
    ? { documents, next: `${last.key} ${last.document.id}` }
    : { documents };
}

/** The query for due documents of all owners, checked. */
export function toDueSearch(collection: string, { upTo, limit, after }: DueQuery): DueSearch {
  checkCollection(collection);
  const { key = "", owner = { tenant: "", user: "" }, document = { id: "" } } = after ?? {};
  const place = [key, owner.tenant, owner.user, document.id] as const;
  return { collection, upTo: toSortKey(upTo), after: place, limit: checkLimit(limit) };
}

/** The limit; throws if there cannot be so many. */
export function checkLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw refuse(`limit is ${limit}; it must be 1 to ${MAX_LIMIT}`);
}

function toCursor(after: string): DocumentCursor {
  const end = after.indexOf(" ");
  const [key, id] = [after.slice(0, Math.max(0, end)), after.slice(end + 1)];
  if (end !== -1 && KEY.test(key) && isId(id)) return { key, id };
  throw refuse("after is not the `next` of a page");
}

function refuse(problem: string): BatonError {
  return new BatonError("invalid", `the list of documents: ${problem}`);
}
