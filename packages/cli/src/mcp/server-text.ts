/**
 * Server text: a crew.yaml with one more MCP server; comments and everything else stay as they are.
 */
import { BatonError } from "@baton/core";
import type { McpServer } from "@baton/crewfile/mcp";
import { isMap, isScalar, parseDocument } from "yaml";

/** The text with the server; throws if the file is not YAML that a server can be written into. */
export function addServerText(text: string, name: string, server: Pick<McpServer, "url" | "command">): string {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new BatonError("invalid", "crew.yaml cannot be read; fix it first");
  const field = document.contents.items.find(({ key }) => isScalar(key) && key.value === "mcp")?.value;
  const written = isMap(field) ? insert(text, field, { name, server }) : undefined;
  if (written !== undefined) return written;
  if (field === undefined && !document.contents.flow)
    return `${text.trimEnd()}\n\nmcp:\n${toLines(name, server, "  ")}`;
  document.setIn(["mcp", name], server);
  return String(document);
}

type Written = Readonly<{ name: string; server: Pick<McpServer, "url" | "command"> }>;

/** After the last server of a block; undefined if the servers are written in another way. */
function insert(text: string, field: object, { name, server }: Written): string | undefined {
  const { flow, items, range } = isMap(field) ? field : {};
  const first = items?.[0]?.key;
  if (flow === true || !isScalar(first) || !Array.isArray(first.range) || !Array.isArray(range)) return undefined;
  const start = text.lastIndexOf("\n", first.range[0] - 1) + 1;
  const indent = text.slice(start, first.range[0]);
  if (indent.trim() !== "" || indent === "") return undefined;
  const end = range[1];
  const before = text.slice(0, end).trimEnd();
  return `${before}\n${toLines(name, server, indent)}${text.slice(before.length).replace(/^\r?\n/, "")}`;
}

function toLines(name: string, { url, command = [] }: Written["server"], indent: string): string {
  const value =
    url === undefined ? `command: [${command.map((word) => JSON.stringify(word)).join(", ")}]` : `url: ${url}`;
  return `${indent}${name}:\n${indent}  ${value}\n`;
}
