/**
 * Client entry: how each MCP client writes down a server.
 */
import { basename } from "node:path";
import { z } from "zod";

/** A client's file in a project, and the object in it that has the servers. */
interface ClientFile {
  readonly file: string;
  readonly member: string;
}

/** The files of the clients, by their names. */
export const CLIENT_FILES: ReadonlyMap<string, ClientFile> = new Map([
  ["claude-code", { file: ".mcp.json", member: "mcpServers" }],
  ["cursor", { file: ".cursor/mcp.json", member: "mcpServers" }],
  ["vscode", { file: ".vscode/mcp.json", member: "servers" }],
]);

/** A command that a client starts. */
export function toCommandEntry(command: string, args: readonly string[]) {
  return { type: "stdio", command, args };
}

/** A server that a client connects to. */
export function toUrlEntry(url: string, key: string | undefined) {
  return { type: "http", url, ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }) };
}

const COMMAND = z.looseObject({ command: z.string(), args: z.array(z.string()) });
const ADDRESS = z.looseObject({ url: z.string() });

/** Whether an entry was written by `baton connect`: it starts `baton mcp serve`, or has the address of the new entry. */
export function isOwnEntry(entry: unknown, { url }: Readonly<{ url?: string }>): boolean {
  if (ADDRESS.safeParse(entry).data?.url === url && url !== undefined) return true;
  const { data } = COMMAND.safeParse(entry);
  if (data === undefined) return false;
  const words = [data.command, ...data.args];
  const at = words.findIndex(
    (word) => ["baton", "baton.js", "@baton/cli"].includes(basename(word)) || word === "@baton/cli",
  );
  return at !== -1 && words[at + 1] === "mcp" && words[at + 2] === "serve";
}
