/**
 * Owners: how everything that one owner has becomes another's, and how it is removed.
 */
import { requestPrefix, runKey, sessionPrefix } from "../claim-key.ts";
import type { Owners } from "../database.ts";
import type { Owner } from "../owner.ts";
import type { TransferCounts } from "../record.ts";
import { ownerHasItError, inUseError, stillRunningError } from "../store-errors.ts";
import { textOf } from "./columns.ts";
import type { SqliteConnection } from "./connection.ts";
import { deleteRun } from "./runs.ts";
import { moveRunTexts } from "./run-texts.ts";
import { deleteExpired, moveWords } from "./sqlite-documents.ts";

const OWNED = "tenant = ? AND user_name = ?";

/** Claims on what an owner has. */
const CLAIMED = `(key IN (SELECT '${runKey("")}' || id FROM runs WHERE ${OWNED})
  OR instr(key, ?) = 1 OR instr(key, ?) = 1)`;

/** The owners of a database. */
export function sqliteOwners(connection: SqliteConnection, now: () => number): Owners {
  return {
    transfer: async (from, to) =>
      connection.write(() => {
        deleteClaims(connection, from, now());
        deleteExpired(connection, now());
        return transfer(connection, from, to);
      }),
    delete: async (owner) =>
      connection.write(() => {
        deleteClaims(connection, owner, now());
        deleteOwner(connection, owner);
      }),
  };
}

function transfer(connection: SqliteConnection, from: Owner, to: Owner): TransferCounts {
  checkNew(connection, from, to);
  const move = (table: string): number =>
    connection.run(
      `UPDATE ${table} SET tenant = ?, user_name = ? WHERE ${OWNED}`,
      to.tenant,
      to.user,
      from.tenant,
      from.user,
    );
  const moved = { runs: move("runs"), sessions: move("sessions"), documents: move("documents") };
  for (const table of ["messages", "document_keys", "document_vectors", "feedback"]) move(table);
  moveWords(connection, to);
  moveRunTexts(connection, from, to);
  const prefix = requestPrefix(from);
  const rename = "UPDATE requests SET key = ? || substr(key, length(?) + 1) WHERE instr(key, ?) = 1";
  connection.run(rename, requestPrefix(to), prefix, prefix);
  return moved;
}

function deleteOwner(connection: SqliteConnection, owner: Owner): void {
  const whose = [owner.tenant, owner.user];
  for (const row of connection.all(`SELECT id FROM runs WHERE ${OWNED}`, ...whose)) {
    deleteRun(connection, textOf(row, "id"));
  }
  for (const table of ["sessions", "messages", "documents", "feedback"]) {
    connection.run(`DELETE FROM ${table} WHERE ${OWNED}`, ...whose);
  }
  connection.run("DELETE FROM requests WHERE instr(key, ?) = 1", requestPrefix(owner));
}

/** Removes the claims on all that an owner has; throws if a live process owns one of them or a run is running. */
function deleteClaims(connection: SqliteConnection, owner: Owner, now: number): void {
  const { tenant, user } = owner;
  const running = connection.get(`SELECT id FROM runs WHERE status = 'running' AND ${OWNED}`, tenant, user);
  if (running !== undefined) throw stillRunningError(textOf(running, "id"));
  const claimed = [tenant, user, sessionPrefix(owner), requestPrefix(owner)];
  const sql = `SELECT key FROM claims JOIN leases USING (owner) WHERE ends_at > ? AND ${CLAIMED}`;
  const held = connection.get(sql, now, ...claimed);
  if (held !== undefined) throw inUseError(textOf(held, "key"));
  connection.run(`DELETE FROM claims WHERE ${CLAIMED}`, ...claimed);
}

function checkNew(connection: SqliteConnection, from: Owner, to: Owner): void {
  const owners = [from.tenant, from.user, to.tenant, to.user];
  const sql = `SELECT id FROM sessions WHERE ${OWNED} AND id IN (SELECT id FROM sessions WHERE ${OWNED})`;
  const twice = connection.get(sql, ...owners);
  if (twice !== undefined) throw ownerHasItError(`session ${textOf(twice, "id")}`);
  const same = `SELECT collection, id FROM documents WHERE ${OWNED}`;
  const both = connection.get(`${same} INTERSECT ${same}`, ...owners);
  if (both !== undefined) throw ownerHasItError(`document ${textOf(both, "collection")}/${textOf(both, "id")}`);
}
