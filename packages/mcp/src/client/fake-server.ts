/**
 * Fake server: answers calls over standard input and output as a cassette has them.
 */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Json } from "@baton/core";
import { parseDefinition } from "@baton/crewfile/mcp";
import manifest from "../../package.json" with { type: "json" };
import type { Cassette } from "./cassette.ts";
import { CassettePlayer } from "./cassette-player.ts";
import { isObject, toJson } from "./json-rpc.ts";

/** Serves one server of a cassette until the input ends. */
export async function serveFake(cassette: Cassette, name: string): Promise<void> {
  const player = new CassettePlayer(cassette);
  const tools = (cassette.servers[name]?.tools ?? []).flatMap((tool) => {
    const definition = parseDefinition(tool);
    return definition === undefined ? [] : [toListed(definition)];
  });
  const ended = Promise.withResolvers<void>();
  const handle = serveStdio(() => {
    const server = new Server({ name, version: manifest.version }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", ({ params }) => {
      if (!tools.some((tool) => tool.name === params.name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`);
      return toResult(player, name, { tool: params.name, args: toJson(params.arguments ?? {}) });
    });
    return server;
  });
  process.stdin.once("end", ended.resolve).once("close", ended.resolve);
  await ended.promise;
  await handle.close();
}

function toListed(definition: NonNullable<ReturnType<typeof parseDefinition>>) {
  const { inputSchema, outputSchema, ...rest } = definition;
  const input = { ...inputSchema, type: "object" } as const;
  return { ...rest, inputSchema: input, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

type Asked = Readonly<{ tool: string; args: Json }>;

function toResult(player: CassettePlayer, server: string, { tool, args }: Asked): CallToolResult {
  const call = player.next(server, tool, args);
  if (call === undefined) return { content: [{ type: "text", text: "not recorded" }], isError: true };
  if (call.error !== undefined) return { content: [{ type: "text", text: call.error.message }], isError: true };
  const { output = null } = call;
  if (typeof output === "string") return { content: [{ type: "text", text: output }] };
  const text = JSON.stringify(output);
  return { content: [{ type: "text", text }], ...(isObject(output) ? { structuredContent: output } : {}) };
}
