/**
 * Connection: one server that answers, by either revision of the protocol, with the tools that it lists.
 */
import { Client, type ClientOptions, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import { toMessage } from "@baton/core/util";
import { type McpDefinition, type McpServer, parseDefinition } from "@baton/crewfile/mcp";
import manifest from "../../package.json" with { type: "json" };
import { toJson } from "./json-rpc.ts";
import { HttpTransport, type HttpOptions } from "./http-transport.ts";
import { type ProcessOptions, StdioProcess } from "./stdio-process.ts";
import { WireRules } from "./wire-rules.ts";

/** Everything that a connection needs beside the server's own settings. */
export type McpConnectOptions = Pick<ProcessOptions, "records" | "warn"> &
  Pick<HttpOptions, "token" | "onChallenge"> & {
    readonly abort?: AbortSignal;
    /** Called when the server's tools may have changed. */
    readonly onToolsChanged?: () => void;
    readonly onClose?: () => void;
  };

/** A connected server. */
export interface McpConnection {
  readonly client: Client;
  readonly protocol: string;
  readonly isModern: boolean;
  /** Why the server is gone, if it is a process. */
  readonly reason: () => string;
  readonly close: () => Promise<void>;
}

/** The tools of a server at one moment. */
export interface ListedTools {
  readonly tools: ReadonlyMap<string, McpDefinition>;
  /** Time for which the list may be used; undefined if the server did not say. */
  readonly ttlMs: number | undefined;
}

const CONNECT_MS = 10_000;
const DEFAULT_RESULT_BYTES = 1_024 * 1_024;
const MAX_TOOLS = 512;
const MAX_DEFINITION_BYTES = 64 * 1_024;
const MAX_PAGES = 64;
const TASKS = "io.modelcontextprotocol/tasks";

/** The largest result that a server may give. */
export const resultBytesOf = ({ maxResultBytes = DEFAULT_RESULT_BYTES }: McpServer): number => maxResultBytes;

/** Connects to a server; rejects with the reason if it cannot be reached, started or understood. */
export async function connect(server: McpServer, options: McpConnectOptions): Promise<McpConnection> {
  const timeoutMs = server.connectTimeoutMs ?? CONNECT_MS;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await open(server, options, "auto");
  } catch (error) {
    // Some legacy servers end at the first message that is not `initialize`.
    const isGone = server.command !== undefined && error instanceof ConnectError && error.isEnded;
    if (!isGone || late.aborted) throw error;
    return open(server, options, "legacy");
  }
}

/** Why a server could not be connected to. */
class ConnectError extends Error {
  override readonly name = "ConnectError";
  /** The process had started and has ended. */
  readonly isEnded: boolean;
  constructor(message: string, details: ErrorOptions & { readonly isEnded: boolean }) {
    super(message, details);
    this.isEnded = details.isEnded;
  }
}

async function open(server: McpServer, options: McpConnectOptions, mode: "auto" | "legacy"): Promise<McpConnection> {
  const rules = new WireRules(resultBytesOf(server));
  const client = new Client({ name: "baton", version: manifest.version }, toClientOptions(server, options));
  const { url, headers = {}, connectTimeoutMs: timeout = CONNECT_MS } = server;
  const child = url === undefined ? new StdioProcess(server, { ...options, rules }) : undefined;
  const transport: Transport = child ?? new HttpTransport(url ?? "", { ...options, headers, rules });
  const reason = () => child?.reason ?? "";
  Object.assign(client, { onclose: () => options.onClose?.() });
  try {
    const { abort: signal } = options;
    const prior = mode === "legacy" ? { prior: { kind: "legacy" } as const } : {};
    await client.connect(transport, { timeout, ...prior, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    await transport.close().catch(() => {});
    const why = [toReason(error, timeout), reason()].filter((part) => part !== "").join("; ");
    throw new ConnectError(why, { cause: error, isEnded: reason() !== "" && child?.pid !== null });
  }
  return {
    client,
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    isModern: client.getProtocolEra() === "modern",
    reason,
    close: () => client.close(),
  };
}

function toReason(error: unknown, timeoutMs: number): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return `it did not answer within ${timeoutMs / 1_000} s (connect_timeout_seconds)`;
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${toMessage(error.cause)}` : "";
  return `${toMessage(error)}${cause}`.slice(0, 500);
}

function toClientOptions({ connectTimeoutMs = CONNECT_MS }: McpServer, options: McpConnectOptions): ClientOptions {
  const { onToolsChanged } = options;
  return {
    capabilities: { elicitation: { form: {}, url: {} }, extensions: { [TASKS]: {} } },
    // A program may need long to start; what is left is for a legacy one that does not answer the question at all.
    versionNegotiation: { mode: "auto", probe: { timeoutMs: connectTimeoutMs / 2 } },
    listMaxPages: MAX_PAGES,
    ...(onToolsChanged === undefined
      ? {}
      : { listChanged: { tools: { autoRefresh: false, onChanged: () => onToolsChanged() } } }),
  };
}

/** Lists the tools of a server; rejects if there are too many, or if they are too large. */
export async function listTools({ client }: McpConnection, timeoutMs: number): Promise<ListedTools> {
  const listed = await client.listTools(undefined, { cacheMode: "refresh", timeout: timeoutMs });
  if (listed.tools.length > MAX_TOOLS)
    throw new Error(`it lists ${listed.tools.length} tools; at most ${MAX_TOOLS} are taken`);
  const tools = new Map<string, McpDefinition>();
  for (const tool of listed.tools) {
    const definition = parseDefinition(toJson(tool));
    if (definition === undefined) continue;
    const bytes = Buffer.byteLength(JSON.stringify(definition));
    if (bytes > MAX_DEFINITION_BYTES)
      throw new Error(`the definition of ${tool.name.slice(0, 64)} has ${bytes} bytes; at most 64 KB are taken`);
    tools.set(definition.name, definition);
  }
  const { ttlMs } = listed;
  return { tools, ttlMs: typeof ttlMs === "number" ? ttlMs : undefined };
}
