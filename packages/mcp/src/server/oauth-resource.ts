/**
 * OAuth resource: takes the tokens of an authorization server, checked by its published keys.
 *
 * A token is used to name the caller and for nothing else: it is passed on to no other service.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { IdentifyByToken } from "@baton/server/mount";
import { z } from "zod";
import { readBody } from "../client/sign-in/safe-fetch.ts";

/** The authorization server and the resource. */
export interface OauthOptions {
  readonly issuer: string;
  /** The audience that tokens must have: the address of `/mcp`. */
  readonly resource: string;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Milliseconds since 1970. Default: the platform's. */
  readonly now?: () => number;
}

const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 10_000;
const KEYS_MS = 600_000;
/** An unknown key is looked for at most this often. */
const RETRY_MS = 30_000;
const SKEW_SECONDS = 60;
const HASHES = { RS256: "RSA-SHA256", ES256: "SHA256" } as const;

const HEAD = z.object({ alg: z.enum(["RS256", "ES256"]), kid: z.string().optional() });
const CLAIMS = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
  sub: z.string().min(1).max(128),
  scope: z.string().optional(),
  tenant: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{1,128}$/)
    .optional(),
});
const JWK = z.looseObject({ kid: z.string().optional(), kty: z.enum(["RSA", "EC"]), use: z.string().optional() });
const JWKS = z.object({ keys: z.array(z.unknown()).max(100) });
const METADATA = z.object({ issuer: z.string(), jwks_uri: z.url() });

type Keys = ReadonlyMap<string, KeyObject>;

/** A resource that is protected by one authorization server. */
export class OauthResource {
  static readonly SCOPE = "baton:run";
  readonly #options: Required<OauthOptions>;
  #keys: Readonly<{ at: number; keys: Promise<Keys> }> | undefined;

  constructor({ fetch: own = fetch, now = Date.now, ...options }: OauthOptions) {
    this.#options = { ...options, fetch: own, now };
  }

  /** The metadata of the resource (RFC 9728). */
  get metadata() {
    const { resource, issuer } = this.#options;
    return {
      resource,
      authorization_servers: [issuer],
      scopes_supported: [OauthResource.SCOPE],
      bearer_methods_supported: ["header"],
    };
  }

  /** Names the caller with this token. An API key is left to the server. */
  async identify(authorization: string | undefined): ReturnType<IdentifyByToken> {
    const token = authorization?.trim().replace(/^bearer +/i, "");
    if (token?.startsWith("bt_") === true) return undefined;
    const claims = token === undefined ? undefined : await this.#check(token).catch(() => undefined);
    if (claims === undefined) return "refused";
    const { sub: user, scope = "", tenant } = claims;
    if (!scope.split(" ").includes(OauthResource.SCOPE)) return "missing_scope";
    return { user, scopes: ["run", "read"], ...(tenant === undefined ? {} : { tenant }) };
  }

  async #check(token: string): Promise<z.output<typeof CLAIMS> | undefined> {
    const [head = "", body = "", signature = "", ...others] = token.split(".");
    if (others.length > 0 || token.length > MAX_BYTES) return undefined;
    const { alg, kid = "" } = HEAD.parse(decode(head));
    const key = await this.#find(kid);
    const isOfKind = key?.asymmetricKeyType === (alg === "RS256" ? "rsa" : "ec");
    if (key === undefined || !isOfKind) return undefined;
    const by = { key, dsaEncoding: "ieee-p1363" } as const;
    if (!verify(HASHES[alg], Buffer.from(`${head}.${body}`), by, Buffer.from(signature, "base64url"))) return undefined;
    const claims = CLAIMS.parse(decode(body));
    const { issuer, resource, now } = this.#options;
    const seconds = now() / 1_000;
    const isFor = [claims.aud].flat().includes(resource);
    const isNow = claims.exp > seconds - SKEW_SECONDS && (claims.nbf ?? 0) < seconds + SKEW_SECONDS;
    return claims.iss === issuer && isFor && isNow ? claims : undefined;
  }

  async #find(kid: string): Promise<KeyObject | undefined> {
    const { now } = this.#options;
    const isOld = this.#keys === undefined || now() - this.#keys.at > KEYS_MS;
    const known = isOld ? undefined : (await this.#keys?.keys)?.get(kid);
    if (known !== undefined) return known;
    if (isOld || now() - (this.#keys?.at ?? 0) > RETRY_MS) this.#keys = { at: now(), keys: this.#load() };
    try {
      return (await this.#keys?.keys)?.get(kid);
    } catch (error) {
      this.#keys = undefined;
      throw error;
    }
  }

  async #load(): Promise<Keys> {
    const { issuer } = this.#options;
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/+$/, "");
    const metadata = await this.#get(`${origin}/.well-known/oauth-authorization-server${path}`).catch(() =>
      this.#get(`${origin}${path}/.well-known/openid-configuration`),
    );
    const { jwks_uri, issuer: named } = METADATA.parse(metadata);
    if (named !== issuer) throw new TypeError(`the metadata of ${issuer} names another issuer`);
    const { keys } = JWKS.parse(await this.#get(jwks_uri));
    return new Map(keys.flatMap(toKey));
  }

  async #get(url: string): Promise<unknown> {
    const answer = await this.#options.fetch(url, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new TypeError(`${url} answered ${answer.status}`);
    return JSON.parse((await readBody(answer)).toString());
  }
}

/** The key with its id; nothing if it is for another use, or of a kind that is not known. */
function toKey(value: unknown): readonly (readonly [string, KeyObject])[] {
  const { data } = JWK.safeParse(value);
  if (data === undefined || data.use === "enc") return [];
  try {
    return [[data.kid ?? "", createPublicKey({ key: { ...data }, format: "jwk" })]];
  } catch {
    return [];
  }
}

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
