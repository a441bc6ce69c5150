/**
 * Keys: API keys, as their hashes; definitions of crews; and requests, which expire by the clock of the process.
 */
import type { Definitions, Keys, Requests } from "../database.ts";
import type { KeyRecord } from "../record.ts";
import { toListedKey, toRequest } from "../stored-record.ts";
import type { PostgresConnection } from "./connection.ts";
import { parseName, toName } from "./names.ts";

type Row = Readonly<Record<"id" | "body", string>>;

/** The keys of a database. */
export function postgresKeys({ ask, transaction }: PostgresConnection): Keys {
  return {
    async add(key) {
      await ask({ text: "insert into baton_keys (id, body) values ($1, $2)" }, [toName(key.id), JSON.stringify(key)]);
    },
    list: async () => (await ask<Row>({ text: "select id, body from baton_keys order by place" }, [])).map(toKey),
    /** Of a damaged key only the revocation is stored. */
    revoke: async (id, at) =>
      transaction(async (asked) => {
        const text = "select id, body from baton_keys where id = $1 for update";
        const [row] = await asked<Row>({ text }, [toName(id)]);
        if (row === undefined) return false;
        const { error, ...key } = toKey(row);
        if (error === undefined && key.revokedAt !== undefined) return false;
        const body = JSON.stringify({ ...key, revokedAt: at });
        await asked({ text: "update baton_keys set body = $2 where id = $1" }, [toName(id), body]);
        return true;
      }),
    deleteAll: async () => (await ask({ text: "delete from baton_keys returning 1" }, [])).length,
  };
}

/** The definitions of a database. */
export function postgresDefinitions({ ask }: PostgresConnection): Definitions {
  return {
    async save(hash, body) {
      const text = "insert into baton_definitions (hash, body) values ($1, $2) on conflict do nothing";
      await ask({ text }, [toName(hash), body]);
    },
    async find(hash) {
      const text = "select body from baton_definitions where hash = $1";
      return (await ask<Pick<Row, "body">>({ text }, [toName(hash)]))[0]?.body;
    },
  };
}

/** The requests of a database that are carried out once. */
export function postgresRequests({ ask }: PostgresConnection, now: () => number): Requests {
  return {
    async find(key) {
      const text = "select body from baton_requests where key = $1 and kept_until > $2";
      const [row] = await ask<Pick<Row, "body">>({ text }, [toName(key), now()]);
      return row && toRequest(key, row.body);
    },
  };
}

function toKey({ id, body }: Row): KeyRecord {
  return toListedKey(parseName(id), body);
}
