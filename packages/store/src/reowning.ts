/**
 * Reowning: what a stored record and the key of a request become when they change their owner.
 */
import { requestKey, requestPrefix } from "./claim-key.ts";
import { LOCAL, type Owner } from "./owner.ts";

const REQUEST = "request:";

/** A record's JSON text with other fields. */
export function withFields(body: string, fields: object): string {
  const record: unknown = JSON.parse(body);
  return JSON.stringify(typeof record === "object" ? { ...record, ...fields } : record);
}

/** The key of a request under its new owner; undefined where it is somebody else's. */
export function toNewKey(key: string, from: Owner, to: Owner): string | undefined {
  const prefix = requestPrefix(from);
  return key.startsWith(prefix) ? requestPrefix(to) + key.slice(prefix.length) : undefined;
}

/** The key of a request that was kept before there were users: it belongs to `local`. */
export function toOwnedKey(key: string): string | undefined {
  const parts: unknown = key.startsWith(REQUEST) ? JSON.parse(key.slice(REQUEST.length)) : undefined;
  if (!Array.isArray(parts) || parts.length !== 2) return undefined;
  const [tenant, name] = parts.map(String);
  return tenant === undefined || name === undefined ? undefined : requestKey({ tenant, user: LOCAL.user }, name);
}
