/**
 * Requests: those that are carried out once; the process's clock says when they expire.
 */
import type { Requests } from "../database.ts";
import { toRequest } from "../stored-record.ts";
import type { Connection } from "./connection.ts";
import { toName } from "./names.ts";

/** The requests of a database. */
export function requestsIn({ ask }: Connection, now: () => number): Requests {
  return {
    async find(key) {
      const text = "select body from baton_requests where key = $1 and kept_until > $2";
      const [row] = await ask<{ readonly body: string }>({ text }, [toName(key), now()]);
      return row && toRequest(key, row.body);
    },
  };
}
