/**
 * Ownership: how rows change their owner: in a transfer, and when a store of an older Baton gets users; and how they go.
 *
 * The owner is part of what a row is sealed with, so each row is sealed again; one that is damaged stays damaged.
 */
import { requestPrefix, sessionPrefix } from "../claim-key.ts";
import { orDamaged } from "../damaged-record.ts";
import type { Transferred } from "../database.ts";
import { LOCAL, type Owner, ownerOf } from "../owner.ts";
import { documentName } from "../document-entry.ts";
import { hasDocument, hasSession, inUse, stillRunning } from "../refusal.ts";
import { toNewKey, toOwnedKey, withFields } from "../reowning.ts";
import { toShortId } from "../run-id.ts";
import type { Ask } from "./connection.ts";
import { FORGET, FORGET_ANSWERS } from "./runs.ts";
import { parseName, seal, SEALED, type Sealed, toName, unseal } from "./sealed.ts";
import { messagesName, sessionName } from "./sessions.ts";

/** How many rows are in memory at once. */
const PAGE = 500;

const OWNED_TABLES = [
  "baton_runs",
  "baton_sessions",
  "baton_messages",
  "baton_documents",
  "baton_document_keys",
] as const;

/** Claims on what an owner has. */
const CLAIMED = `(key in (select 'run:' || id from baton_runs where tenant = $1 and user_name = $2)
  or starts_with(key, $3) or starts_with(key, $4))`;

/** Who gives to whom, and when. */
interface Transfer {
  readonly from: Owner;
  readonly to: Owner;
  readonly now: number;
}

/** Gives all that one owner has to another. In a transaction; nothing is written under a claim meanwhile. */
export async function transfer(ask: Ask, { from, to, now }: Transfer): Promise<Transferred> {
  await deleteClaims(ask, from);
  await ask({ text: "delete from baton_documents where expires_at <= $1" }, [now]);
  await checkNew(ask, from, to);
  const of = from;
  const fields = ownerOf(to);
  const runs = await reseal(ask, { table: "baton_runs", columns: ["id"], of, fields, toNames: toRunNames });
  const sessions = await reseal(ask, {
    table: "baton_sessions",
    columns: ["id"],
    of,
    fields,
    toNames: ([id = ""]) => [sessionName(from, id), sessionName(to, id)],
  });
  await reseal(ask, {
    table: "baton_messages",
    columns: ["session", "run"],
    of,
    toNames: ([session = "", run = ""]) => [messagesName(from, session, run), messagesName(to, session, run)],
  });
  const documents = await reseal(ask, {
    table: "baton_documents",
    columns: ["collection", "id"],
    of,
    toNames: ([collection = "", id = ""]) => [
      documentName({ ...from, collection, id }),
      documentName({ ...to, collection, id }),
    ],
  });
  const values = [to.tenant, to.user, from.tenant, from.user].map(toName);
  for (const table of OWNED_TABLES) {
    const text = `update ${table} set tenant = $1, user_name = $2 where tenant = $3 and user_name = $4`;
    await ask({ text }, values);
  }
  await renameRequests(ask, (key) => toNewKey(key, from, to));
  return { runs, sessions, documents };
}

const DELETE = `
with gone as (delete from baton_runs where tenant = $1 and user_name = $2 returning id), ${FORGET}, ${FORGET_ANSWERS},
sessions as (delete from baton_sessions where tenant = $1 and user_name = $2),
messages as (delete from baton_messages where tenant = $1 and user_name = $2)
delete from baton_documents where tenant = $1 and user_name = $2
`;

/** Removes all that an owner has. In a transaction; nothing is written under a claim meanwhile. */
export async function deleteOwner(ask: Ask, owner: Owner): Promise<void> {
  await deleteClaims(ask, owner);
  await ask({ text: DELETE }, [toName(owner.tenant), toName(owner.user)]);
  await ask({ text: "delete from baton_requests where starts_with(key, $1)" }, [toName(requestPrefix(owner))]);
}

/** Removes the claims on all that an owner has, and keeps others from being made; throws if one is held. */
async function deleteClaims(ask: Ask, owner: Owner): Promise<void> {
  await ask({ text: "lock table baton_claims in exclusive mode" }, []);
  await checkIdle(ask, owner);
  await ask({ text: `delete from baton_claims where ${CLAIMED}` }, toClaimed(owner));
}

/** Gives rows that were written before there were users to `local`; no process uses them. */
export async function addOwners(ask: Ask): Promise<void> {
  const { user } = LOCAL;
  const fields = { user };
  await ask({ text: "delete from baton_claims" }, []);
  await reseal(ask, { table: "baton_runs", columns: ["id"], fields, toNames: toRunNames });
  await addShortIds(ask);
  await reseal(ask, {
    table: "baton_sessions",
    columns: ["tenant", "id"],
    fields,
    toNames: ([tenant = "", id = ""]) => [`session ${tenant} ${id}`, sessionName({ tenant, user }, id)],
  });
  await reseal(ask, {
    table: "baton_messages",
    columns: ["tenant", "session", "run"],
    toNames: ([tenant = "", session = "", run = ""]) => [
      `messages ${tenant} ${session} ${run}`,
      messagesName({ tenant, user }, session, run),
    ],
  });
  await reseal(ask, {
    table: "baton_keys",
    columns: ["id"],
    fields,
    toNames: ([id = ""]) => [`key ${id}`, `key ${id}`],
  });
  await renameRequests(ask, toOwnedKey);
}

