/**
 * Read A2A: `a2a` of crew.yaml, agents of other systems that the crew may ask. No agent is contacted.
 */
import type { Tool } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { Variables } from "../env-file.ts";
import { Fields } from "../fields/fields.ts";
import { checkName, EFFECTS, readSecret, readUrl } from "../mcp/mcp-fields.ts";
import { type Cursor, report, reportKey } from "../yaml/cursor.ts";
import type { PartnerAgent, ReadOptions } from "../read-options.ts";

/** The tools of the agents that a crew names; empty, with a finding, if they cannot be made. */
export async function readA2a(
  entries: ReadonlyMap<string, Cursor>,
  { a2a, env = process.env }: Pick<ReadOptions, "a2a" | "env">,
): Promise<readonly Tool[]> {
  const [first] = entries.values();
  if (first === undefined) return [];
  const partners = Array.from(entries, ([name, cursor]) => [name, readPartner(name, cursor, env)] as const);
  if (first.source.findings.some(({ severity }) => severity === "error")) return [];
  const tools = await a2a?.(Object.fromEntries(partners));
  if (tools !== undefined) return tools;
  const message = "a crew with `a2a` needs the package @baton/a2a";
  reportKey(first, { code: "missing_package", message, fix: "npm install @baton/a2a" });
  return [];
}

function readPartner(name: string, cursor: Cursor, env: Variables): PartnerAgent {
  checkName(cursor, name, new Map());
  const fields = new Fields(cursor);
  const address = fields.get("url");
  if (address === undefined && cursor.value.kind === "map")
    report(cursor, { code: "invalid_server", message: "`url` is missing", fix: "add the address of the agent" });
  const url = readUrl(address) ?? "";
  const effect = fields.choice("effect", EFFECTS);
  const token = readSecret(fields.get("token"), env);
  fields.end();
  return { url, ...omitUndefined({ effect, token }) };
}
