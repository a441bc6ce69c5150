/**
 * Agent file: the agents that crew.yaml lists, each from its own file or written in the list itself.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentDefinition } from "@baton/core";
import { readAgent } from "./fields/agent-fields.ts";
import { entryAt, report, readTextItem, type Cursor } from "./yaml/cursor.ts";
import { openYaml } from "./yaml/yaml-file.ts";
import type { SourceFile } from "./yaml/source-file.ts";

/** An agent as it was read, and where. */
export interface AgentFile {
  readonly definition: AgentDefinition;
  /** Its item in `agents`. */
  readonly item: Cursor;
  /** Its own map, or the item if it has none. */
  readonly root: Cursor;
  /** Of a file of its own. */
  readonly source?: SourceFile;
}

const ENDING = ".yaml";
const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** The agents of a list, one file after another. */
export async function readAgents(
  items: readonly Cursor[],
  folder: string,
  providers: readonly string[],
): Promise<AgentFile[]> {
  const files = await listFiles(join(folder, "agents"));
  const agents: AgentFile[] = [];
  for (const item of items) {
    const isInline = item.value.kind === "map";
    const agent = isInline
      ? { item, root: item, definition: readAgent(item, "", providers) }
      : await readAt(item, files, providers);
    agents.push(agent);
  }
  reportUnlisted(items, files);
  return agents;
}

/** Paths of agents' files, by the ids in their names. */
type Files = ReadonlyMap<string, string>;

async function listFiles(folder: string): Promise<Files> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(ENDING)).toSorted();
  return new Map(files.map((name) => [name.slice(0, -ENDING.length), join(folder, name)]));
}

/** The agent that an item names; only a file that was found in the folder is ever opened. */
async function readAt(item: Cursor, files: Files, providers: readonly string[]): Promise<AgentFile> {
  const id = readTextItem(item) ?? "";
  const nothing = { item, root: item, definition: { id } };
  const path = files.get(id);
  if (path === undefined) {
    if (ID.test(id)) reportMissing(item, id, files);
    return nothing;
  }
  const { source, root } = await openYaml(path);
  if (root === undefined) return { ...nothing, source };
  const definition = readAgent(root, id, providers);
  if (definition.id !== id) reportOtherId(root, definition.id, id);
  return { item, root, definition: { ...definition, id }, source };
}

function reportMissing(item: Cursor, id: string, files: Files): void {
  const near = item.source.nearest(id, files.keys());
  const fix = near === undefined ? "write the file, or remove the agent from the list" : `did you mean \`${near}\`?`;
  report(item, { code: "missing_file", message: `there is no file agents/${id}${ENDING}`, fix });
}

function reportUnlisted(items: readonly Cursor[], files: Files): void {
  const listed = new Set(items.map(({ value }) => (value.kind === "scalar" ? value.text : "")));
  const last = items.findLast(({ value }) => value.kind === "scalar");
  if (last === undefined) return;
  for (const id of files.keys()) {
    if (listed.has(id)) continue;
    const fix = `add \`${id}\` to the list, or delete the file`;
    report(last, {
      code: "unlisted_agent",
      severity: "warning",
      message: `agents/${id}${ENDING} is not in \`agents\``,
      fix,
    });
  }
}

function reportOtherId(root: Cursor, own: string, id: string): void {
  const message = `the id is \`${own.slice(0, 60)}\`, but the file is agents/${id}${ENDING}`;
  const fix = `write \`id: ${id}\`, or rename the file and its entry in \`agents\``;
  report(entryAt(root, "id") ?? root, { code: "id_mismatch", message, fix });
}
