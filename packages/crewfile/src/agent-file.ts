/**
 * Agent file: the agents that crew.yaml lists, each from a file of its own or from where it is listed.
 *
 * Reads: agent-fields, cursor, file. Read by: read.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentDefinition } from "@baton/core";
import { readAgent } from "./agent-fields.ts";
import { report, toTextItem, type Cursor } from "./cursor.ts";
import { isFile, openYaml } from "./file.ts";
import type { Source } from "./source.ts";

/** An agent as it was read, and where. */
export interface AgentFile {
  readonly definition: AgentDefinition;
  /** Its item in `agents`. */
  readonly item: Cursor;
  /** Its own map; the item where there is none. */
  readonly root: Cursor;
  /** Of a file of its own. */
  readonly source?: Source;
}

const ENDING = ".yaml";
const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** The agent that one item of `agents` is, or names. */
export async function readAgentAt(item: Cursor, folder: string, providers: readonly string[]): Promise<AgentFile> {
  if (item.value.kind === "map") return { item, root: item, definition: readAgent(item, "", providers) };
  const id = toTextItem(item) ?? "";
  const nothing = { item, root: item, definition: { id } };
  // Only an id may become part of a file's name.
  if (!ID.test(id)) return nothing;
  const path = join(folder, "agents", id + ENDING);
  if (!(await isFile(path))) {
    const near = item.source.nearest(id, await listAgents(folder));
    const fix = near === undefined ? "write it, or take the agent out" : `did you mean \`${near}\`?`;
    report(item, { code: "missing_file", message: `there is no file agents/${id}${ENDING}`, fix });
    return nothing;
  }
  const { source, root } = await openYaml(path);
  if (root === undefined) return { ...nothing, source };
  const definition = readAgent(root, id, providers);
  if (definition.id !== id) reportOtherId(root, id);
  return { item, root, definition: { ...definition, id }, source };
}

/** The ids that files in the folder of agents are named by. */
export async function listAgents(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, "agents")).catch(() => []);
  const files = names.filter((name) => name.endsWith(ENDING));
  return files.map((name) => name.slice(0, -ENDING.length)).toSorted();
}

function reportOtherId(root: Cursor, id: string): void {
  const own = root.value.kind === "map" ? root.value.entries.get("id") : undefined;
  const cursor = own === undefined ? root : { ...root, ...own, path: "id" };
  const message = `the id is not that of the file, agents/${id}${ENDING}`;
  report(cursor, { code: "id_mismatch", message, fix: `write \`id: ${id}\`, or rename the file` });
}
