/**
 * Document words: what documents are searched by, in an index of FTS5 that all owners share.
 *
 * Every word begins with a name of its collection, so a search reads only what that collection has, however much others
 * have written.
 */
import { createHash } from "node:crypto";
import type { CollectionName, DocumentEntry } from "../documents/document-table.ts";
import type { WordQuery } from "../documents/folded-text.ts";
import type { SqliteConnection } from "./connection.ts";

/** Hexadecimal digits: few enough for each word, too many for two collections to share them by chance. */
const SCOPE_CHARS = 12;

/** Makes the row of a document findable by its words. */
export function addWords(
  connection: SqliteConnection,
  number: number,
  entry: CollectionName & Pick<DocumentEntry, "words">,
): void {
  const scope = scopeOf(entry);
  const text = entry.words.map((word) => scope + word).join(" ");
  connection.run("INSERT INTO document_words (rowid, words) VALUES (?, ?)", number, text);
}

/** The query as FTS5 reads it. Words are letters and digits, so none needs an escape. */
export function toMatch(name: CollectionName, { words, prefix, match }: WordQuery): string {
  const scope = scopeOf(name);
  return [...words.map((word) => `"${scope}${word}"`), `"${scope}${prefix}" *`].join(
    match === "all" ? " AND " : " OR ",
  );
}

function scopeOf({ tenant, user, collection }: CollectionName): string {
  const text = JSON.stringify([tenant, user, collection]);
  return createHash("sha256").update(text).digest("hex").slice(0, SCOPE_CHARS);
}
