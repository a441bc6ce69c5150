/**
 * Sign-in: how one user proves to one server who they are, by OAuth with PKCE.
 *
 * The SDK does the protocol; here is what is remembered of it. Tokens are refreshed once for all calls that wait.
 */
import { randomBytes } from "node:crypto";
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from "@modelcontextprotocol/client";
import { BatonError, ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { SignInServer, TokenOwner } from "./mcp-caller.ts";
import { toSafeFetch } from "./safe-fetch.ts";
import type { SecretBox } from "./secret-box.ts";
import { isRecent, type PendingSignIn, type TokenStore, withPending } from "./token-store.ts";

/** Everything that signing in depends on. */
export interface McpSignInOptions {
  readonly server: SignInServer;
  readonly owner: TokenOwner;
  readonly store: TokenStore;
  readonly box: SecretBox;
  /** Address that takes the code; without one, tokens are used and renewed, and nobody can sign in. */
  readonly redirectUrl?: string;
  readonly now: () => number;
}

/** A refusal of the server: that nobody is signed in, or for less than it needs. */
export type Challenge = Readonly<{ status: number; scope?: string; resourceMetadataUrl?: URL; token?: string }>;

const EARLY_MS = 10_000;
const STATE_BYTES = 16;
/** An address for the SDK, which takes a client without one for a machine. */
const NOWHERE = "http://127.0.0.1/callback";

/** The challenge in an answer; undefined if it is a refusal for another reason. */
export function toChallenge(response: Response, token: string | undefined): Challenge | undefined {
  const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
  if (response.status !== 401 && error !== "insufficient_scope") return undefined;
  return { status: response.status, ...omitUndefined({ scope, resourceMetadataUrl, token }) };
}

/** The sign-in of one user at one server. */
export class McpSignIn {
  readonly options: McpSignInOptions;
  #renewing: Promise<boolean> | undefined;

  constructor(options: McpSignInOptions) {
    this.options = options;
  }

  /** The token to send; one that is about to expire is refreshed first. */
  async token(): Promise<string | undefined> {
    const { tokens } = await this.options.store.read();
    const isOld = tokens?.expiresAt !== undefined && tokens.expiresAt - EARLY_MS < this.options.now();
    if (!isOld || tokens?.["refresh_token"] === undefined) return tokens?.access_token;
    await this.#renewOnce({ status: 401, token: tokens.access_token });
    return (await this.options.store.read()).tokens?.access_token;
  }

  /** Tries to get another token without the user; false if the user must sign in. */
  async renew(challenge: Challenge): Promise<boolean> {
    const { tokens } = await this.options.store.read();
    if (tokens !== undefined && tokens.access_token !== challenge.token) return true;
    if (challenge.status === 403 || tokens?.["refresh_token"] === undefined) return false;
    return this.#renewOnce(challenge);
  }

  /** Begins a sign-in; the user opens the page that it gives. */
  async begin(challenge: Challenge, asked: Pick<PendingSignIn, "run" | "question"> = {}): Promise<URL> {
    const { server, redirectUrl } = this.options;
    if (redirectUrl === undefined)
      throw new ToolError("permission", `${server.name} needs a sign-in: run \`baton mcp login ${server.name}\``);
    const provider = new SignInProvider(this.options, { asked });
    await this.#authorize(provider, { ...challenge, isForced: true });
    if (provider.page === undefined) throw new Error("the authorization server gave no page");
    return provider.page;
  }

  #renewOnce(challenge: Challenge): Promise<boolean> {
    this.#renewing ??= this.#renew(challenge).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renew(challenge: Challenge): Promise<boolean> {
    const provider = new SignInProvider(this.options, {});
    try {
      return (await this.#authorize(provider, { ...challenge, isForced: false })) === "AUTHORIZED";
    } catch {
      return false;
    }
  }

  async #authorize(provider: SignInProvider, challenge: Challenge & { readonly isForced: boolean }) {
    const { server, store } = this.options;
    const { tokens } = await store.read();
    const granted = typeof tokens?.["scope"] === "string" ? tokens["scope"] : undefined;
    const stated = server.oauth?.scopes?.join(" ");
    const isMore = challenge.status === 403;
    const scope = computeScopeUnion(stated, isMore ? granted : undefined, challenge.scope);
    return auth(provider, {
      serverUrl: server.url,
      fetchFn: toSafeFetch(server.url),
      forceReauthorization: challenge.isForced || isStrictScopeSuperset(scope, granted),
      ...omitUndefined({ scope, resourceMetadataUrl: challenge.resourceMetadataUrl }),
    });
  }
}

/** Parameters that a user's browser brought back. */
export type Callback = Readonly<{ code?: string; iss?: string; error?: string }>;

