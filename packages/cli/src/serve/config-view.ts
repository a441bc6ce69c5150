/**
 * Config view: prints the current settings and the origin of each, without passwords.
 *
 * The output is a valid `baton.config.yaml`.
 */
import { stringify } from "yaml";
import type { Configured } from "./config.ts";
import { listSettings } from "./settings.ts";

const MAX_COLUMN = 48;

/** One setting a line, as YAML with a comment. */
export function toConfigText({ config, origins }: Configured): string {
  const values = new Map<string, unknown>(Object.entries(config));
  const rows = listSettings().map(({ name, hide }) => {
    const value = values.get(name) ?? null;
    const shown = hide !== undefined && typeof value === "string" ? hide(value) : value;
    return { text: `${name}: ${toYaml(shown)}`, origin: origins.get(name) ?? "default" };
  });
  const width = Math.min(MAX_COLUMN, Math.max(...rows.map(({ text }) => text.length)));
  return rows.map(({ text, origin }) => `${text.padEnd(width)}  # ${origin}\n`).join("");
}

function toYaml(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}
