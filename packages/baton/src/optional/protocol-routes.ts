/**
 * Protocol routes: crews by the protocols of other programs. Their packages are optional, and imported when a server starts.
 */
import { omitUndefined } from "@baton/core/util";
import { BatonError } from "@baton/core";
import type { ServerOptions } from "@baton/server";
import { importNeeded, importOptional } from "./optional-package.ts";
import manifest from "../../package.json" with { type: "json" };

/** Settings of the protocols. */
export interface ProtocolOptions {
  /** False serves no MCP. Default: `POST /mcp`, if `@baton/mcp` is installed. */
  readonly mcp?: boolean;
  /** Address of the server as clients write it. Default: the one that it listens on. */
  readonly publicUrl?: string;
  /** Takes tokens of this authorization server for `/mcp`, beside API keys. */
  readonly oauthIssuer?: string;
}

type Listening = ProtocolOptions & Pick<ServerOptions, "host" | "port" | "retention" | "console">;

/** The routes of the protocols that are installed. */
export async function protocolRoutes(options: Listening): Promise<NonNullable<ServerOptions["routes"]>> {
  const { publicUrl } = options;
  const { a2aRoutes } = (await importOptional("@baton/a2a", () => import("@baton/a2a"))) ?? {};
  const agents = a2aRoutes?.({ version: manifest.version, ...omitUndefined({ publicUrl }) }) ?? [];
  return [...(await listMcpRoutes(options)), ...agents];
}

async function listMcpRoutes(options: Listening): Promise<NonNullable<ServerOptions["routes"]>> {
  const { mcp = true, oauthIssuer, host = "127.0.0.1", port = 8_080, retention } = options;
  if (!mcp) return [];
  const load = () => import("@baton/mcp/server");
  const module =
    oauthIssuer === undefined
      ? await importOptional("@baton/mcp", load)
      : await importNeeded({ name: "@baton/mcp", needs: "an authorization server" }, load);
  if (module === undefined) return [];
  const own =
    options.publicUrl ?? (port === 0 ? undefined : `http://${host.includes(":") ? `[${host}]` : host}:${port}`);
  if (oauthIssuer !== undefined && own === undefined)
    throw new BatonError("invalid", "tokens name the address of the server: set its public URL, or a port");
  const oauth = oauthIssuer === undefined ? undefined : { issuer: oauthIssuer };
  const publicUrl = oauth === undefined ? options.publicUrl : own;
  return module.mcpRoutes({
    version: manifest.version,
    ...omitUndefined({ publicUrl, oauth, keepMs: retention?.maxAgeMs }),
    hasConsole: options.console !== undefined,
  });
}
