/**
 * Postgres documents: a document is a row, beside it its keys; its words are a `tsvector` that is made here.
 *
 * Of two writers that have seen the same version one wins, by a condition on the row that it changes.
 */
import type { Document } from "@baton/core/ports";
import type { Database } from "../database.ts";
import { checkSeen, versionConflict, toDocument, toListedDocument } from "../documents/document-entry.ts";
import { toDueSearch } from "../documents/document-listing.ts";
import { toListSql } from "../documents/document-sql.ts";
import type { CollectionName, DocumentPlace, DocumentTable, DocumentEntry } from "../documents/document-table.ts";
import { DUE, MAX_RANKED } from "../documents/document-table.ts";
import type { VectorRow } from "../documents/unit-vector.ts";
import type { RunStatement, SqlCell, PostgresConnection } from "./connection.ts";
import { orNull, parseName, toName } from "./names.ts";
import { toWordQueryText, toVector } from "./word-vector.ts";

interface Row {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

type DueRow = Row & { readonly key: string; readonly tenant: string; readonly user_name: string };

const COLUMNS = `d.id, d.version::double precision as version, d.body`;
const NAMED = "d.tenant = $1 and d.user_name = $2 and d.collection = $3";
const THERE = "(d.expires_at is null or d.expires_at > $4)";
/** Expired documents that a write removes beyond the number that it writes. */
const REMOVED_AT_ONCE = 16;

const FIND = `select ${COLUMNS} from baton_documents d where ${NAMED} and ${THERE} and d.id = $5`;

const FIND_SOME = `select ${COLUMNS} from baton_documents d where ${NAMED} and ${THERE} and d.id = any($5::text[])`;

const SEARCH = `select id, version, body from (
  select ${COLUMNS}, d.words from baton_documents d where ${NAMED} and ${THERE} and d.words @@ $5::tsquery
  order by d.version desc limit ${MAX_RANKED}
) as matches order by ts_rank(words, $5::tsquery, 1) desc, id limit $6`;

const VECTORS = `select d.id, d.number::double precision as number, d.version::double precision as version, d.vector
from baton_documents d
where ${NAMED} and ${THERE} and d.number > $5 and d.vector is not null order by d.number limit $6`;

/** The name is written out, for its index has only keys of this name. */
const FIND_DUE = `select ${COLUMNS}, k.key, k.tenant, k.user_name
from baton_document_keys k join baton_documents d on d.number = k.document
where k.collection = $1 and k.name = '${DUE}' and k.key <= $2
  and (k.key, k.tenant, k.user_name, k.id) > ($3, $5, $6, $7) and ${THERE}
order by k.key, k.tenant, k.user_name, k.id limit $8`;

/** The columns from $6 on are those of an entry; $5 says whether a document may be there. */
const PUT = `insert into baton_documents as d (tenant, user_name, collection, id, session, expires_at, body, words, vector)
values ($1, $2, $3, $6, $7, $8, $9, $10::tsvector, $11)
on conflict (tenant, user_name, collection, id) do update set version = excluded.version, session = excluded.session,
  expires_at = excluded.expires_at, body = excluded.body, words = excluded.words, vector = excluded.vector
where $5::boolean or d.expires_at <= $4
returning number::text, version::double precision as version`;

/** $5 is the version that was seen. */
const UPDATE = `update baton_documents d set version = nextval('baton_document_versions'), session = $7, expires_at = $8,
  body = $9, words = $10::tsvector, vector = $11
where ${NAMED} and ${THERE} and d.version = $5 and d.id = $6
returning number::text, version::double precision as version`;

const PUT_KEYS = `insert into baton_document_keys (tenant, user_name, collection, document, id, name, key)
select $1, $2, $3, * from unnest($4::bigint[], $5::text[], $6::text[], $7::text[])`;

const DELETE_EXPIRED = `delete from baton_documents where number = any(array(
  select number from baton_documents where expires_at <= $1 order by expires_at limit $2 for update skip locked))`;

/** The documents of a database, and those that are due. */
export function postgresDocuments(
  connection: PostgresConnection,
  now: () => number,
): DocumentTable & Pick<Database, "due"> {
  const { ask, transaction } = connection;
  return {
    now,
    async find(place) {
      const row = await findRow(ask, place, now());
      return row && toDocument(place, row.version, row.body);
    },
    async findSome(name, ids) {
      const rows = await ask<Row>({ text: FIND_SOME }, [...toValues(name), now(), ids]);
      return rows.map((row) => toListed(name, row));
    },
    save: async (entries, at) => transaction((asked) => saveEntries(asked, entries, at)),
    remove: async (place, seen) =>
      transaction(async (asked) => {
        const [row] = await asked<Row>({ text: `${FIND} for update` }, [...toValues(place), now(), place.id]);
        checkSeen(place, seen, row?.version);
        if (row === undefined) return false;
        const text = `delete from baton_documents d where ${NAMED} and d.id = $4`;
        await asked({ text }, [...toValues(place), place.id]);
        return true;
      }),
    async list(name, listing) {
      const owned = { tenant: toName(name.tenant), user: toName(name.user), collection: name.collection };
      const { text, values } = toListSql({ prefix: "baton_", columns: COLUMNS }, owned, { ...listing, now: now() });
      let count = 0;
      const numbered = text.replaceAll("?", () => `$${++count}`);
      const rows = await ask<Row & { readonly key: string }>({ text: numbered }, values);
      return rows.map((row) => ({ key: row.key, document: toListed(name, row) }));
    },
    async search(name, { query, limit }) {
      const rows = await ask<Row>({ text: SEARCH }, [...toValues(name), now(), toWordQueryText(query), limit]);
      return rows.map((row) => toListed(name, row));
    },
    vectors: async (name, { after, limit }) =>
      ask<VectorRow>({ text: VECTORS }, [...toValues(name), now(), after, limit]),
    async due(collection, query) {
      const { upTo, after, limit } = toDueSearch(collection, query);
      const [key, tenant, user, id] = after;
      const values = [collection, upTo, key, now(), toName(tenant), toName(user), id, limit];
      const rows = await ask<DueRow>({ text: FIND_DUE }, values);
      return rows.map((row) => {
        const owner = { tenant: parseName(row.tenant), user: parseName(row.user_name) };
        return { owner, key: row.key, document: toListed({ ...owner, collection }, row) };
      });
    },
  };
}

/** Replaces the versions that their writers have read. All writers lock rows in the same order, so no two of them wait for each other. */
async function saveEntries(
  ask: RunStatement,
  entries: readonly DocumentEntry[],
  now: number,
): Promise<readonly Document[]> {
  const written = new Map<string, Document>();
  const numbers: [number: string, entry: DocumentEntry][] = [];
  for (const entry of entries.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const { number, version } = await saveEntry(ask, entry, now);
    numbers.push([number, entry]);
    written.set(entry.id, toDocument(entry, version, entry.body));
  }
  await saveKeys(ask, numbers);
  await ask({ text: DELETE_EXPIRED }, [now, entries.length + REMOVED_AT_ONCE]);
  return entries.flatMap(({ id }) => written.get(id) ?? []);
}

interface Saved {
  readonly number: string;
  readonly version: number;
}

/** Replaces the version of a document that its writer has read. */
async function saveEntry(ask: RunStatement, entry: DocumentEntry, now: number): Promise<Saved> {
  const { id, seen, session, expiresAt = null, body, words, vector = null } = entry;
  const columns = [id, orNull(session), expiresAt, body, words.length === 0 ? null : toVector(words), vector];
  const isUpdate = seen !== undefined && seen > 0;
  const condition = isUpdate ? seen : seen === undefined;
  const values = [...toValues(entry), now, condition, ...columns];
  const [saved] = await ask<Saved>({ text: isUpdate ? UPDATE : PUT }, values);
  if (saved !== undefined) return saved;
  throw versionConflict(entry, seen ?? 0, (await findRow(ask, entry, now))?.version);
}

async function saveKeys(
  ask: RunStatement,
  numbers: readonly (readonly [number: string, entry: DocumentEntry])[],
): Promise<void> {
  const [first] = numbers;
  if (first === undefined) return;
  const text = "delete from baton_document_keys where document = any($1::bigint[])";
  await ask({ text }, [numbers.map(([number]) => number)]);
  const rows = numbers.flatMap(([number, { id, keys }]) => keys.map(({ name, key }) => ({ number, id, name, key })));
  await ask({ text: PUT_KEYS }, [
    ...toValues(first[1]),
    rows.map(({ number }) => number),
    rows.map(({ id }) => id),
    rows.map(({ name }) => name),
    rows.map(({ key }) => key),
  ]);
}

async function findRow(ask: RunStatement, place: DocumentPlace, now: number): Promise<Row | undefined> {
  const [row] = await ask<Row>({ text: FIND }, [...toValues(place), now, place.id]);
  return row;
}

function toListed(name: CollectionName, { id, version, body }: Row): Document {
  return toListedDocument({ ...name, id }, version, body);
}

function toValues({ tenant, user, collection }: CollectionName): readonly SqlCell[] {
  return [toName(tenant), toName(user), collection];
}
