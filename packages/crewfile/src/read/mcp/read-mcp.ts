/**
 * Read MCP: the servers of a crew, with the tools that baton.lock has of them. No server is contacted.
 */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { defineTool, type Tool } from "@baton/core";
import type { AgentFile } from "../agent-file.ts";
import type { ReadOptions } from "../read-options.ts";
import { itemAt, entryAt, report, reportKey, type Cursor } from "../yaml/cursor.ts";
import { SourceFile } from "../yaml/source-file.ts";
import { readBoundedText } from "../yaml/yaml-file.ts";
import { readServers, type ServerEntry } from "./mcp-fields.ts";
import { LOCK_FILE, type LockedServer, type McpLock, parseLock, toMcpToolName, toTarget } from "./mcp-lock.ts";
import { effectOf } from "./mcp-server.ts";
import { checkDefinitions, type LockedEntry, reportForeign, UPDATE } from "./lock-check.ts";

/** The MCP tools of a crew. */
export interface McpTools {
  readonly tools: readonly Tool[];
  /** The names of tools by the servers that have them, in the order of the lock. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Servers whose tools are not known, because something is wrong with them. */
  readonly lost: ReadonlySet<string>;
  readonly sources: readonly SourceFile[];
}

const MAX_LOCK_BYTES = 32 * 1_024 * 1_024;
const NONE: McpTools = { tools: [], names: new Map(), lost: new Set(), sources: [] };

/** Reads the servers that a crew names, and their tools. */
export async function readMcp(
  entries: ReadonlyMap<string, Cursor>,
  folder: string,
  options: Pick<ReadOptions, "mcp" | "env">,
): Promise<McpTools> {
  if (entries.size === 0) return NONE;
  const servers = readServers(entries, resolve(folder), options.env ?? process.env);
  const source = await openLock(join(folder, LOCK_FILE));
  const lock = source && toLock(source);
  const locked = new Map<string, LockedEntry>();
  for (const [name, entry] of servers) {
    if (source !== undefined && lock === undefined) continue;
    const found = checkServer(name, entry, lock);
    if (found === undefined || source === undefined) continue;
    locked.set(name, { ...entry, locked: found });
    checkDefinitions(name, found, source);
  }
  const names = toNames(locked);
  if (source !== undefined) reportForeign(locked, source);
  const isDamaged = source?.findings.some(({ severity }) => severity === "error") === true;
  const tools = await toTools(servers, isDamaged ? undefined : lock, options);
  const lost = new Set([...servers.keys()].filter((name) => !locked.has(name) || tools === undefined));
  return { tools: tools ?? [], names, lost, sources: source === undefined ? [] : [source] };
}

/** An agent whose `server__*` is each tool of that server; the first takes its place, so that the others keep theirs. */
export function withMcpTools(agent: AgentFile, { names, lost }: McpTools): AgentFile {
  const { tools } = agent.definition;
  if (tools === undefined || names.size + lost.size === 0) return agent;
  const more: string[] = [];
  const own = tools.map((tool, index) => {
    const server = typeof tool === "string" && tool.endsWith("__*") ? tool.slice(0, -"__*".length) : undefined;
    if (server === undefined || (!names.has(server) && !lost.has(server))) return tool;
    const [first, ...rest] = names.get(server) ?? [];
    more.push(...rest);
    if (first === undefined && !lost.has(server)) reportEmpty(agent.root, index, server);
    return first ?? `${server}__`;
  });
  const all = [...own, ...more];
  return { ...agent, definition: { ...agent.definition, tools: all.filter((tool, at) => all.indexOf(tool) === at) } };
}

/** Stands for tools of servers that could not be read, so that their names are not reported again as unknown. */
export function toStandIns(agents: readonly AgentFile[], { lost, tools }: McpTools): readonly Tool[] {
  const known = new Set(tools.map(({ name }) => name));
  const named = agents.flatMap(({ definition }) => [...(definition.tools ?? []), ...(definition.pinnedTools ?? [])]);
  const missing = named.flatMap((tool) => {
    const name = typeof tool === "string" ? tool : "name" in tool ? tool.name : "";
    return lost.has(name.split("__")[0] ?? "") && !known.has(name) ? [name] : [];
  });
  return [...new Set(missing)].map((name) =>
    defineTool({
      name: name.slice(0, 64),
      description: "a tool of a server that cannot be read",
      effect: "irreversible",
      input: { jsonSchema: {}, validate: (value) => ({ ok: true, value }) },
      run: () => null,
    }),
  );
}

