/**
 * Feedback: judgements of users on runs.
 */
import type { Feedback } from "../database.ts";
import type { FeedbackRecord } from "../record.ts";
import type { PostgresConnection } from "./connection.ts";
import { orNull, parseName, toName } from "./names.ts";

const SAVE = `
insert into baton_feedback (run, tenant, user_name, rating, comment, at)
  select id, $2, $3, $4, $5, $6 from baton_runs where id = $1
on conflict (run, tenant, user_name) do update set rating = excluded.rating, comment = excluded.comment, at = excluded.at
returning run
`;

const DELETE = "delete from baton_feedback where run = $1 and tenant = $2 and user_name = $3 returning run";

const LIST = "select run, tenant, user_name, rating, comment, at from baton_feedback where run = any($1) order by at";

interface Row {
  readonly run: string;
  readonly tenant: string;
  readonly user_name: string;
  readonly rating: string;
  readonly comment: string | null;
  readonly at: number;
}

/** The feedback of a database. */
export function postgresFeedback({ ask }: PostgresConnection): Feedback {
  return {
    async save(run, { tenant, user, rating, comment, at }) {
      const values = [toName(run), toName(tenant), toName(user), rating, orNull(comment), at];
      return (await ask({ text: SAVE }, values)).length > 0;
    },
    delete: async (run, { tenant, user }) => (await ask({ text: DELETE }, [run, tenant, user].map(toName))).length > 0,
    async list(runs) {
      const byRun = Map.groupBy(await ask<Row>({ text: LIST }, [runs.map(toName)]), (row) => parseName(row.run));
      return new Map(Array.from(byRun, ([run, rows]) => [run, rows.map(toFeedback)]));
    },
  };
}

function toFeedback({ tenant, user_name: user, rating, comment, at }: Row): FeedbackRecord {
  return {
    tenant: parseName(tenant),
    user: parseName(user),
    rating: rating === "up" ? "up" : "down",
    ...(comment === null ? {} : { comment: parseName(comment) }),
    at,
  };
}
