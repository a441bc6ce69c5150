/**
 * Document due: the documents of all owners whose time has come, as a server looks for them.
 */
import { checkCollection } from "./document-entry.ts";
import { checkLimit } from "./document-listing.ts";
import type { DueDocument, DueQuery, DueTable } from "./document-table.ts";
import { toSortKey } from "./sort-key.ts";

/** The name in a document's index that says when it is due. */
export const DUE = "dueAt";

/** Due documents of a collection, the longest due first. */
export async function findDue(
  table: DueTable,
  collection: string,
  { upTo, limit, after }: DueQuery,
): Promise<readonly DueDocument[]> {
  checkCollection(collection);
  return table.due({
    collection,
    upTo: toSortKey(upTo),
    after: after === undefined ? ["", "", "", ""] : toPlace(after),
    limit: checkLimit(limit),
    now: table.now(),
  });
}

function toPlace({ key, owner, document }: DueDocument): [string, string, string, string] {
  return [key, owner.tenant, owner.user, document.id];
}
