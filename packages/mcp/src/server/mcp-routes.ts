/**
 * MCP routes: `POST /mcp` and, with an authorization server, the documents that lead clients to it.
 *
 * Both revisions are answered without a session: every request has a server of its own, which knows only what the
 * caller may see.
 */
import { defineRoute, JSON_BODY, type RouteMount } from "@baton/server/mount";
import { OauthResource, type OauthOptions } from "./oauth-resource.ts";
import { StateSecret } from "./state-secret.ts";

/** Options of the routes. */
export interface McpRoutesOptions {
  /** Address of the server as clients write it, without a path: `https://crews.example.com`. */
  readonly publicUrl?: string;
  /** Takes tokens of this authorization server, beside API keys; needs `publicUrl`. */
  readonly oauth?: Omit<OauthOptions, "resource">;
  /** Version of the server that clients are told. */
  readonly version?: string;
  /** False if people cannot answer questions at the address of the server: it has no console. Default: true. */
  readonly hasConsole?: boolean;
  /** Time that ended runs are kept, if it is less than a day. */
  readonly keepMs?: number | undefined;
}

const DAY_MS = 86_400_000;
const METADATA = "/.well-known/oauth-protected-resource";

/** The routes to mount. */
export function mcpRoutes(options: McpRoutesOptions = {}): readonly RouteMount[] {
  const { publicUrl, oauth, version = "0.0.0", keepMs = DAY_MS, hasConsole = true } = options;
  const base = publicUrl?.replace(/\/+$/, "");
  const resource =
    oauth === undefined || base === undefined ? undefined : new OauthResource({ ...oauth, resource: `${base}/mcp` });
  const secret = new StateSecret();
  const ttlMs = Math.min(DAY_MS, keepMs);
  const route = defineRoute({
    method: "post",
    path: "/mcp",
    summary: "Crews as tools, by the Model Context Protocol",
    scope: "run",
    body: JSON_BODY,
    answers: { 200: { description: "A JSON-RPC answer", schema: JSON_BODY }, 202: { description: "Accepted" } },
    ...(resource === undefined ? {} : guardsOf(resource, `${base}${METADATA}/mcp`)),
    async handle(request) {
      // A server that nobody calls by MCP does not load the SDK.
      const { createMcpHandler } = await import("@modelcontextprotocol/server");
      const { createCrewServer } = await import("./crew-server.ts");
      const key = await secret.of(request.store);
      const { headers, abort, body } = request;
      const address = base ?? `http://${headers.get("host") ?? "127.0.0.1"}`;
      const page = hasConsole || base !== undefined ? `${address}/runs` : undefined;
      const handler = createMcpHandler(({ era }) =>
        createCrewServer({
          request,
          isModern: era === "modern",
          key,
          version,
          ttlMs,
          ...(page === undefined ? {} : { page }),
        }),
      );
      return handler.fetch(
        new Request(`${address}/mcp`, { method: "POST", headers: toHeaders(headers), signal: abort }),
        {
          parsedBody: body,
        },
      );
    },
  });
  return resource === undefined ? [route] : [route, ...metadataRoutes(resource)];
}

/** A request that is built anew has no body to announce. */
function toHeaders(sent: Headers): Headers {
  const headers = new Headers(sent);
  for (const name of ["content-length", "transfer-encoding", "connection", "expect"]) headers.delete(name);
  return headers;
}

function guardsOf(resource: OauthResource, metadata: string): Pick<RouteMount, "challenge" | "identify"> {
  return {
    challenge: `Bearer resource_metadata="${metadata}", scope="${OauthResource.SCOPE}"`,
    identify: (authorization) => resource.identify(authorization),
  };
}

function metadataRoutes(resource: OauthResource): readonly RouteMount[] {
  return [METADATA, `${METADATA}/mcp`].map((path) =>
    defineRoute({
      method: "get",
      path,
      summary: "The authorization server of /mcp",
      scope: "open",
      answers: { 200: { description: "Metadata of the protected resource (RFC 9728)", schema: JSON_BODY } },
      handle: () => Response.json(resource.metadata),
    }),
  );
}
