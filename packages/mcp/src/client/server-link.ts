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

/** The connection to one server, of one owner if the server knows who calls. */
export class ServerLink {
  readonly #server: McpServer;
  readonly #options: LinkOptions;
  #opening: Promise<McpConnection> | undefined;
  #listing: Promise<ListedTools> | undefined;
  #staleAt = 0;
  #failures = 0;
  #restUntil = 0;
  #active = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(server: McpServer, options: LinkOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Does something with the connection; it is not closed before that has ended. */
  async use<T>(work: (linked: Linked) => Promise<T>): Promise<T> {
    this.#active++;
    clearTimeout(this.#idle);
    try {
      return await work(await this.#link());
    } finally {
      if (--this.#active === 0) this.#idle = this.#closeLater();
    }
  }

  #closeLater(): NodeJS.Timeout {
    const close = () => {
      this.close().catch(() => {});
    };
    return setTimeout(close, IDLE_MS).unref();
  }

  /** Ends the connection; the next use opens another one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const opening = this.#opening;
    this.#forget();
    const connection = await opening?.catch(() => undefined);
    await connection?.close();
  }

  async #link(): Promise<Linked> {
    const { now, name } = this.#options;
    if (now() < this.#restUntil)
      throw unavailable(name, "the last 5 connections failed; it is tried again within 30 s");
    try {
      this.#opening ??= this.#open();
      const connection = await this.#opening;
      if (this.#listing === undefined || now() >= this.#staleAt) this.#listing = this.#list(connection);
      const listed = await this.#listing;
      this.#failures = 0;
      return { connection, listed };
    } catch (error) {
      this.#fail();
      throw error instanceof ToolError ? error : unavailable(name, toMessage(error));
    }
  }

  #open(): Promise<McpConnection> {
    return connect(this.#server, {
      ...this.#options,
      onToolsChanged: () => (this.#staleAt = 0),
      onClose: () => this.#forget(),
    });
  }

  async #list(connection: McpConnection): Promise<ListedTools> {
    this.#staleAt = Infinity;
    const listed = await listTools(connection, this.#server.connectTimeoutMs ?? LIST_MS);
    if (listed.ttlMs !== undefined) this.#staleAt = Math.min(this.#staleAt, this.#options.now() + listed.ttlMs);
    return listed;
  }

  #fail(): void {
    const opening = this.#opening;
    this.#forget();
    opening?.then((connection) => connection.close()).catch(() => {});
    this.#failures++;
    if (this.#failures >= MAX_FAILURES) this.#restUntil = this.#options.now() + REST_MS;
  }

  #forget(): void {
    this.#opening = undefined;
    this.#listing = undefined;
  }
}

function unavailable(name: string, why: string): ToolError {
  return new ToolError("unavailable", `the MCP server ${name} is not available: ${why}`);
}
