/**
 * HTTP server of tests: an MCP server of the 2026-07-28 revision, with an authorization server beside it if it asks for one.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** The parameters of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** One request as the server got it. */
export type Received = Readonly<{ method: string; params: Params; token: string | undefined }>;

/** Answers a request with a result, or throws an `HttpFault`. */
export type Handler = (params: Params) => object | Promise<object>;

/** An answer that is an error: of the protocol, or of HTTP if it has a status. */
export class HttpFault extends Error {
  readonly code: number;
  readonly status: number | undefined;
  constructor(code: number, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** A server of a test. */
export interface HttpTestServer extends AsyncDisposable {
  readonly url: string;
  /** Requests in their order. */
  readonly received: readonly Received[];
  /** Tokens that it has given; those removed here are refused. */
  readonly tokens: Set<string>;
  /** Grants in the order in which they came to the token endpoint, and those that it refuses. */
  readonly grants: string[];
  readonly refusals: Set<string>;
}

/** The tools of a server, and whether it wants to know who calls. */
export type ServerSetup = Readonly<{
  tools: readonly object[] | (() => readonly object[]);
  handlers: Readonly<Record<string, Handler>>;
  oauth?: Readonly<{ expiresIn?: number }>;
  listing?: object;
}>;

const MESSAGE = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

/** Starts it on a free port of 127.0.0.1. */
export async function startHttpServer(setup: ServerSetup): Promise<HttpTestServer> {
  const received: Received[] = [];
  const tokens = new Set<string>();
  const grants: string[] = [];
  const refusals = new Set<string>();
  const server = createServer((request, response) => {
    const answer = async () => {
      const base = `http://127.0.0.1:${addressOf(server).port}`;
      const url = new URL(request.url ?? "/", base);
      const token = request.headers.authorization?.replace("Bearer ", "");
      if (url.pathname !== "/mcp")
        return authorize({ url, body: await readBody(request), tokens, grants, refusals, setup });
      if (setup.oauth !== undefined && !tokens.has(token ?? "")) {
        const challenge = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
        return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
      }
      const { id, method, params } = MESSAGE.parse(JSON.parse(await readBody(request)));
      if (id === undefined) return new Response(null, { status: 202 });
      received.push({ method, params, token });
      return respond(id, () => handle(setup, method, params));
    };
    answer().then(
      async (made) => {
        response.writeHead(made.status, Object.fromEntries(made.headers));
        response.end(Buffer.from(await made.arrayBuffer()));
      },
      () => response.destroy(),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${addressOf(server).port}/mcp`,
    received,
    tokens,
    grants,
    refusals,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function addressOf(server: ReturnType<typeof createServer>): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return address;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks = await request.toArray();
  return Buffer.concat(chunks.map((chunk: Uint8Array) => chunk)).toString();
}

async function respond(id: string | number, work: () => object | Promise<object>): Promise<Response> {
  try {
    return Response.json({ jsonrpc: "2.0", id, result: { resultType: "complete", ...(await work()) } });
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error;
    if (error.status !== undefined) return new Response(error.message, { status: error.status });
    return Response.json({ jsonrpc: "2.0", id, error: { code: error.code, message: error.message } });
  }
}

function handle({ tools, handlers, listing }: ServerSetup, method: string, params: Params): object | Promise<object> {
  const own = handlers[method];
  if (own !== undefined) return own(params);
  if (method === "server/discover") {
    const capabilities = { tools: { listChanged: true }, extensions: { "io.modelcontextprotocol/tasks": {} } };
    return { supportedVersions: ["2026-07-28"], capabilities, serverInfo: { name: "test", version: "1" }, ...CACHE };
  }
  if (method === "tools/list") return { tools: typeof tools === "function" ? tools() : tools, ...CACHE, ...listing };
  throw new HttpFault(-32_601, `there is no ${method}`);
}

const CACHE = { ttlMs: 60_000, cacheScope: "private" } as const;

type Authorizing = Pick<HttpTestServer, "tokens" | "grants" | "refusals"> &
  Readonly<{ url: URL; body: string; setup: ServerSetup }>;

/** The authorization server: everybody is let in at once; a code carries the challenge that it was asked for with. */
function authorize({ url, body, setup: { oauth = {} }, ...granting }: Authorizing): Response {
  const base = url.origin;
  switch (url.pathname) {
    case "/.well-known/oauth-protected-resource/mcp":
      return Response.json({ resource: `${base}/mcp`, authorization_servers: [base] });
    case "/.well-known/oauth-authorization-server":
      return Response.json({
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      });
    case "/register":
      return Response.json({ ...z.record(z.string(), z.unknown()).parse(JSON.parse(body)), client_id: "registered" });
    case "/authorize": {
      const back = new URL(url.searchParams.get("redirect_uri") ?? base);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      back.searchParams.set("iss", base);
      back.searchParams.set("code", `code.${url.searchParams.get("code_challenge")}`);
      return new Response(null, { status: 302, headers: { location: back.href } });
    }
    case "/token":
      return giveToken(new URLSearchParams(body), { ...granting, expiresIn: oauth.expiresIn ?? 3_600 });
    default:
      return new Response(null, { status: 404 });
  }
}

type Giving = Omit<Authorizing, "url" | "body" | "setup"> & Readonly<{ expiresIn: number }>;

function giveToken(form: URLSearchParams, { tokens, grants, refusals, expiresIn }: Giving): Response {
  const grant = form.get("grant_type") ?? "";
  grants.push(grant);
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  const isGood =
    grant === "refresh_token" ? form.get("refresh_token") === "again" : form.get("code") === `code.${challenge}`;
  if (!isGood || refusals.has(grant)) return Response.json({ error: "invalid_grant" }, { status: 400 });
  const token = `secret-token-${grants.length}`;
  tokens.add(token);
  return Response.json({ access_token: token, token_type: "Bearer", expires_in: expiresIn, refresh_token: "again" });
}
