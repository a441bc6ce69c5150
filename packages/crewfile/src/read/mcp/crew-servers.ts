/**
 * Crew servers: the MCP servers of a crew and its lock, whatever else is wrong with the crew.
 */
import { dirname, join, resolve } from "node:path";
import type { Variables } from "../env-file.ts";
import { findCrewFile } from "../other-crews.ts";
import { entryAt, readEntries } from "../yaml/cursor.ts";
import type { FileFinding } from "../yaml/finding.ts";
import { openYaml } from "../yaml/yaml-file.ts";
import { readServers } from "./mcp-fields.ts";
import { LOCK_FILE, type McpLock } from "./mcp-lock.ts";
import type { McpServer } from "./mcp-server.ts";
import { openLock, toLock } from "./read-mcp.ts";

/** The servers of a crew. */
export interface CrewServers {
  /** The crew's file, and its text. */
  readonly file: string;
  readonly text: string;
  readonly lockFile: string;
  readonly lock: McpLock | undefined;
  readonly servers: ReadonlyMap<string, McpServer>;
  /** Everything that is wrong with the servers; the lock is not judged. */
  readonly findings: readonly FileFinding[];
}

/** Reads the servers of the crew at a path. */
export async function readCrewServers(path: string, env: Variables): Promise<CrewServers> {
  const file = await findCrewFile(path);
  const folder = resolve(dirname(file));
  const { source, root } = await openYaml(file);
  const field = root && entryAt(root, "mcp");
  const entries = readServers((field && readEntries(field)) ?? new Map(), folder, env);
  const lockFile = join(folder, LOCK_FILE);
  const locked = await openLock(lockFile);
  const servers = new Map(Array.from(entries, ([name, { server }]) => [name, server]));
  return { file, text: source.text, lockFile, lock: locked && toLock(locked), servers, findings: source.findings };
}
