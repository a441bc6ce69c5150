/**
 * SQLite documents: each version of a document is a row of its own, whose number is the version.
 *
 * The keys, words and vector of a row go with it, by a trigger; so whatever deletes rows deletes all of a document.
 */
import type { Document } from "@baton/core/ports";
import type { Database } from "../database.ts";
import { checkSeen, toDocument, toListedDocument } from "../documents/document-entry.ts";
import { toDueSearch } from "../documents/document-listing.ts";
import { toListSql } from "../documents/document-sql.ts";
import type {
  CollectionName,
  DocumentPlace,
  DocumentTable,
  DocumentEntry,
  WordSearch,
} from "../documents/document-table.ts";
import { DUE, MAX_RANKED } from "../documents/document-table.ts";
import type { Owner } from "../owner.ts";
import { unreadable } from "../stored-record.ts";
import { numberOf, textOf } from "./columns.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";
import { addWords, toMatch } from "./document-words.ts";

const COLUMNS = `d.id, d.number, body`;
const NAMED = "d.tenant = ? AND d.user_name = ? AND d.collection = ?";
const THERE = "(d.expires_at IS NULL OR d.expires_at > ?)";
const OWNED = "tenant = ? AND user_name = ?";
/** Expired documents that a write removes beyond the number that it writes. */
const REMOVED_AT_ONCE = 16;

/** The name is written out, for its index has only keys of this name. */
export const DUE_SQL = `SELECT ${COLUMNS}, k.key, k.tenant, k.user_name
  FROM document_keys k CROSS JOIN documents d ON d.number = k.document
  WHERE k.collection = ? AND k.name = '${DUE}' AND k.key <= ? AND (k.key, k.tenant, k.user_name, k.id) > (?, ?, ?, ?)
    AND ${THERE}
  ORDER BY k.key, k.tenant, k.user_name, k.id LIMIT ?`;

/** The documents of a database, and those that are due. */
export function sqliteDocuments(
  connection: SqliteConnection,
  now: () => number,
): DocumentTable & Pick<Database, "due"> {
  return {
    now,
    find: async (place) => {
      const row = connection.read(() => findRow(connection, place, now()));
      return row && toDocument(place, numberOf(row, "number"), row["body"]);
    },
    findSome: async (name, ids) => {
      const sql = `SELECT ${COLUMNS} FROM documents d
        WHERE ${NAMED} AND d.id IN (SELECT value FROM json_each(?)) AND ${THERE}`;
      const rows = connection.read(() => connection.all(sql, ...toValues(name), JSON.stringify(ids), now()));
      return rows.map((row) => toListed(name, row));
    },
    save: async (entries, at) =>
      connection.write(() => {
        const written = entries.map((entry) => saveEntry(connection, entry, at));
        deleteExpired(connection, at, entries.length + REMOVED_AT_ONCE);
        return written;
      }),
    remove: async (place, seen) =>
      connection.write(() => {
        const row = findRow(connection, place, now());
        const version = row && numberOf(row, "number");
        checkSeen(place, seen, version);
        return version !== undefined && connection.run("DELETE FROM documents WHERE number = ?", version) > 0;
      }),
    list: async (name, listing) => {
      const { text, values } = toListSql({ prefix: "", columns: COLUMNS }, name, { ...listing, now: now() });
      const rows = connection.read(() => connection.all(text, ...values));
      return rows.map((row) => ({ key: textOf(row, "key"), document: toListed(name, row) }));
    },
    search: async (name, search) => connection.read(() => findWords(connection, name, { ...search, now: now() })),
    vectors: async (name, { after, limit }) => {
      const sql = `SELECT d.id, d.document, d.vector FROM document_vectors d
        WHERE ${NAMED} AND d.document > ? AND ${THERE} ORDER BY d.document LIMIT ?`;
      const rows = connection.read(() => connection.all(sql, ...toValues(name), after, now(), limit));
      return rows.map((row) => {
        const { vector } = row;
        if (!(vector instanceof Uint8Array)) throw unreadable(`the vector of ${textOf(row, "id")}`);
        const number = numberOf(row, "document");
        return { id: textOf(row, "id"), number, version: number, vector };
      });
    },
    due: async (collection, query) => {
      const { upTo, after, limit } = toDueSearch(collection, query);
      const rows = connection.read(() => connection.all(DUE_SQL, collection, upTo, ...after, now(), limit));
      return rows.map((row) => {
        const owner = { tenant: textOf(row, "tenant"), user: textOf(row, "user_name") };
        return { owner, key: textOf(row, "key"), document: toListed({ ...owner, collection }, row) };
      });
    },
  };
}

