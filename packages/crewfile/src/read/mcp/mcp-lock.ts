/**
 * MCP lock: `baton.lock`, where the definitions of a crew's MCP tools come from.
 *
 * A definition is never trusted without its hash: SHA-256 of its RFC 8785 form.
 */
import { createHash } from "node:crypto";
import type { Json } from "@baton/core";
import type { JsonSchema } from "@baton/core/ports";
import { parseJson, toCanonicalJson } from "@baton/core/util";

/** A tool as its server describes it. */
export interface McpDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: JsonSchema;
}

/** A definition and the hash that it had when it was locked. */
export interface LockedTool {
  readonly hash: string;
  readonly definition: McpDefinition;
}

/** A server as it was when it was locked. */
export interface LockedServer {
  /** Its URL, or its command joined by spaces. */
  readonly target: string;
  readonly protocol: string;
  readonly set: string;
  readonly tools: Readonly<Record<string, LockedTool>>;
}

/** The content of `baton.lock`. */
export interface McpLock {
  readonly version: 1;
  readonly servers: Readonly<Record<string, LockedServer>>;
}

/** The name of the file, beside crew.yaml. */
export const LOCK_FILE = "baton.lock";

/** Something in a lock that does not fit. */
export type LockDamage = Readonly<{ server: string; tool?: string; message: string }>;

const MAX_NAME = 64;
const CUT_NAME = 55;
const HASH_DIGITS = 8;

/** The name by which agents call a tool of a server. */
export function toMcpToolName(server: string, tool: string): string {
  const name = `${server}__${tool}`.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  if (name.length <= MAX_NAME) return name;
  return `${name.slice(0, CUT_NAME)}_${sha256(`${server}__${tool}`).slice(0, HASH_DIGITS)}`;
}

/** The hash of a definition. */
export function hashDefinition(definition: McpDefinition): string {
  return `sha256-${sha256(toCanonicalJson(toJson(definition)))}`;
}

/** The hash of all tools of a server. */
export function hashTools(tools: LockedServer["tools"]): string {
  const lines = Object.entries(tools).map(([name, { hash }]) => `${name} ${hash}`);
  return `sha256-${sha256(lines.toSorted().join("\n"))}`;
}

/** The target by which a lock names a server: its URL, or its command joined by spaces. */
export function toTarget({
  url,
  command = [],
}: {
  readonly url?: string;
  readonly command?: readonly string[];
}): string {
  return url ?? command.join(" ");
}

/** Reads a lock; undefined if the text has another form. */
export function parseLock(text: string): McpLock | undefined {
  const lock = parseJson(text);
  if (!isObject(lock) || lock["version"] !== 1 || !isObject(lock["servers"])) return undefined;
  const servers = Object.entries(lock["servers"]).map(([name, server]) => [name, parseServer(server)] as const);
  const known = servers.flatMap(([name, server]) => (server === undefined ? [] : [[name, server] as const]));
  return known.length < servers.length ? undefined : { version: 1, servers: Object.fromEntries(known) };
}

function parseServer(server: Json): LockedServer | undefined {
  if (!isObject(server)) return undefined;
  const { target, protocol, set, tools } = server;
  if (typeof target !== "string" || typeof protocol !== "string" || typeof set !== "string" || !isObject(tools))
    return undefined;
  const read = Object.entries(tools).map(([name, tool]) => [name, parseTool(tool)] as const);
  const known = read.flatMap(([name, tool]) => (tool === undefined ? [] : [[name, tool] as const]));
  return known.length < read.length ? undefined : { target, protocol, set, tools: Object.fromEntries(known) };
}

function parseTool(tool: Json): LockedTool | undefined {
  if (!isObject(tool) || typeof tool["hash"] !== "string") return undefined;
  const definition = parseDefinition(tool["definition"]);
  return definition === undefined ? undefined : { hash: tool["hash"], definition };
}

/** The fields of a definition that are locked, as they were sent; undefined if it has no name or no schema. */
export function parseDefinition(value: unknown): McpDefinition | undefined {
  if (!isObject(value)) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = value;
  if (typeof name !== "string" || !isObject(inputSchema)) return undefined;
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    inputSchema,
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  };
}

/** Finds every hash of a server's lock that does not fit. */
export function* findDamage(server: string, { set, tools }: LockedServer): Iterable<LockDamage> {
  for (const [tool, { hash, definition }] of Object.entries(tools)) {
    const message = `the definition of \`${tool.slice(0, MAX_NAME)}\` of \`${server}\``;
    if (definition.name !== tool) yield { server, tool, message: `${message} has another name` };
    else if (hashDefinition(definition) !== hash) yield { server, tool, message: `${message} does not fit its hash` };
  }
  if (hashTools(tools) !== set) yield { server, message: `the tools of \`${server}\` do not fit \`set\`` };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function toJson(definition: McpDefinition): Json {
  return Object.fromEntries(Object.entries(definition));
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
