/**
 * Ownership: how rows change their owner: in a transfer, and when a store of an older Baton gets users; and how they go.
 *
 * The owner is part of what a row is sealed with, so each row is sealed again; one that is damaged stays damaged.
 */
import { requestPrefix, runKey, sessionKey, sessionPrefix } from "../claim-key.ts";
import { orDamaged } from "../damaged-record.ts";
import type { Transferred } from "../database.ts";
import { LOCAL, type Owner, ownerOf } from "../owner.ts";
import { documentName } from "../document-entry.ts";
import { hasDocument, hasSession, inUse, stillRunning } from "../refusal.ts";
import { toNewKey, toOwnedKey, withFields } from "../reowning.ts";
import { toShortId } from "../run-id.ts";
import type { Connection, Row } from "./connection.ts";
import { deleteRun } from "./run-table.ts";
import { bodyOf, checksumOf, numberOf, SEALED, textOf } from "./sealed.ts";
import { messagesName } from "./session-tables.ts";
import { deleteExpired, moveWords } from "./sqlite-documents.ts";

const OWNED = "tenant = ? AND user_name = ?";

/** Claims on what an owner has. */
const CLAIMED = `(key IN (SELECT '${runKey("")}' || id FROM runs WHERE ${OWNED})
  OR instr(key, ?) = 1 OR instr(key, ?) = 1)`;

/** Who gives to whom, and when. */
interface Transfer {
  readonly from: Owner;
  readonly to: Owner;
  readonly now: number;
}

/** Gives all that one owner has to another. In a transaction. */
export function transfer(connection: Connection, { from, to, now }: Transfer): Transferred {
  checkIdle(connection, from, now);
  deleteExpired(connection, now);
  checkNew(connection, from, to);
  const of = from;
  const fields = ownerOf(to);
  connection.run(`DELETE FROM claims WHERE ${CLAIMED}`, ...toClaimed(from));
  const runs = reseal(connection, { table: "runs", columns: "id", of, fields, toNames: toRunName });
  const sessions = reseal(connection, {
    table: "sessions",
    columns: "id",
    of,
    fields,
    toNames: (row) => [sessionKey(from, textOf(row, "id")), sessionKey(to, textOf(row, "id"))],
  });
  const nameIn = (owner: Owner, row: Row) => messagesName(owner, textOf(row, "session"), textOf(row, "run"));
  const toNames = (row: Row): Names => [nameIn(from, row), nameIn(to, row)];
  reseal(connection, { table: "messages", columns: "session, run", of, toNames });
  const documents = reseal(connection, {
    table: "documents",
    columns: "collection, id",
    of,
    toNames: (row) => {
      const place = { collection: textOf(row, "collection"), id: textOf(row, "id") };
      return [documentName({ ...from, ...place }), documentName({ ...fields, ...place })];
    },
  });
  for (const table of ["runs", "sessions", "messages", "documents", "document_keys", "document_vectors"]) {
    const values = [to.tenant, to.user, from.tenant, from.user];
    connection.run(`UPDATE ${table} SET tenant = ?, user_name = ? WHERE ${OWNED}`, ...values);
  }
  moveWords(connection, to);
  renameRequests(connection, (key) => toNewKey(key, from, to));
  return { runs, sessions, documents };
}

/** Removes all that an owner has. In a transaction. */
export function deleteOwner(connection: Connection, owner: Owner, now: number): void {
  checkIdle(connection, owner, now);
  const whose = [owner.tenant, owner.user];
  connection.run(`DELETE FROM claims WHERE ${CLAIMED}`, ...toClaimed(owner));
  for (const row of connection.all(`SELECT id FROM runs WHERE ${OWNED}`, ...whose)) {
    deleteRun(connection, textOf(row, "id"));
  }
  for (const table of ["sessions", "messages", "documents"]) {
    connection.run(`DELETE FROM ${table} WHERE ${OWNED}`, ...whose);
  }
  connection.run("DELETE FROM requests WHERE instr(key, ?) = 1", requestPrefix(owner));
}