/** Ends a sign-in that was begun; false if it was denied. Its state works once: the sign-in is forgotten first. */
export async function finishSignIn(
  options: McpSignInOptions,
  state: string,
  callback: Callback,
): Promise<FinishedSignIn> {
  const { store, server, now } = options;
  let pending: PendingSignIn | undefined;
  await store.write((record) => {
    const { [state]: found, ...others } = record.pending;
    pending = found;
    return { ...record, pending: others };
  });
  if (pending === undefined || !isRecent(pending.at, now()))
    throw new BatonError("invalid", "this sign-in was used already, or is older than 10 minutes; begin another one");
  const asked = omitUndefined({ run: pending.run, question: pending.question });
  if (callback.code === undefined) return { ...asked, isDenied: true };
  const provider = new SignInProvider({ ...options, redirectUrl: pending.redirectUrl }, { pending });
  try {
    await auth(provider, {
      serverUrl: server.url,
      fetchFn: toSafeFetch(server.url),
      authorizationCode: callback.code,
      ...omitUndefined({ iss: callback.iss }),
    });
  } catch (error) {
    throw new BatonError("invalid", `the sign-in to ${server.name} failed; begin another one`, { cause: error });
  }
  return { ...asked, isDenied: false };
}

/** The run and the question that waited for a sign-in. */
export type FinishedSignIn = Pick<PendingSignIn, "run" | "question"> & { readonly isDenied: boolean };

/** Reads the owner and the server's id from a state; undefined if it is not one of this Baton. */
export function parseState(box: SecretBox, text: string): (TokenOwner & { id: string; state: string }) | undefined {
  const value = box.open(text);
  if (!Array.isArray(value)) return undefined;
  const [tenant, user, id, state] = value.map(String);
  if (tenant === undefined || user === undefined || id === undefined || state === undefined) return undefined;
  return { tenant, user, id, state };
}

type Phase = Readonly<{ asked?: Pick<PendingSignIn, "run" | "question">; pending?: PendingSignIn }>;

/** Remembers for the SDK. */
class SignInProvider implements OAuthClientProvider {
  readonly #options: McpSignInOptions;
  readonly #phase: Phase;
  readonly #state = randomBytes(STATE_BYTES).toString("base64url");
  #discovery: PendingSignIn["discovery"];
  #verifier = "";
  #refreshed: unknown;
  page: URL | undefined;

  constructor(options: McpSignInOptions, phase: Phase) {
    this.#options = options;
    this.#phase = phase;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl ?? NOWHERE;
  }

  get clientMetadataUrl(): string {
    return this.#options.server.oauth?.clientMetadataUrl ?? "";
  }

  get clientMetadata() {
    return {
      client_name: "Baton",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
  }

  state(): string {
    const { box, owner, store } = this.#options;
    return box.seal([owner.tenant, owner.user, store.id, this.#state]);
  }

  async clientInformation(context?: { readonly issuer?: string }) {
    const { clientId, clientSecret } = this.#options.server.oauth ?? {};
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
    const { clients } = await this.#options.store.read();
    return clients[context?.issuer ?? ""];
  }

  async saveClientInformation(information: { client_id: string }, context?: { readonly issuer?: string }) {
    if (this.#options.server.oauth?.clientId !== undefined) return;
    const { issuer = "" } = context ?? {};
    await this.#options.store.write((record) => ({
      ...record,
      clients: { ...record.clients, [issuer]: { ...information } },
    }));
  }

  async tokens() {
    const { tokens } = await this.#options.store.read();
    this.#refreshed = tokens?.["refresh_token"];
    return tokens;
  }

  async saveTokens(tokens: { access_token: string; token_type: string; expires_in?: number | undefined }) {
    const { expires_in: seconds } = tokens;
    const expiresAt = seconds === undefined ? undefined : this.#options.now() + seconds * 1_000;
    await this.#options.store.write((record) => ({
      ...record,
      tokens: { refresh_token: record.tokens?.["refresh_token"], ...tokens, expiresAt },
    }));
  }

  redirectToAuthorization(page: URL): Promise<void> {
    this.page = page;
    if (this.#phase.asked === undefined) return Promise.resolve();
    const { now, store } = this.#options;
    const pending = { at: now(), redirectUrl: this.redirectUrl, verifier: this.#verifier, ...this.#phase.asked };
    const discovery = this.#discovery;
    return store
      .write((record) => withPending(record, this.#state, { ...pending, ...omitUndefined({ discovery }) }))
      .then(() => undefined);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#phase.pending?.verifier ?? this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState() {
    return this.#phase.pending?.discovery;
  }

  /** Forgets what the authorization server refused, unless another process has replaced it already. */
  async invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const used = this.#refreshed;
    await this.#options.store.write((record) => {
      const { tokens, ...rest } = record;
      if (what === "client" || what === "all") return { ...rest, clients: {} };
      return what === "tokens" && tokens?.["refresh_token"] === used ? rest : record;
    });
  }
}