function reportEmpty(root: Cursor, index: number, server: string): void {
  const field = entryAt(root, "tools");
  const item = (field && itemAt(field, index)) ?? root;
  const message = `the crew offers no tool of the server \`${server}\``;
  report(item, { code: "unknown_tool", message, fix: "name its tools in `tools` of the server, or remove this" });
}

/** Opens a lock file, if there is one. */
export async function openLock(path: string): Promise<SourceFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? undefined : readBoundedText(path, MAX_LOCK_BYTES);
}

/** The lock in a file; reports one that cannot be read. */
export function toLock(source: SourceFile): McpLock | undefined {
  if (source.findings.length > 0) return undefined;
  const lock = parseLock(source.text);
  if (lock !== undefined) return lock;
  const message = `${LOCK_FILE} is not a lock file that this version of Baton can read`;
  source.report({ start: 0, end: 0 }, "", { code: "damaged_lock", message, fix: UPDATE });
  return undefined;
}

/** The part of the lock that is about a server, unless it is of another one. */
function checkServer(name: string, entry: ServerEntry, lock: McpLock | undefined): LockedServer | undefined {
  const { cursor, server } = entry;
  const locked = lock !== undefined && Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined;
  if (locked === undefined) {
    const message = `the server \`${name.slice(0, 40)}\` is not in ${LOCK_FILE}`;
    reportKey(cursor, { code: "unlocked_server", message, fix: UPDATE });
    return undefined;
  }
  const target = toTarget(server);
  if (target !== "" && target !== locked.target) {
    const place = entryAt(cursor, server.url === undefined ? "command" : "url") ?? cursor;
    const message = `${LOCK_FILE} is of another target: ${locked.target.slice(0, 200)}`;
    report(place, { code: "stale_lock", message, fix: UPDATE });
  }
  for (const [tool, at] of entry.tools) {
    if (tool === "*" || Object.hasOwn(locked.tools, tool)) continue;
    const near = at.source.nearest(tool, Object.keys(locked.tools));
    const fix = near === undefined ? "remove it, or run `baton mcp update`" : `did you mean \`${near}\`?`;
    reportKey(at, { code: "unknown_tool", message: `the server has no tool \`${tool.slice(0, 64)}\``, fix });
  }
  return locked;
}

/** The names that agents use; two tools with one name are reported. */
function toNames(locked: ReadonlyMap<string, LockedEntry>): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string>();
  const names = new Map<string, readonly string[]>();
  for (const [server, entry] of locked) {
    const offered = Object.keys(entry.locked.tools).filter((tool) => effectOf(entry.server, tool) !== undefined);
    for (const tool of offered) {
      const name = toMcpToolName(server, tool);
      const other = owners.get(name);
      owners.set(name, tool);
      if (other === undefined) continue;
      const message = `the tools \`${other.slice(0, 64)}\` and \`${tool.slice(0, 64)}\` are both called \`${name}\``;
      reportKey(entry.cursor, { code: "name_collision", message, fix: "leave one of them out of `tools`" });
    }
    names.set(server, [...new Set(offered.map((tool) => toMcpToolName(server, tool)))]);
  }
  return names;
}

/** Lets the caller make the tools; undefined if it cannot, or if something is wrong already. */
async function toTools(
  servers: ReadonlyMap<string, ServerEntry>,
  lock: McpLock | undefined,
  { mcp }: Pick<ReadOptions, "mcp">,
): Promise<readonly Tool[] | undefined> {
  const [first] = servers.values();
  if (first === undefined) return undefined;
  const { source } = first.cursor;
  const known = Array.from(servers, ([name, { server }]) => [name, server] as const);
  const isBroken = source.findings.some(({ severity }) => severity === "error");
  const usable = isBroken || lock === undefined ? [] : known;
  const tools = await mcp?.(Object.fromEntries(usable), lock ?? { version: 1, servers: {} });
  if (tools !== undefined) return usable.length === 0 ? undefined : tools;
  const message = "a crew with `mcp` needs the package @baton/mcp";
  reportKey(first.cursor, { code: "missing_package", message, fix: "npm install @baton/mcp" });
  return undefined;
}
