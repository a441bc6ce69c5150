/**
 * Caller link: the connection that one caller uses, and the sign-in behind it.
 */
import { omitUndefined } from "@baton/core/util";
import type { McpServer } from "@baton/crewfile/mcp";
import { type McpCaller, type SignInServer, toStoreId } from "./sign-in/mcp-caller.ts";
import type { Clock } from "@baton/core/ports";
import type { SecretBox } from "./sign-in/secret-box.ts";
import type { ProcessRecords } from "./process-records.ts";
import { ServerLink } from "./server-link.ts";
import { type Challenge, McpSignIn, toChallenge } from "./sign-in/sign-in.ts";
import { TokenStore } from "./sign-in/token-store.ts";

/** The host of a link. */
export interface LinkHost {
  readonly clock: Clock;
  readonly options: { readonly callbackUrl?: () => string | undefined };
  warn(server: string, text: string): void;
  box(): Promise<SecretBox>;
}

/** A link of one caller. */
export interface CallerLink {
  readonly link: ServerLink;
  readonly signIn: McpSignIn | undefined;
  /** The last refusal since this was called. */
  readonly takeChallenge: () => Challenge | undefined;
  /** Changes of tools that were told already. */
  readonly told: Set<string>;
}

/** The server and the caller of a link. */
export interface WantedLink {
  readonly host: LinkHost;
  readonly name: string;
  readonly server: McpServer;
  readonly caller: McpCaller;
  readonly records: ProcessRecords | undefined;
}

/** Opens a link; nothing is connected before it is used. */
export async function openCallerLink({ host, name, server, caller, records }: WantedLink): Promise<CallerLink> {
  const { url, oauth, auth } = server;
  const signIn =
    auth === "oauth" && url !== undefined
      ? await openSignIn(host, { name, url, ...(oauth === undefined ? {} : { oauth }) }, caller)
      : undefined;
  let challenge: Challenge | undefined;
  let token: string | undefined;
  const link = new ServerLink(server, {
    name,
    records,
    now: () => host.clock.monotonic(),
    warn: (text) => host.warn(name, text),
    token: async () => (token = signIn === undefined ? server.token : await signIn.token()),
    onChallenge: (response) => (challenge = toChallenge(response, token)),
  });
  const takeChallenge = () => {
    const taken = challenge;
    challenge = undefined;
    return taken;
  };
  return { link, signIn, takeChallenge, told: new Set() };
}

/** Opens the sign-in of a caller at a server. */
export async function openSignIn(host: LinkHost, server: SignInServer, caller: McpCaller): Promise<McpSignIn> {
  const { tenant, user, documents } = caller;
  const box = await host.box();
  const redirectUrl = host.options.callbackUrl?.();
  const store = new TokenStore(documents, box, toStoreId(server));
  const now = () => host.clock.now();
  return new McpSignIn({ server, owner: { tenant, user }, store, box, now, ...omitUndefined({ redirectUrl }) });
}