function findWords(
  connection: SqliteConnection,
  name: CollectionName,
  { query, limit, now }: WordSearch & { readonly now: number },
): readonly Document[] {
  const newest = `SELECT rowid AS number, rank FROM document_words WHERE document_words MATCH ?
    ORDER BY rowid DESC LIMIT ${MAX_RANKED}`;
  const ranked = `SELECT number FROM (${newest}) ORDER BY rank, number DESC`;
  const found = `SELECT ${COLUMNS} FROM documents d WHERE d.number = ? AND ${NAMED} AND ${THERE}`;
  const documents: Document[] = [];
  for (const match of connection.iterate(ranked, toMatch(name, query))) {
    const row = connection.get(found, numberOf(match, "number"), ...toValues(name), now);
    if (row !== undefined) documents.push(toListed(name, row));
    if (documents.length === limit) break;
  }
  return documents;
}

/** Removes documents whose time is over; the longest over first. */
export function deleteExpired(connection: SqliteConnection, now: number, limit = Number.MAX_SAFE_INTEGER): void {
  const expired = "SELECT number FROM documents WHERE expires_at <= ? ORDER BY expires_at LIMIT ?";
  connection.run(`DELETE FROM documents WHERE number IN (${expired})`, now, limit);
}

/** Makes the documents of an owner findable by their words, after another owner had them. */
export function moveWords(connection: SqliteConnection, { tenant, user }: Owner): void {
  const sql = `SELECT number, collection, words FROM documents WHERE ${OWNED} AND words IS NOT NULL`;
  for (const row of connection.all(sql, tenant, user)) {
    const [number, words] = [numberOf(row, "number"), textOf(row, "words").split(" ")];
    connection.run("DELETE FROM document_words WHERE rowid = ?", number);
    addWords(connection, number, { tenant, user, collection: textOf(row, "collection"), words });
  }
}

/** Replaces the stored version of a document. */
function saveEntry(connection: SqliteConnection, entry: DocumentEntry, now: number): Document {
  const { tenant, user, collection, id, seen, body, keys, words, vector, expiresAt = null } = entry;
  const before = findRow(connection, entry, now);
  checkSeen(entry, seen, before && numberOf(before, "number"));
  connection.run(`DELETE FROM documents AS d WHERE ${NAMED} AND d.id = ?`, ...toValues(entry), id);
  const version = addRow(connection, entry);
  for (const { name, key } of keys) {
    const sql = "INSERT INTO document_keys VALUES (?, ?, ?, ?, ?, ?, ?)";
    connection.run(sql, tenant, user, collection, name, key, id, version);
  }
  if (words.length > 0) addWords(connection, version, entry);
  if (vector !== undefined) {
    const sql = "INSERT INTO document_vectors VALUES (?, ?, ?, ?, ?, ?, ?)";
    connection.run(sql, version, tenant, user, collection, id, expiresAt, vector);
  }
  return toDocument(entry, version, body);
}

/** Adds a row; gives its number. */
function addRow(connection: SqliteConnection, entry: DocumentEntry): number {
  const { id, body, words, session = null, expiresAt = null } = entry;
  const row = connection.get(
    `INSERT INTO documents (tenant, user_name, collection, id, session, expires_at, body, words)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
    ...toValues(entry),
    id,
    session,
    expiresAt,
    body,
    words.length === 0 ? null : words.join(" "),
  );
  return numberOf(row ?? {}, "number");
}

function findRow(connection: SqliteConnection, place: DocumentPlace, now: number): SqliteRow | undefined {
  const sql = `SELECT ${COLUMNS} FROM documents d WHERE ${NAMED} AND d.id = ? AND ${THERE}`;
  return connection.get(sql, ...toValues(place), place.id, now);
}

function toListed(name: CollectionName, row: SqliteRow): Document {
  return toListedDocument({ ...name, id: textOf(row, "id") }, numberOf(row, "number"), row["body"]);
}

function toValues({ tenant, user, collection }: CollectionName): readonly [string, string, string] {
  return [tenant, user, collection];
}
