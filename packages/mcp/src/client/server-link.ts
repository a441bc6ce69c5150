/**
 * Server link: the one connection to a server that all its calls share, from the first call until 5 minutes without one.
 *
 * After 5 failed connections in a row a call fails at once for 30 s; then one call tries again.
 */
import { toMessage } from "@baton/core/util";
import { ToolError } from "@baton/core";
import type { McpServer } from "@baton/crewfile/mcp";
import { connect, type McpConnection, type McpConnectOptions, type ListedTools, listTools } from "./connection.ts";

/** A connection with the tools that the server lists now. */
export interface Linked {
  readonly connection: McpConnection;
  readonly listed: ListedTools;
}

/** Options of a link; times are in milliseconds since some start. */
export type LinkOptions = Omit<McpConnectOptions, "abort" | "onToolsChanged" | "onClose"> & {
  readonly name: string;
  readonly now: () => number;
};

const IDLE_MS = 300_000;
const MAX_FAILURES = 5;
const REST_MS = 30_000;
const LIST_MS = 10_000;

/** One connection, while it is opened and after. */
interface Opened {
  readonly opening: Promise<McpConnection>;
  listing: Promise<ListedTools> | undefined;
  staleAt: number;
  /** Calls that use it. */
  active: number;
  /** The server answered, and wants to know who calls. */
  isRefused: boolean;
  isCounted: boolean;
}

/** The connection to one server, of one owner if the server knows who calls. */
export class ServerLink {
  readonly #server: McpServer;
  readonly #options: LinkOptions;
  #current: Opened | undefined;
  #failures = 0;
  #restUntil = 0;
  #idle: NodeJS.Timeout | undefined;
  readonly #closing = new Set<Promise<void>>();

  constructor(server: McpServer, options: LinkOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Does something with the connection; it is not closed before that has ended. */
  async use<T>(work: (linked: Linked) => Promise<T>): Promise<T> {
    const { now, name } = this.#options;
    if (now() < this.#restUntil)
      throw unavailable(name, "the last 5 connections failed; it is tried again within 30 s");
    const current = (this.#current ??= this.#open());
    current.active++;
    clearTimeout(this.#idle);
    try {
      return await work(await this.#link(current));
    } catch (error) {
      // The next call connects anew: a server that was restarted knows nothing of this connection.
      if (error instanceof ToolError && LOST.includes(error.kind)) this.#forget(current);
      throw error;
    } finally {
      current.active--;
      if (current.active === 0) this.#release(current);
    }
  }

  /** Ends the connection; the next use opens another one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#current !== undefined) this.#end(this.#current);
    await Promise.all(this.#closing);
  }

  async #link(current: Opened): Promise<Linked> {
    const { now, name } = this.#options;
    try {
      const connection = await current.opening;
      if (current.listing === undefined || now() >= current.staleAt) current.listing = this.#list(current, connection);
      const listed = await current.listing;
      this.#failures = 0;
      return { connection, listed };
    } catch (error) {
      this.#countFailure(current);
      throw error instanceof ToolError ? error : unavailable(name, toMessage(error));
    }
  }

  #open(): Opened {
    const { onChallenge } = this.#options;
    const opening = connect(this.#server, {
      ...this.#options,
      onToolsChanged: () => (opened.staleAt = 0),
      onClose: () => this.#forget(opened),
      onChallenge: (response) => {
        opened.isRefused = true;
        onChallenge?.(response);
      },
    });
    const opened: Opened = { opening, listing: undefined, staleAt: 0, active: 0, isRefused: false, isCounted: false };
    return opened;
  }

  async #list(current: Opened, connection: McpConnection): Promise<ListedTools> {
    current.staleAt = Infinity;
    const listed = await listTools(connection, this.#server.connectTimeoutMs ?? LIST_MS);
    if (listed.ttlMs !== undefined) current.staleAt = Math.min(current.staleAt, this.#options.now() + listed.ttlMs);
    return listed;
  }

  /** Counts a connection once, however many calls waited for it; a server that wants a sign-in has not failed. */
  #countFailure(current: Opened): void {
    if (current.isCounted || current.isRefused) return;
    current.isCounted = true;
    this.#failures++;
    if (this.#failures >= MAX_FAILURES) this.#restUntil = this.#options.now() + REST_MS;
  }

  /** Opens another connection for the next call; this one is closed after its last. */
  #forget(current: Opened): void {
    if (this.#current === current) this.#current = undefined;
  }

  #release(current: Opened): void {
    if (this.#current === current) this.#idle = setTimeout(() => this.#end(current), IDLE_MS).unref();
    else this.#end(current);
  }

  #end(current: Opened): void {
    this.#forget(current);
    const ending = current.opening
      .then((connection) => connection.close())
      .catch(() => {})
      .finally(() => this.#closing.delete(ending));
    this.#closing.add(ending);
  }
}

/** Failures after which a connection is not used again. */
const LOST: readonly string[] = ["unavailable", "network"];

function unavailable(name: string, why: string): ToolError {
  return new ToolError("unavailable", `the MCP server ${name} is not available: ${why}`);
}