/** What a row was sealed with, and what it is sealed with now. */
type Names = readonly [before: string, now: string];

/** Rows that are sealed again, with other fields in their records. */
interface Resealing {
  readonly table: "baton_runs" | "baton_sessions" | "baton_messages" | "baton_keys" | "baton_documents";
  readonly columns: readonly string[];
  /** Whose rows; without it, all. */
  readonly of?: Owner;
  readonly toNames: (columns: readonly string[]) => Names;
  readonly fields?: object;
}

type Row = Sealed & { readonly place: string; readonly names: readonly string[] };

/** Seals rows again; gives how many there are. */
async function reseal(ask: Ask, { table, columns, of, toNames, fields }: Resealing): Promise<number> {
  const where = of === undefined ? "" : "where tenant = $1 and user_name = $2";
  const whose = of === undefined ? [] : [toName(of.tenant), toName(of.user)];
  const names = `array[${columns.join(", ")}] as names`;
  const text = `declare rows cursor for select ctid::text as place, ${names}, ${SEALED} from ${table} ${where}`;
  await ask({ text }, whose);
  let count = 0;
  for (;;) {
    const rows = await ask<Row>({ text: `fetch ${PAGE} from rows` }, []);
    if (rows.length === 0) break;
    count += rows.length;
    const sealed = rows.flatMap((row) => {
      const [before, now] = toNames(row.names.map(parseName));
      const stored = orUndefined(() => unseal(before, row));
      if (stored === undefined) return [];
      return [{ ...seal(now, fields === undefined ? stored : withFields(stored, fields)), place: row.place }];
    });
    await ask({ text: `update ${table} as old set body = given.body, checksum = given.checksum ${GIVEN}` }, [
      sealed.map(({ place }) => place),
      sealed.map(({ body }) => body),
      sealed.map(({ checksum }) => checksum),
    ]);
  }
  await ask({ text: "close rows" }, []);
  return count;
}

const GIVEN = `from unnest($1::text[], $2::text[], $3::bigint[]) as given (place, body, checksum)
where old.ctid = given.place::tid`;

function toRunNames([id = ""]: readonly string[]): Names {
  return [`run ${id}`, `run ${id}`];
}

/** The short ids of runs that were written before runs were found by them. */
async function addShortIds(ask: Ask): Promise<void> {
  for (let last = ""; ;) {
    const text = `select id from baton_runs where id > $1 order by id limit ${PAGE}`;
    const ids = (await ask<{ readonly id: string }>({ text }, [last])).map(({ id }) => id);
    const end = ids.at(-1);
    if (end === undefined) return;
    const update = `update baton_runs set short_id = given.short_id
      from unnest($1::text[], $2::text[]) as given (id, short_id) where baton_runs.id = given.id`;
    await ask({ text: update }, [ids, ids.map((id) => toShortId(parseName(id)))]);
    last = end;
  }
}

/** Gives requests other keys, where there is another; few are kept, and not for long. */
async function renameRequests(ask: Ask, toKey: (key: string) => string | undefined): Promise<void> {
  const rows = await ask<Sealed & { readonly key: string }>({ text: `select key, ${SEALED} from baton_requests` }, []);
  for (const row of rows) {
    const before = parseName(row.key);
    const key = toKey(before);
    const stored = key === undefined ? undefined : orUndefined(() => unseal(before, row));
    if (key === undefined || stored === undefined) continue;
    const { body, checksum } = seal(key, withFields(stored, { key }));
    const text = "update baton_requests set key = $1, body = $2, checksum = $3 where key = $4";
    await ask({ text }, [toName(key), body, checksum, row.key]);
  }
}

function orUndefined(read: () => string): string | undefined {
  return orDamaged<string | undefined>(read, () => undefined);
}

function toClaimed(owner: Owner): readonly string[] {
  return [owner.tenant, owner.user, sessionPrefix(owner), requestPrefix(owner)].map(toName);
}

async function checkIdle(ask: Ask, from: Owner): Promise<void> {
  const text = "select id from baton_runs where status = 'running' and tenant = $1 and user_name = $2 limit 1";
  const [running] = await ask<{ readonly id: string }>({ text }, [toName(from.tenant), toName(from.user)]);
  if (running !== undefined) throw stillRunning(parseName(running.id));
  const claims = `select key from baton_claims join baton_leases using (owner)
    where ends_at > clock_timestamp() and ${CLAIMED} limit 1`;
  const [held] = await ask<{ readonly key: string }>({ text: claims }, toClaimed(from));
  if (held !== undefined) throw inUse(parseName(held.key));
}

async function checkNew(ask: Ask, from: Owner, to: Owner): Promise<void> {
  const text = `select id from baton_sessions where tenant = $1 and user_name = $2 and id in (
    select id from baton_sessions where tenant = $3 and user_name = $4) limit 1`;
  const values = [from.tenant, from.user, to.tenant, to.user].map(toName);
  const [twice] = await ask<{ readonly id: string }>({ text }, values);
  if (twice !== undefined) throw hasSession(parseName(twice.id));
  const same = `select collection, id from baton_documents where tenant = $1 and user_name = $2 intersect
    select collection, id from baton_documents where tenant = $3 and user_name = $4 limit 1`;
  const [both] = await ask<{ readonly collection: string; readonly id: string }>({ text: same }, values);
  if (both !== undefined) throw hasDocument(both);
}
