/**
 * Lock check: what is wrong with the definitions in baton.lock, each at its place there.
 */
import { findHidden } from "../hidden-text.ts";
import type { Defect } from "../yaml/finding.ts";
import type { SourceFile } from "../yaml/source-file.ts";
import type { ServerEntry } from "./mcp-fields.ts";
import { findDamage, type LockedServer, toMcpToolName } from "./mcp-lock.ts";

/** A server with its lock. */
export type LockedEntry = ServerEntry & { readonly locked: LockedServer };

/** The advice if a lock does not fit. */
export const UPDATE = "run `baton mcp update`, and read what changed";

/** A word that may be the name of a tool; dots and slashes may join its parts. */
const WORD = /[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*/g;

/** Reports hashes that do not fit, and hidden characters. */
export function checkDefinitions(name: string, locked: LockedServer, source: SourceFile): void {
  for (const { tool, message } of findDamage(name, locked))
    reportAt(source, [name, tool], { code: "damaged_lock", message, fix: UPDATE });
  for (const [tool, { definition }] of Object.entries(locked.tools)) {
    const hidden = findHidden(JSON.stringify(definition));
    if (hidden === undefined) continue;
    const what = `the definition of \`${tool.slice(0, 64)}\` of \`${name}\``;
    const message = `${what} has the hidden character ${hidden.name}, which a model reads and you do not see`;
    reportAt(source, [name, tool], { code: "hidden_text", message, fix: "do not use this server; tell its author" });
  }
}

/** Records a defect of a lock at the key of a server, or of one of its tools. */
function reportAt(source: SourceFile, [server, tool]: readonly [string, string | undefined], defect: Defect): void {
  const find = (key: string, from: number) => Math.max(from, source.text.indexOf(`${JSON.stringify(key)}:`, from));
  const at = find(server, find("servers", 0));
  const start = tool === undefined ? at : find(tool, find("tools", at));
  const path = `servers.${server}${tool === undefined ? "" : `.tools.${tool}`}`;
  source.report({ start, end: start + JSON.stringify(tool ?? server).length }, path, defect);
}

/** Reports every description that names another server's tool: as agents call it, or as that server does. */
export function reportForeign(locked: ReadonlyMap<string, LockedEntry>, source: SourceFile): void {
  const owners = new Map<string, string>();
  for (const [server, entry] of locked) {
    for (const tool of Object.keys(entry.locked.tools)) {
      owners.set(toMcpToolName(server, tool), server);
      if (isIdentifier(tool)) owners.set(tool, server);
    }
  }
  for (const [server, entry] of locked) {
    const own = entry.locked.tools;
    for (const [tool, { definition }] of Object.entries(own)) {
      const words = (JSON.stringify(definition).match(WORD) ?? []).flatMap((word) => [word, ...word.split(/[./]/)]);
      const foreign = words.find((word) => !Object.hasOwn(own, word) && (owners.get(word) ?? server) !== server);
      if (foreign === undefined) continue;
      const what = `the description of \`${tool.slice(0, 64)}\` of \`${server}\``;
      const message = `${what} names \`${foreign}\`, a tool of \`${owners.get(foreign) ?? ""}\``;
      const fix = "read it: it may try to make the model call that tool";
      reportAt(source, [server, tool], { code: "foreign_tool", severity: "warning", message, fix });
    }
  }
}

/** Whether a name looks like code: a word such as `search` stands in sentences by chance. */
function isIdentifier(name: string): boolean {
  return /[_./-]|[a-z][A-Z]|[0-9]/.test(name);
}
