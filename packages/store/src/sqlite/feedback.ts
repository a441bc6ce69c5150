/**
 * Feedback: judgements of users on runs.
 */
import type { Feedback } from "../database.ts";
import type { FeedbackRecord } from "../record.ts";
import { numberOf, textOf } from "./columns.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";

const SAVE = `INSERT INTO feedback (run, tenant, user_name, rating, comment, at)
  SELECT id, ?, ?, ?, ?, ? FROM runs WHERE id = ?
  ON CONFLICT (run, tenant, user_name) DO UPDATE SET rating = excluded.rating, comment = excluded.comment, at = excluded.at`;

/** The feedback of a database. */
export function sqliteFeedback(connection: SqliteConnection): Feedback {
  return {
    save: async (run, { tenant, user, rating, comment = null, at }) =>
      connection.write(() => connection.run(SAVE, tenant, user, rating, comment, at, run) > 0),
    delete: async (run, { tenant, user }) => {
      const sql = "DELETE FROM feedback WHERE run = ? AND tenant = ? AND user_name = ?";
      return connection.write(() => connection.run(sql, run, tenant, user) > 0);
    },
    list: async (runs) => connection.read(() => findFeedback(connection, runs)),
  };
}

function findFeedback(
  connection: SqliteConnection,
  runs: readonly string[],
): ReadonlyMap<string, readonly FeedbackRecord[]> {
  const rows = connection.all(
    `SELECT run, tenant, user_name, rating, comment, at FROM feedback
      WHERE run IN (SELECT value FROM json_each(?)) ORDER BY at`,
    JSON.stringify(runs),
  );
  const byRun = Map.groupBy(rows, (row) => textOf(row, "run"));
  return new Map(Array.from(byRun, ([run, own]) => [run, own.map(toFeedback)]));
}

function toFeedback(row: SqliteRow): FeedbackRecord {
  const { comment } = row;
  return {
    tenant: textOf(row, "tenant"),
    user: textOf(row, "user_name"),
    rating: row["rating"] === "up" ? "up" : "down",
    ...(typeof comment === "string" ? { comment } : {}),
    at: numberOf(row, "at"),
  };
}
