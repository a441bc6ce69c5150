/**
 * Owners: how everything that one owner has becomes another's, and how it is removed.
 */
import { requestPrefix, sessionPrefix } from "../claim-key.ts";
import type { Owners } from "../database.ts";
import type { Owner } from "../owner.ts";
import type { TransferCounts } from "../record.ts";
import { ownerHasItError, inUseError, stillRunningError } from "../store-errors.ts";
import type { RunStatement, PostgresConnection } from "./connection.ts";
import { parseName, toName } from "./names.ts";
import { FORGET, FORGET_ANSWERS } from "./runs.ts";

const OWNED = "tenant = $1 and user_name = $2";

/** Claims on what an owner has. */
const CLAIMED = `(key in (select 'run:' || id from baton_runs where ${OWNED})
  or starts_with(key, $3) or starts_with(key, $4))`;

const DELETE = `
with gone as (delete from baton_runs where ${OWNED} returning id), ${FORGET}, ${FORGET_ANSWERS},
sessions as (delete from baton_sessions where ${OWNED}),
messages as (delete from baton_messages where ${OWNED}),
judgements as (delete from baton_feedback where ${OWNED})
delete from baton_documents where ${OWNED}
`;

/** The owners of a database. */
export function postgresOwners({ transaction }: PostgresConnection, now: () => number): Owners {
  return {
    transfer: async (from, to) =>
      transaction(async (ask) => {
        await deleteClaims(ask, from);
        await ask({ text: "delete from baton_documents where expires_at <= $1" }, [now()]);
        return transfer(ask, from, to);
      }),
    delete: async (owner) =>
      transaction(async (ask) => {
        await deleteClaims(ask, owner);
        await ask({ text: DELETE }, [toName(owner.tenant), toName(owner.user)]);
        await ask({ text: "delete from baton_requests where starts_with(key, $1)" }, [toName(requestPrefix(owner))]);
      }),
  };
}

async function transfer(ask: RunStatement, from: Owner, to: Owner): Promise<TransferCounts> {
  await checkNew(ask, from, to);
  const owners = [from.tenant, from.user, to.tenant, to.user].map(toName);
  const move = async (table: string): Promise<number> => {
    const text = `with moved as (update baton_${table} set tenant = $3, user_name = $4 where ${OWNED} returning 1)
      select count(*)::integer as count from moved`;
    return (await ask<{ readonly count: number }>({ text }, owners))[0]?.count ?? 0;
  };
  for (const table of ["messages", "document_keys", "feedback"]) await move(table);
  const moved = { runs: await move("runs"), sessions: await move("sessions"), documents: await move("documents") };
  const rename = "update baton_requests set key = $2 || substr(key, length($1) + 1) where starts_with(key, $1)";
  await ask({ text: rename }, [toName(requestPrefix(from)), toName(requestPrefix(to))]);
  return moved;
}

/** Removes the claims on all that an owner has, and keeps others from being taken until the end of the transaction. */
async function deleteClaims(ask: RunStatement, owner: Owner): Promise<void> {
  await ask({ text: "lock table baton_claims in exclusive mode" }, []);
  const whose = [toName(owner.tenant), toName(owner.user)];
  const text = `select id from baton_runs where status = 'running' and ${OWNED} limit 1`;
  const [running] = await ask<{ readonly id: string }>({ text }, whose);
  if (running !== undefined) throw stillRunningError(parseName(running.id));
  const claimed = [...whose, toName(sessionPrefix(owner)), toName(requestPrefix(owner))];
  const alive = `select key from baton_claims join baton_leases using (owner)
    where ends_at > clock_timestamp() and ${CLAIMED} limit 1`;
  const [held] = await ask<{ readonly key: string }>({ text: alive }, claimed);
  if (held !== undefined) throw inUseError(parseName(held.key));
  await ask({ text: `delete from baton_claims where ${CLAIMED}` }, claimed);
}

async function checkNew(ask: RunStatement, from: Owner, to: Owner): Promise<void> {
  const text = `select id from baton_sessions where ${OWNED} and id in (
    select id from baton_sessions where tenant = $3 and user_name = $4) limit 1`;
  const owners = [from.tenant, from.user, to.tenant, to.user].map(toName);
  const [twice] = await ask<{ readonly id: string }>({ text }, owners);
  if (twice !== undefined) throw ownerHasItError(`session ${parseName(twice.id)}`);
  const same = `select collection, id from baton_documents where ${OWNED} intersect
    select collection, id from baton_documents where tenant = $3 and user_name = $4 limit 1`;
  const [both] = await ask<{ readonly collection: string; readonly id: string }>({ text: same }, owners);
  if (both !== undefined) throw ownerHasItError(`document ${both.collection}/${both.id}`);
}
