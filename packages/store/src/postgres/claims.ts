/**
 * Claims: who may write to what, and who lives; time is the server's.
 */
import type { Claim } from "../database.ts";
import type { Ask, Cell } from "./connection.ts";
import { toName } from "./sealed.ts";

/** A claim as its row, in the order of its columns. */
export function toClaimColumns({ key, owner, number }: Claim): readonly Cell[] {
  return [toName(key), toName(owner), number];
}

const RENEW = `
with forgotten as (
  delete from baton_leases where owner <> $1 and ends_at < clock_timestamp() - interval '1 day' returning owner
),
claims as (
  delete from baton_claims where owner = '' or owner in (select owner from forgotten)
)
insert into baton_leases (owner, ends_at)
values ($1, clock_timestamp() + $2::double precision * interval '1 millisecond')
on conflict (owner) do update set ends_at = excluded.ends_at
`;

/** Makes a process live for so long from now, and forgets those that died a day ago. */
export async function renew(ask: Ask, owner: string, leaseMs: number): Promise<void> {
  await ask({ text: RENEW }, [toName(owner), leaseMs]);
}

const CLAIM = `
insert into baton_claims (key, owner, number) values ($1, $2, $3)
on conflict (key) do update set owner = excluded.owner, number = excluded.number
  where not exists (
    select from baton_leases where baton_leases.owner = baton_claims.owner and ends_at > clock_timestamp()
  )
returning key
`;

/** Takes a claim that no living process holds; false where one does. */
export async function claim(ask: Ask, given: Claim): Promise<boolean> {
  return (await ask({ text: CLAIM }, toClaimColumns(given))).length > 0;
}

/** Gives a claim back. */
export async function release(ask: Ask, given: Claim): Promise<void> {
  await ask({ text: "delete from baton_claims where key = $1 and owner = $2 and number = $3" }, toClaimColumns(given));
}

const LEAVE = `
with lease as (delete from baton_leases where owner = $1)
delete from baton_claims where key in (select key from baton_claims where owner = $1 order by key for update)
`;

/** Ends a process's lease and all its claims. */
export async function leave(ask: Ask, owner: string): Promise<void> {
  await ask({ text: LEAVE }, [toName(owner)]);
}

/** Whether any process lives now. */
export async function isInUse(ask: Ask): Promise<boolean> {
  return (await ask({ text: "select 1 from baton_leases where ends_at > clock_timestamp() limit 1" }, [])).length > 0;
}
