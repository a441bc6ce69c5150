/**
 * `baton mcp list`: the servers of a crew and their tools, from files only.
 */
import { effectOf, toMcpToolName, toTarget } from "@baton/crewfile/mcp";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { toVisible } from "./drift-text.ts";
import { printResult, requireServers } from "./crew-servers.ts";

/** Lists the servers. */
export const command: CliCommand = async (commandLine) => {
  const { servers, lock } = await requireServers(commandLine.positionals[0]);
  const all = Array.from(servers, ([name, server]) => {
    const locked = lock !== undefined && Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined;
    const tools = Object.keys(locked?.tools ?? {}).map((tool) => ({
      tool,
      name: toMcpToolName(name, tool),
      effect: effectOf(server, tool) ?? null,
    }));
    const { auth = "none" } = server;
    return {
      name,
      target: toTarget(server),
      auth,
      protocol: locked?.protocol ?? null,
      locked: locked !== undefined,
      tools,
    };
  });
  const lines = all.flatMap(({ name, target, locked, protocol, tools }) => [
    `${name}  ${toVisible(target)}  ${locked ? `locked, ${protocol}` : "not locked: run `baton mcp update`"}`,
    ...tools.map((tool) => `  ${toVisible(tool.name)}  ${tool.effect ?? "not offered"}`),
  ]);
  const text = lines.length === 0 ? "the crew has no MCP servers; `baton mcp add` adds one\n" : `${lines.join("\n")}\n`;
  printResult(commandLine, { servers: all }, text);
  return EXIT_CODES.done;
};
