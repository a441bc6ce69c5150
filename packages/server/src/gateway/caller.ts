/**
 * Caller: who a request comes from, by its key or by the login of the program that embeds the server.
 */
import { LOCAL } from "@baton/store";
import { type CallerIdentity, type KeyScope, SCOPES } from "./keys.ts";
import { Problem } from "./problem.ts";

/** The caller as a program names it. */
export interface NamedCaller {
  /** Default `local`. */
  readonly tenant?: string;
  readonly user: string;
  /** Default `run` and `read`. */
  readonly scopes?: readonly KeyScope[];
}

/** Names the caller of a request; undefined refuses it with 401. */
export type Identify = (request: Request) => NamedCaller | undefined | Promise<NamedCaller | undefined>;

/**
 * Names the caller of one route by other credentials than a key; undefined leaves it to the keys, `refused` is a 401 and
 * `missing_scope` a 403.
 */
export type IdentifyByToken = (
  authorization: string | undefined,
) => Promise<NamedCaller | "refused" | "missing_scope" | undefined>;

const DEFAULT_SCOPES: readonly KeyScope[] = ["run", "read"];
/** No id of a key has a colon. */
const PREFIX = "user:";

/** The caller that the program names. Throws a `Problem` if there is none. */
export async function identifyBy(identify: Identify, request: Request): Promise<CallerIdentity> {
  const named = await identify(request);
  if (named === undefined) {
    throw new Problem("invalid_api_key", "You are not logged in: the program that serves this does not know you.", {
      headers: { "WWW-Authenticate": 'Bearer realm="baton"' },
    });
  }
  const { tenant = LOCAL.tenant, user, scopes = DEFAULT_SCOPES } = named;
  if (typeof user !== "string" || user === "") throw new TypeError("`identify` must return a `user`, a text");
  const known = SCOPES.filter((scope) => scopes.includes(scope));
  return { tenant, user, key: `${PREFIX}${user}`, plan: "free", scopes: known };
}

/** Whether a caller was named by the program, so that no key can be revoked. */
export function isNamedCaller(key: string): boolean {
  return key.startsWith(PREFIX);
}
