/**
 * Token store: tokens, clients and open sign-ins of one user at one server, encrypted in the user's documents.
 *
 * They are read and written as one document, so that a sign-in and a refresh at the same time lose nothing.
 */
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { isSpecType, type OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { z } from "zod";
import { isObject } from "../json-rpc.ts";
import type { SecretBox } from "./secret-box.ts";

const COLLECTION = "mcp-tokens";
const MAX_TRIES = 5;
const MAX_PENDING = 10;
const PENDING_MS = 600_000;

/** Whether a value is what the SDK found out about an authorization server. */
function isDiscovery(value: unknown): boolean {
  if (!isObject(value) || typeof value["authorizationServerUrl"] !== "string") return false;
  const { resourceMetadata: resource, authorizationServerMetadata: server } = value;
  return (
    (resource === undefined || isSpecType.OAuthProtectedResourceMetadata(resource)) &&
    (server === undefined || isSpecType.OAuthMetadata(server) || isSpecType.OpenIdProviderDiscoveryMetadata(server))
  );
}

const PENDING = z.object({
  at: z.number(),
  redirectUrl: z.string(),
  verifier: z.string().default(""),
  discovery: z.custom<OAuthDiscoveryState>(isDiscovery).optional(),
  run: z.string().optional(),
  question: z.string().optional(),
});
const RECORD = z.object({
  /** Clients by the issuers that know them. */
  clients: z.record(z.string(), z.looseObject({ client_id: z.string() })).default({}),
  tokens: z
    .looseObject({ access_token: z.string(), token_type: z.string(), expiresAt: z.number().optional() })
    .optional(),
  pending: z.record(z.string(), PENDING).default({}),
});

/** A sign-in that was begun. */
export type PendingSignIn = z.output<typeof PENDING>;
/** Everything that is kept for one user and one server. */
export type TokenRecord = z.output<typeof RECORD>;

/** The record of one user at one server. */
export class TokenStore {
  readonly #documents: Documents;
  readonly #box: SecretBox;
  readonly id: string;

  constructor(documents: Documents, box: SecretBox, id: string) {
    this.#documents = documents;
    this.#box = box;
    this.id = id;
  }

  async read(): Promise<TokenRecord> {
    return (await this.#find()).record;
  }

  /** Changes the record; `change` may be called again if another process wrote at the same time. */
  async write(change: (record: TokenRecord) => TokenRecord): Promise<TokenRecord> {
    for (let tries = 1; ; tries++) {
      const { record, version } = await this.#find();
      const next = change(record);
      try {
        await this.#documents.put(COLLECTION, {
          id: this.id,
          data: this.#box.seal(JSON.stringify(RECORD.parse(next))),
          version,
        });
        return next;
      } catch (error) {
        if (!(error instanceof BatonError && error.code === "conflict") || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Forgets everything; false if there was nothing. */
  remove(): Promise<boolean> {
    return this.#documents.delete(COLLECTION, this.id);
  }

  async #find(): Promise<Readonly<{ record: TokenRecord; version: number }>> {
    const document = await this.#documents.get(COLLECTION, this.id);
    const text = typeof document?.data === "string" ? this.#box.open(document.data) : undefined;
    const parsed = RECORD.safeParse(typeof text === "string" ? parseJson(text) : {});
    return { record: parsed.data ?? RECORD.parse({}), version: document?.version ?? 0 };
  }
}

/** The record with one more open sign-in, without those that are too old. */
export function withPending(record: TokenRecord, id: string, pending: PendingSignIn): TokenRecord {
  const recent = Object.entries(record.pending).filter(([, { at }]) => isRecent(at, pending.at));
  return { ...record, pending: Object.fromEntries([...recent.slice(1 - MAX_PENDING), [id, pending]]) };
}

/** Whether a sign-in that was begun then may still end. */
export function isRecent(at: number, now: number): boolean {
  return now - at < PENDING_MS;
}
