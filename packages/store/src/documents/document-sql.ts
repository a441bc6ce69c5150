/**
 * Document SQL: the query of a list, in words that SQLite and Postgres both understand.
 */
import type { CollectionName, DocumentListing } from "./document-table.ts";

/** The differences between the two. */
export interface ListDialect {
  /** Before the names of tables. */
  readonly prefix: "" | "baton_";
  /** The columns that are read of the documents `d`. */
  readonly columns: string;
}

/** A statement with a `?` for each value. */
export interface ListSql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** Documents that are there at this time, along the keys of one name of the index, or along their ids. */
export function toListSql(
  dialect: ListDialect,
  name: CollectionName,
  listing: DocumentListing & { readonly now: number },
): ListSql {
  const { prefix, columns } = dialect;
  const { where, orderBy, direction, after, limit, now } = listing;
  const lead = orderBy ?? where[0]?.name;
  const row = lead === undefined ? "d" : "k";
  const joined = `${prefix}document_keys k JOIN ${prefix}documents d ON d.number = k.document`;
  const conditions = [`${row}.tenant = ? AND ${row}.user_name = ? AND ${row}.collection = ?`];
  const values: (string | number)[] = [name.tenant, name.user, name.collection];
  const add = (condition: string, ...more: readonly (string | number)[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  if (lead !== undefined) add("k.name = ?", lead);
  for (const { name: other, key } of where) {
    if (other === lead) add("k.key = ?", key);
    else
      add(
        `EXISTS (SELECT 1 FROM ${prefix}document_keys w WHERE w.document = k.document AND w.name = ? AND w.key = ?)`,
        other,
        key,
      );
  }
  add("(d.expires_at IS NULL OR d.expires_at > ?)", now);
  const [beyond, order] = direction === "ascending" ? [">", "ASC"] : ["<", "DESC"];
  if (after !== undefined && orderBy === undefined) add(`${row}.id ${beyond} ?`, after.id);
  else if (after !== undefined) add(`(k.key, k.id) ${beyond} (?, ?)`, after.key, after.id);
  const text = `SELECT ${columns}, ${orderBy === undefined ? "''" : "k.key"} AS key
    FROM ${lead === undefined ? `${prefix}documents d` : joined} WHERE ${conditions.join(" AND ")}
    ORDER BY ${orderBy === undefined ? "" : `k.key ${order}, `}${row}.id ${order} LIMIT ?`;
  return { text, values: [...values, limit + 1] };
}
