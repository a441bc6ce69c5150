/**
 * Inbox: commands that were posted to runs, until the logs say what came of them.
 */
import type { Inbox } from "../database.ts";
import { parseFate, toFateText } from "../stored-record.ts";
import { isHeld } from "./claims.ts";
import { textOf } from "./columns.ts";
import type { SqliteConnection } from "./connection.ts";
import { saveRequest } from "./keys.ts";

/** The inbox of a database. */
export function sqliteInbox(connection: SqliteConnection, now: () => number): Inbox {
  return {
    post: async ({ run, id, command, fate }, under) => {
      const sql = `INSERT INTO inbox (run, id, fate, command)
        SELECT id, ?, ?, ? FROM runs WHERE id = ? AND status <> 'ended'`;
      return connection.write(() => {
        if (under !== undefined && !isHeld(connection, under.claim)) return false;
        if (connection.run(sql, id, toFateText(fate), command, run) === 0) return false;
        if (under?.request !== undefined) saveRequest(connection, under.request, now());
        return true;
      });
    },
    list: async (run) => {
      const sql = "SELECT id, fate, command FROM inbox WHERE run = ? ORDER BY id";
      return connection
        .read(() => connection.all(sql, run))
        .map((row) => ({
          run,
          id: textOf(row, "id"),
          command: textOf(row, "command"),
          fate: parseFate(textOf(row, "fate")),
        }));
    },
    settle: async ({ run, id }, fate, claim) =>
      connection.write(() => {
        if (claim !== undefined && !isHeld(connection, claim)) return false;
        if (fate === "withdrawn") return removePosted(connection, run, id);
        const sql = "UPDATE inbox SET fate = ? WHERE run = ? AND id = ?";
        return connection.run(sql, toFateText(fate), run, id) > 0;
      }),
    unread: async () => {
      const sql = `SELECT DISTINCT run FROM inbox JOIN runs ON runs.id = run
        WHERE fate = 'sent' AND status <> 'ended' LIMIT 1000`;
      return connection.readShared(() => connection.all(sql)).map((row) => textOf(row, "run"));
    },
  };
}

/** Removes a command; false if it does not exist. */
export function removePosted(connection: SqliteConnection, run: string, id: string): boolean {
  return connection.run("DELETE FROM inbox WHERE run = ? AND id = ?", run, id) > 0;
}
