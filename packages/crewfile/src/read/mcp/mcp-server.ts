/**
 * MCP server: one server of a crew, as `mcp` in crew.yaml or code describes it.
 */
import type { Effect } from "@baton/core";

/** Way to reach a server, and what its tools may do. */
export interface McpServer {
  /** `https:`, or `http:` on a loopback address. */
  readonly url?: string;
  /** A program and its arguments, started without a shell. */
  readonly command?: readonly string[];
  /** Where the command runs, and what names its process in the data folder. Default: the current folder. */
  readonly folder?: string;
  /** Variables of the process, beside PATH, HOME, LANG and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: McpAuth;
  /** For `auth: bearer`. */
  readonly token?: string;
  /** For `auth: oauth`. */
  readonly oauth?: McpOAuth;
  /** Effects by the server's own names of tools; only these are offered. `*` is the rest. */
  readonly tools?: Readonly<Record<string, Effect>>;
  readonly connectTimeoutMs?: number;
  readonly timeoutMs?: number;
  readonly taskTimeoutMs?: number;
  readonly maxResultBytes?: number;
  readonly maxParallelCalls?: number;
}

/** Way in which Baton proves who it is. */
export type McpAuth = "none" | "oauth" | "bearer";

/** A client that is known to the authorization server already. */
export interface McpOAuth {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
}

/** Servers by their names. */
export type McpServers = Readonly<Record<string, McpServer>>;

/** The effect that a crew gives a tool; undefined if it does not offer the tool. */
export function effectOf({ tools }: Pick<McpServer, "tools">, tool: string): Effect | undefined {
  if (tools === undefined) return "irreversible";
  if (Object.hasOwn(tools, tool)) return tools[tool];
  return Object.hasOwn(tools, "*") ? tools["*"] : undefined;
}
