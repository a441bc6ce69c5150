/**
 * MCP host: the connections, processes and sign-ins of one Baton.
 */
import { SystemClock } from "@baton/core/ports";
import { BatonError } from "@baton/core";
import { Semaphore, toCanonicalJson } from "@baton/core/util";
import type { McpServer } from "@baton/crewfile/mcp";
import type { Cassette } from "./cassette.ts";
import { CassettePlayer } from "./cassette-player.ts";
import { ProcessRecords } from "./process-records.ts";
import type { SecretBox } from "./sign-in/secret-box.ts";
import type { CallerLink, WantedLink } from "./caller-link.ts";
import { toJson } from "./json-rpc.ts";
import { type McpCaller, type SignInServer, toStoreId } from "./sign-in/mcp-caller.ts";
import type { McpSignIn } from "./sign-in/sign-in.ts";

/** Options of a host; all are optional. */
export interface McpHostOptions {
  /** The data folder, where processes are recorded. */
  readonly data?: string;
  /** Told what the operator should know. */
  readonly warn?: (text: string) => void;
  /** Address that takes the code of a sign-in. */
  readonly callbackUrl?: () => string | undefined;
  /** Encrypts tokens. */
  readonly secrets?: () => Promise<SecretBox>;
  /** Answers instead of every server. */
  readonly cassette?: Cassette;
}

const DEFAULT_PARALLEL = 4;

/** Everything that is open. */
export class McpHost implements AsyncDisposable {
  readonly options: McpHostOptions;
  readonly clock = new SystemClock();
  readonly player: CassettePlayer | undefined;
  readonly #links = new Map<string, Promise<CallerLink>>();
  readonly #permits = new Map<string, Semaphore>();
  readonly #servers = new Map<string, SignInServer>();
  readonly #records: ProcessRecords | undefined;
  #box: Promise<SecretBox> | undefined;

  constructor(options: McpHostOptions = {}) {
    this.options = options;
    this.player = options.cassette && new CassettePlayer(options.cassette);
    this.#records = options.data === undefined ? undefined : new ProcessRecords(options.data);
    this.#records?.endLeftBehind();
  }

  /** Tells the operator something about a server. */
  warn(server: string, text: string): void {
    this.options.warn?.(`the MCP server ${server} ${text}`);
  }

  /** The permits of a server: all crews and runs share them. */
  permitsOf(name: string, server: McpServer): Semaphore {
    const key = keyOf(name, server);
    const known = this.#permits.get(key) ?? new Semaphore(server.maxParallelCalls ?? DEFAULT_PARALLEL);
    this.#permits.set(key, known);
    return known;
  }

  /** Makes a server known, so that a sign-in to it can end. */
  know(name: string, { url, oauth, auth }: McpServer): void {
    if (auth !== "oauth" || url === undefined) return;
    const server = { name, url, ...(oauth === undefined ? {} : { oauth }) };
    this.#servers.set(toStoreId(server), server);
  }

  /** The connection of a caller; all callers share one unless the server knows who calls. */
  async linkOf(name: string, server: McpServer, caller: McpCaller): Promise<CallerLink> {
    const owner = server.auth === "oauth" ? JSON.stringify([caller.tenant, caller.user]) : "";
    const key = `${keyOf(name, server)} ${owner}`;
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    const opening = this.#open({ host: this, name, server, caller, records: this.#records });
    this.#links.set(key, opening);
    opening.catch(() => this.#links.delete(key));
    return opening;
  }

  async #open(wanted: WantedLink): Promise<CallerLink> {
    const { openCallerLink } = await import("./caller-link.ts");
    return openCallerLink(wanted);
  }

  /** The sign-in of a caller, whose state names the server by its id. */
  async signInOf(id: string, caller: McpCaller): Promise<McpSignIn> {
    const server = this.#servers.get(id);
    if (server === undefined) throw new BatonError("invalid", "no crew here has the server of this sign-in");
    const { openSignIn } = await import("./caller-link.ts");
    return openSignIn(this, server, caller);
  }

  /** The box that tokens are kept in. */
  box(): Promise<SecretBox> {
    const { secrets } = this.options;
    if (secrets === undefined) throw new BatonError("invalid", "a sign-in needs a data folder, and there is none");
    this.#box ??= secrets();
    this.#box.catch(() => (this.#box = undefined));
    return this.#box;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const links = await Promise.allSettled(this.#links.values());
    this.#links.clear();
    await Promise.all(links.flatMap((one) => (one.status === "fulfilled" ? [one.value.link.close()] : [])));
  }
}

function keyOf(name: string, server: McpServer): string {
  return `${name} ${toCanonicalJson(toJson(server))}`;
}
