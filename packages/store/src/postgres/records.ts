/**
 * Records: definitions of crews and API keys.
 */
import { orDamaged, toDamagedKey } from "../damaged-record.ts";
import type { KeyRecord } from "../database.ts";
import type { Ask } from "./connection.ts";
import { parseName, seal, SEALED, type Sealed, sealRecord, toName, unseal, unsealRecord } from "./sealed.ts";

/** Keeps a definition under its hash, once. */
export async function saveDefinition(ask: Ask, hash: string, text: string): Promise<void> {
  const { body, checksum } = seal(`definition ${hash}`, text);
  const insert = "insert into baton_definitions (hash, body, checksum) values ($1, $2, $3) on conflict do nothing";
  await ask({ text: insert }, [toName(hash), body, checksum]);
}

/** The definition of a hash. */
export async function readDefinition(ask: Ask, hash: string): Promise<string | undefined> {
  const [row] = await ask<Sealed>({ text: `select ${SEALED} from baton_definitions where hash = $1` }, [toName(hash)]);
  return row && unseal(`definition ${hash}`, row);
}

/** Keeps a key. */
export async function addKey(ask: Ask, key: KeyRecord): Promise<void> {
  const { body, checksum } = sealRecord(`key ${key.id}`, key);
  const insert = "insert into baton_keys (id, body, checksum) values ($1, $2, $3)";
  await ask({ text: insert }, [toName(key.id), body, checksum]);
}

type Row = Sealed & { readonly id: string };

function toKey(row: Row): KeyRecord {
  const id = parseName(row.id);
  return orDamaged(
    () => unsealRecord(`key ${id}`, row, isKey),
    (error) => toDamagedKey(id, error),
  );
}

/** All keys in the order they were added. */
export async function findKeys(ask: Ask): Promise<readonly KeyRecord[]> {
  return (await ask<Row>({ text: `select id, ${SEALED} from baton_keys order by place` }, [])).map(toKey);
}

/** Revokes a key; false where there is none or it was revoked before. Of one that is damaged only that is kept. In a transaction. */
export async function revokeKey(ask: Ask, id: string, at: number): Promise<boolean> {
  const [row] = await ask<Row>({ text: `select id, ${SEALED} from baton_keys where id = $1 for update` }, [toName(id)]);
  if (row === undefined) return false;
  const { error, ...key } = toKey(row);
  if (error === undefined && key.revokedAt !== undefined) return false;
  const { body, checksum } = sealRecord(`key ${id}`, { ...key, revokedAt: at });
  await ask({ text: "update baton_keys set body = $2, checksum = $3 where id = $1" }, [toName(id), body, checksum]);
  return true;
}

/** Removes all keys; gives how many. */
export async function deleteKeys(ask: Ask): Promise<number> {
  return (await ask({ text: "delete from baton_keys returning 1" }, [])).length;
}

/** What was written was a record, and the checksum says that this is what was written. */
function isKey(value: unknown): value is KeyRecord {
  return typeof value === "object" && value !== null && "id" in value && "hash" in value;
}
