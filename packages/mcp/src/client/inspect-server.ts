/**
 * Inspect server: asks a server for its tools, and writes them as a lock.
 */
import {
  hashDefinition,
  hashTools,
  type LockedServer,
  type McpLock,
  type McpServer,
  toTarget,
} from "@baton/crewfile/mcp";
import { ToolError } from "@baton/core";
import { parseJson, toCanonicalJson } from "@baton/core/util";
import type { ListedTools } from "./connection.ts";
import { toJson } from "./json-rpc.ts";
import type { McpCaller } from "./sign-in/mcp-caller.ts";
import type { McpHost } from "./mcp-host.ts";

/** A server that answered. */
export type InspectedServer = Readonly<{ protocol: string; tools: ListedTools["tools"] }>;

/** A server, and who asks it. */
export type Inspection = Readonly<{ host: McpHost; name: string; server: McpServer; caller: McpCaller }>;

/** Connects to a server and lists its tools; throws `unavailable` with the reason, `permission` if a sign-in is missing. */
export async function inspectServer({ host, name, server, caller }: Inspection): Promise<InspectedServer> {
  const { link, takeChallenge, signIn } = await host.linkOf(name, server, caller);
  const list = () =>
    link.use(({ connection, listed }) => Promise.resolve({ protocol: connection.protocol, tools: listed.tools }));
  try {
    return await list();
  } catch (error) {
    const challenge = takeChallenge();
    if (challenge === undefined) throw error;
    if (signIn !== undefined && (await signIn.renew(challenge))) return list();
    throw new ToolError("permission", `${name} needs a sign-in: run \`baton mcp login ${name}\``, { cause: error });
  }
}

/** A server as a lock has it. */
export function toLockedServer(server: McpServer, { protocol, tools }: InspectedServer): LockedServer {
  const sorted = [...tools].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const locked = Object.fromEntries(
    sorted.map(([name, definition]) => [name, { hash: hashDefinition(definition), definition }]),
  );
  return { target: toTarget(server), protocol, set: hashTools(locked), tools: locked };
}

/** The text of a lock: the same for the same servers. */
export function toLockText(lock: McpLock): string {
  return `${JSON.stringify(parseJson(toCanonicalJson(toJson(lock))), undefined, 2)}\n`;
}
