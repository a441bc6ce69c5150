/**
 * Claim key: what a claim is called, for databases that must know which claim a run comes under.
 *
 * Different owners have different keys, whatever characters their names have.
 */
import type { Owner } from "./owner.ts";

/** The key of the claim on a run of its own. */
export const runKey = (id: string): string => `run:${id}`;

/** The key of the claim on a session and all its runs. */
export const sessionKey = (owner: Owner, id: string): string => `${sessionPrefix(owner)}${id}`;

/** Prefix of the keys of all sessions of an owner. */
export const sessionPrefix = ({ tenant, user }: Owner): string => `session:${toPart(tenant)}:${toPart(user)}:`;

/** The key of the claim on a request, by what its client calls it, which may be any text. */
export const requestKey = (owner: Owner, name: string): string => `${requestPrefix(owner)}${JSON.stringify(name)}]`;

/** Prefix of the keys of all requests of an owner. */
export const requestPrefix = ({ tenant, user }: Owner): string =>
  `request:[${JSON.stringify(tenant)},${JSON.stringify(user)},`;

/** The same as SQL, of the columns of a run `r`; both databases understand it. */
export const SESSION_KEY = `'session:' || ${toSqlPart("r.tenant")} || ':' || ${toSqlPart("r.user_name")} || ':' || r.session`;

function toPart(name: string): string {
  return name.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function toSqlPart(column: string): string {
  return `replace(replace(${column}, '%', '%25'), ':', '%3A')`;
}
