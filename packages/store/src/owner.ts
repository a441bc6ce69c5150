/**
 * Owner: whose runs, sessions and requests these are. Ids of sessions are unique within one owner.
 */

/** A user of a tenant. */
export interface Owner {
  readonly tenant: string;
  readonly user: string;
}

/** The owner of everything while there are no keys. */
export const LOCAL: Owner = Object.freeze({ tenant: "local", user: "local" });

/** The owner of a record, without the rest of it. */
export function ownerOf({ tenant, user }: Owner): Owner {
  return { tenant, user };
}

/** Whether two owners are the same. */
export function isSameOwner(one: Owner, other: Owner): boolean {
  return one.tenant === other.tenant && one.user === other.user;
}
