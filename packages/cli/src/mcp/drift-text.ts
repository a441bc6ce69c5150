/**
 * Drift text: definitions of tools and their changes for a person, with hidden characters made visible.
 */
import type { ToolDrift } from "@baton/mcp/lock";
import { findHidden, type McpDefinition } from "@baton/crewfile/mcp";
import { toOneLine } from "../terminal/printable.ts";

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;
const MAX_VALUE = 200;

/** One line for each tool, and for each place of a tool that has changed. */
export function toDriftText(drift: readonly ToolDrift[]): string {
  const lines = drift.flatMap(({ tool, change, diff = [] }) => [
    `  ${SIGNS[change]} ${toVisible(tool)} ${change}`,
    ...diff.map(({ path, locked, now }) => `      ${toVisible(path)}: ${toValue(locked)} → ${toValue(now)}`),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function toValue(value: unknown): string {
  return toVisible(JSON.stringify(value) ?? "").slice(0, MAX_VALUE);
}

/** A tool with its description. */
export function toToolText({ name, description = "" }: McpDefinition): string {
  return `  ${toVisible(name)}  ${toVisible(description)}\n`;
}

/** Text on one line in which each hidden character is written as `<U+200B>`. */
export function toVisible(text: string): string {
  let rest = text;
  let shown = "";
  for (let hidden = findHidden(rest); hidden !== undefined; hidden = findHidden(rest)) {
    shown += `${rest.slice(0, hidden.at)}<${hidden.name}>`;
    const isWide = (rest.codePointAt(hidden.at) ?? 0) > 0xffff;
    rest = rest.slice(hidden.at + (isWide ? 2 : 1));
  }
  return toOneLine(shown + rest);
}
