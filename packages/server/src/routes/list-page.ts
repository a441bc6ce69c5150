/**
 * List page: a list that is read a page at a time, newest first.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { notFound, type Problem } from "../gateway/problem.ts";
import { ID } from "../gateway/input/text.ts";

const MAX_ITEMS = 1_000;

/** The query of a list: `before` is the last id of the page before. */
export const LIST_PAGE = z.object({
  before: ID.optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(100),
});

/** A page of what was found; one item more than it holds says that there is a next one. */
export function toListPage<Item extends { readonly id: string }>(found: readonly Item[], limit: number) {
  const items = found.slice(0, limit);
  return { items, ...omitUndefined({ next: found.length > limit ? items.at(-1)?.id : undefined }) };
}

/** The item that `before` names is gone. */
export function noSuchPage(what: string): Problem {
  return notFound(what, { field: "before", next: "Start the list again, without `before`." });
}
