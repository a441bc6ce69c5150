/**
 * Service URLs: whether a text can be the address of a Redis or of a Qdrant; asked without loading what speaks to them.
 */

/** Valid prefixes of Qdrant's collections. */
const PREFIX = /^[a-zA-Z0-9_-]{1,64}$/;
const DATABASE = /^\/?\d{0,4}$/;

/** `redis://user:password@host:6379/0`, or `rediss://`. */
export function isRedisUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return ["redis:", "rediss:"].includes(protocol) && hostname !== "" && DATABASE.test(pathname);
}

/** `http://host:6333`, or `https://`; `?prefix=NAME` says what its collections begin with. */
export function isQdrantUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, searchParams } = new URL(url);
  const prefix = searchParams.get("prefix");
  return ["http:", "https:"].includes(protocol) && (prefix === null || PREFIX.test(prefix));
}
