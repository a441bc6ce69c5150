/**
 * Inbox table: commands on their way to runs, until the logs of those say what came of them.
 */
import type { Posted } from "../database.ts";
import { parseFate, toFateText } from "../posted-fate.ts";
import type { Connection } from "./connection.ts";
import { textOf } from "./sealed.ts";

/** Keeps a command for a run that has not ended; false if there is no such run. */
export function post(connection: Connection, { run, id, command, fate }: Posted): boolean {
  const row = connection.get(
    `INSERT INTO inbox (run, id, fate, command) SELECT id, ?, ?, ? FROM runs WHERE id = ? AND status <> 'ended'
      RETURNING run`,
    id,
    toFateText(fate),
    command,
    run,
  );
  return row !== undefined;
}

/** The commands of a run, by their ids. */
export function findPosted(connection: Connection, run: string): readonly Posted[] {
  return connection.all("SELECT id, fate, command FROM inbox WHERE run = ? ORDER BY id", run).map((row) => ({
    run,
    id: textOf(row, "id"),
    command: textOf(row, "command"),
    fate: parseFate(textOf(row, "fate")),
  }));
}

/** Changes the fate of a command; false if it is not there. */
export function changeFate(connection: Connection, { run, id }: Pick<Posted, "run" | "id">, fate: string): boolean {
  const row = connection.get("UPDATE inbox SET fate = ? WHERE run = ? AND id = ? RETURNING id", fate, run, id);
  return row !== undefined;
}

/** Removes a command; false if it is not there. */
export function removePosted(connection: Connection, { run, id }: Pick<Posted, "run" | "id">): boolean {
  return connection.get("DELETE FROM inbox WHERE run = ? AND id = ? RETURNING id", run, id) !== undefined;
}

/** Runs with commands that their owners have not seen. */
export function findUnread(connection: Connection): readonly string[] {
  const rows = connection.all("SELECT DISTINCT run FROM inbox WHERE fate = 'sent' LIMIT 1000");
  return rows.map((row) => textOf(row, "run"));
}
