/**
 * MCP tools: the tools of a crew's servers, as the lock has them. Nothing is contacted before the first call.
 */
import { BatonError, defineTool, type Json, type Tool, ToolError } from "@baton/core";
import { checkJson } from "@baton/core/util";
import { effectOf, findDamage, type McpLock, type McpServers, toMcpToolName } from "@baton/crewfile/mcp";
import { CHECK_LIMITS } from "./call-result.ts";
import { McpHost } from "./mcp-host.ts";
import type { McpToolSource } from "./tool-call.ts";

const CONNECT_MS = 10_000;
const SLACK_MS = 1_000;

/** Makes tools of servers; throws `invalid` if a server is not locked, or if its lock was changed by hand. */
export function mcpTools(servers: McpServers, lock: McpLock, host: McpHost = new McpHost()): readonly Tool[] {
  return Object.entries(servers).flatMap(([name, server]) => {
    const locked = Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined;
    if (locked === undefined) throw new BatonError("invalid", `the MCP server ${name} is not locked: baton mcp update`);
    const [damage] = findDamage(name, locked);
    if (damage !== undefined)
      throw new BatonError("invalid", `baton.lock: ${damage.message}; run \`baton mcp update\``);
    host.know(name, server);
    return Object.values(locked.tools).flatMap(({ hash, definition }) => {
      const effect = effectOf(server, definition.name);
      return effect === undefined ? [] : [toTool({ host, name, server, locked, definition, hash }, effect)];
    });
  });
}

function toTool(source: McpToolSource, effect: Tool["effect"]): Tool {
  const { host, name, server, definition } = source;
  const digests = new Map<string, string>();
  const { timeoutMs, connectTimeoutMs = CONNECT_MS } = server;
  const tool = defineTool<Json>({
    name: toMcpToolName(name, definition.name),
    description: definition.description ?? definition.title ?? "",
    effect,
    isolation: "inline",
    tags: [`mcp:${name}`],
    ...(timeoutMs === undefined ? {} : { timeoutMs: timeoutMs + connectTimeoutMs + SLACK_MS }),
    input: {
      jsonSchema: definition.inputSchema,
      validate: (value) => {
        const issues = checkJson(definition.inputSchema, value, CHECK_LIMITS);
        return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
      },
    },
    run: async (args, context) => {
      if (host.player !== undefined) return play(source, args);
      const { callServer } = await import("./tool-call.ts");
      const ended = await callServer(source, args, context);
      if (!("output" in ended)) return ended;
      if (ended.digest !== undefined) digests.set(toDigestKey(context.call, ended.output), ended.digest);
      return ended.output;
    },
    digest: (output, { call }) => {
      const key = toDigestKey(call, output);
      const digest = digests.get(key);
      digests.delete(key);
      return digest;
    },
    release: async (kept) => {
      const { releaseCall } = await import("./tool-call.ts");
      await releaseCall(source, kept);
    },
  });
  return Object.freeze({ ...tool, pool: host.permitsOf(name, server) });
}

/** Two calls in different runs may have the same position, so the output is part of the key. */
function toDigestKey(call: string, output: Json): string {
  return `${call} ${JSON.stringify(output)}`;
}

function play({ host, name, definition }: McpToolSource, args: Json): Json {
  const call = host.player?.next(name, definition.name, args);
  if (call === undefined)
    throw new ToolError("permanent", `not recorded: ${definition.name} of ${name} with these arguments`);
  if (call.error !== undefined) throw new ToolError("permanent", call.error.message);
  return call.output ?? null;
}
