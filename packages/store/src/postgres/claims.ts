/**
 * Claims: which processes are alive, and what they own; time is the server's.
 */
import type { Claims } from "../database.ts";
import type { Claim } from "../record.ts";
import type { SqlCell, PostgresConnection } from "./connection.ts";
import { toName } from "./names.ts";

const RENEW = `
with forgotten as (
  delete from baton_leases where owner <> $1 and ends_at < clock_timestamp() - interval '1 day' returning owner
),
claims as (delete from baton_claims where owner in (select owner from forgotten))
insert into baton_leases (owner, ends_at)
values ($1, clock_timestamp() + $2::double precision * interval '1 millisecond')
on conflict (owner) do update set ends_at = excluded.ends_at
`;

const TAKE_OVER = `
insert into baton_claims (key, owner, number) values ($1, $2, $3)
on conflict (key) do update set owner = excluded.owner, number = excluded.number
`;

const TAKE = `${TAKE_OVER}
  where not exists (
    select from baton_leases where baton_leases.owner = baton_claims.owner and ends_at > clock_timestamp()
  )
returning key
`;

const LEAVE = `
with lease as (delete from baton_leases where owner = $1)
delete from baton_claims where key in (select key from baton_claims where owner = $1 order by key for update)
`;

/** The claims of a database. Those of a process whose lease expired a day ago are removed. */
export function postgresClaims({ ask }: PostgresConnection): Claims {
  return {
    async renew(owner, leaseMs) {
      await ask({ text: RENEW }, [toName(owner), leaseMs]);
    },
    take: async (claim) => (await ask({ text: TAKE }, toColumns(claim))).length > 0,
    async takeOver(claim) {
      await ask({ text: TAKE_OVER }, toColumns(claim));
    },
    async release(claim) {
      const text = "delete from baton_claims where key = $1 and owner = $2 and number = $3";
      await ask({ text }, toColumns(claim));
    },
    async leave(owner) {
      await ask({ text: LEAVE }, [toName(owner)]);
    },
    async isInUse() {
      const text = "select 1 from baton_leases where ends_at > clock_timestamp() limit 1";
      return (await ask({ text }, [])).length > 0;
    },
  };
}

function toColumns({ key, owner, number }: Claim): readonly SqlCell[] {
  return [toName(key), toName(owner), number];
}
