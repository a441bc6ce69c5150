/**
 * MCP server of a test: crews with scripts on a free port, and the official clients connected to it.
 */
import { type Agent, type Crew, type Model, scriptModel } from "@baton/core";
import { type ServedCrew, startServer } from "@baton/server";
import { type Database, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { mcpRoutes, type McpRoutesOptions } from "../mcp-routes.ts";

/** A crew, what its agents say, and how it is exposed. */
export interface ScriptedCrew extends Pick<ServedCrew, "expose"> {
  readonly crew: Crew;
  readonly script?: Parameters<typeof scriptModel>[0];
}

/** A server of a test. */
export interface McpTestServer extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  /** Sends one request of the 2026-07-28 revision. */
  send(method: string, params?: Sent, options?: SendOptions): Promise<Answer>;
}

type Sent = Readonly<Record<string, unknown>>;

/** Options of one request. */
export interface SendOptions {
  readonly capabilities?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The answer to one request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The protocol's own types are not known here: tests look at what they need.
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: Readonly<{ code?: number | undefined; message?: string | undefined; data?: unknown }>;
}

/** The capabilities of a client that shows forms and links, and polls tasks. */
export const ABLE = {
  elicitation: { form: {}, url: {} },
  extensions: { "io.modelcontextprotocol/tasks": {} },
} as const;

/** The capabilities of a client that shows forms only. */
export const FORMS = { elicitation: { form: {} } } as const;

const ANSWER = z.object({
  result: z.record(z.string(), z.unknown()).default({}),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown() }).partial().default({}),
});
const VERSION = "2026-07-28";

/** Starts it on 127.0.0.1. */
export async function startMcpServer(
  crews: readonly ScriptedCrew[],
  { database = openMemory(), ...options }: McpRoutesOptions & { readonly database?: Database } = {},
): Promise<McpTestServer> {
  const store = await Store.open({ database });
  const models = new Map(crews.map(({ crew, script = {} }) => [crew.name, scriptModel(script)]));
  const model = (_: Agent, crew: Crew): Model => models.get(crew.name) ?? scriptModel({});
  const served = crews.map(({ crew, expose }) => ({
    id: crew.name,
    crew,
    findings: [],
    ...(expose === undefined ? {} : { expose }),
  }));
  const logTo = { write: () => true };
  const server = await startServer({
    store,
    crews: served,
    model,
    port: 0,
    graceMs: 0,
    logTo,
    routes: mcpRoutes(options),
  });
  return {
    url: `${server.url}/mcp`,
    store,
    send: (method, params, sending) => send(`${server.url}/mcp`, { method, params: params ?? {} }, sending),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

type Call = Readonly<{ method: string; params: Sent }>;

async function send(
  url: string,
  { method, params }: Call,
  { capabilities = {}, headers = {}, signal }: SendOptions = {},
): Promise<Answer> {
  const name = params["name"] ?? params["taskId"];
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    ...(typeof params["_meta"] === "object" ? params["_meta"] : {}),
  };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await answer.text();
  const { result, error } = ANSWER.parse(JSON.parse(text === "" ? "{}" : text));
  return { status: answer.status, headers: answer.headers, result, error };
}

/** Connects the official client; `auto` speaks the newest revision. */
export async function connectClient(
  url: string,
  { mode = "auto", ...options }: ClientOptions & { readonly mode?: "auto" | "legacy" } = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, ...options });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}