/** Gives rows that were written before there were users to `local`; no process uses them. */
export function addOwners(connection: Connection): void {
  const { user } = LOCAL;
  const fields = { user };
  connection.run("DELETE FROM claims");
  reseal(connection, { table: "runs", columns: "id", fields, toNames: toRunName });
  for (const row of connection.all("SELECT id FROM runs")) {
    const id = textOf(row, "id");
    connection.run("UPDATE runs SET short_id = ? WHERE id = ?", toShortId(id), id);
  }
  const toSessionNames = (row: Row): Names => {
    const [tenant, id] = [textOf(row, "tenant"), textOf(row, "id")];
    return [`session:${tenant}:${id}`, sessionKey({ tenant, user }, id)];
  };
  reseal(connection, { table: "sessions", columns: "tenant, id", fields, toNames: toSessionNames });
  const toNames = (row: Row): Names => {
    const [tenant, session, run] = [textOf(row, "tenant"), textOf(row, "session"), textOf(row, "run")];
    return [`session:${tenant}:${session} run ${run}`, messagesName({ tenant, user }, session, run)];
  };
  reseal(connection, { table: "messages", columns: "tenant, session, run", toNames });
  const toKeyName = (row: Row): Names => [`key ${textOf(row, "id")}`, `key ${textOf(row, "id")}`];
  reseal(connection, { table: "keys", columns: "id", fields, toNames: toKeyName });
  renameRequests(connection, toOwnedKey);
}

/** What a row was sealed with, and what it is sealed with now. */
type Names = readonly [before: string, now: string];

/** Rows that are sealed again, with other fields in their records. */
interface Resealing {
  readonly table: "runs" | "sessions" | "messages" | "keys" | "documents";
  readonly columns: string;
  /** Whose rows; without it, all. */
  readonly of?: Owner;
  readonly toNames: (row: Row) => Names;
  readonly fields?: object;
}

/** Seals rows again; gives how many there are. */
function reseal(connection: Connection, { table, columns, of, toNames, fields }: Resealing): number {
  const where = of === undefined ? "" : `WHERE ${OWNED}`;
  const whose = of === undefined ? [] : [of.tenant, of.user];
  const numbers = connection.all(`SELECT rowid AS number FROM ${table} ${where}`, ...whose);
  for (const each of numbers) {
    const number = numberOf(each, "number");
    const row = connection.get(`SELECT ${columns}, ${SEALED} FROM ${table} WHERE rowid = ?`, number);
    if (row === undefined) continue;
    const [before, now] = toNames(row);
    const stored = orDamaged<string | undefined>(
      () => bodyOf(before, row),
      () => undefined,
    );
    if (stored === undefined) continue;
    const body = fields === undefined ? stored : withFields(stored, fields);
    const sql = `UPDATE ${table} SET body = ?, checksum = ? WHERE rowid = ?`;
    connection.run(sql, body, checksumOf(now, body), number);
  }
  return numbers.length;
}

function toRunName(row: Row): Names {
  const name = `run ${textOf(row, "id")}`;
  return [name, name];
}

/** Gives requests other keys, where there is another. */
function renameRequests(connection: Connection, toKey: (key: string) => string | undefined): void {
  for (const each of connection.all("SELECT key FROM requests")) {
    const before = textOf(each, "key");
    const key = toKey(before);
    const row = connection.get(`SELECT ${SEALED} FROM requests WHERE key = ?`, before);
    if (key === undefined || row === undefined) continue;
    const stored = orDamaged<string | undefined>(
      () => bodyOf(before, row),
      () => undefined,
    );
    if (stored === undefined) continue;
    const body = withFields(stored, { key });
    const sql = "UPDATE requests SET key = ?, body = ?, checksum = ? WHERE key = ?";
    connection.run(sql, key, body, checksumOf(key, body), before);
  }
}

function toClaimed(owner: Owner): readonly [string, string, string, string] {
  return [owner.tenant, owner.user, sessionPrefix(owner), requestPrefix(owner)];
}

function checkIdle(connection: Connection, from: Owner, now: number): void {
  const running = connection.get(`SELECT id FROM runs WHERE status = 'running' AND ${OWNED}`, from.tenant, from.user);
  if (running !== undefined) throw stillRunning(textOf(running, "id"));
  const sql = `SELECT key FROM claims JOIN leases USING (owner) WHERE ends_at > ? AND ${CLAIMED}`;
  const held = connection.get(sql, now, ...toClaimed(from));
  if (held !== undefined) throw inUse(textOf(held, "key"));
}

function checkNew(connection: Connection, from: Owner, to: Owner): void {
  const sql = `SELECT id FROM sessions WHERE ${OWNED} AND id IN (SELECT id FROM sessions WHERE ${OWNED})`;
  const twice = connection.get(sql, from.tenant, from.user, to.tenant, to.user);
  if (twice !== undefined) throw hasSession(textOf(twice, "id"));
  const same = `SELECT collection, id FROM documents WHERE ${OWNED}`;
  const both = connection.get(`${same} INTERSECT ${same}`, from.tenant, from.user, to.tenant, to.user);
  if (both !== undefined) throw hasDocument({ collection: textOf(both, "collection"), id: textOf(both, "id") });
}
