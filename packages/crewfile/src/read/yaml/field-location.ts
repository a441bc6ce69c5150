/**
 * Place: from a path in a definition back to the line in YAML it came from.
 */
import { SETTING_NAMES, SETTINGS, type Finding } from "@baton/core/ports";
import { entryAt, itemAt, type Cursor } from "./cursor.ts";
import type { TextSpan } from "./finding.ts";

/** Where the parts of a crew are written. */
export interface FieldOrigins {
  readonly crew: Cursor;
  /** In the order of the definition: the agent's own map, and its item in `agents`. */
  readonly agents: readonly { readonly item: Cursor; readonly root: Cursor }[];
}

/** A field and the part of its file that is meant. */
export interface FieldLocation {
  readonly cursor: Cursor;
  readonly span: TextSpan;
}

type Path = Finding["path"];

/** Fields whose name in YAML is not the definition's with underscores. */
const YAML_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["entry", ["entry_point"]],
  ["signals", ["routing", "signals"]],
  ["defaults", ["routing", "defaults"]],
  ["behaviors", ["routing", "agent_behaviors"]],
  ["groups", ["routing", "parallel_groups"]],
  ["subCrews", ["sub_crews"]],
  ["after", ["after", "crew"]],
]);

/** Fields of the definition under which names are those of an output or of a provider, as they are. */
const LITERAL: ReadonlySet<string | number> = new Set(["when", "input", "output", "providerOptions"]);

/** Lists and maps of the definition whose next part is a name or position from outside. */
const KEYED: ReadonlySet<string> = new Set([
  "signals",
  "defaults",
  "behaviors",
  "groups",
  "subCrews",
  "permissions",
  "tasks",
  "schedules",
  "examples",
]);

/** Where a path of a definition is written, or the nearest thing around it that is; `text` narrows it to that text. */
export function locate(path: Path, origins: FieldOrigins, hint: { part?: "name"; text?: string }): FieldLocation {
  const { start, names } = toStart(path, origins);
  const cursor = names.reduce<Walk>(descend, { cursor: start, isLost: false }).cursor;
  const { key, value, source } = cursor;
  const isNamed = hint.part === "name" || value.kind !== "scalar";
  if (key !== undefined && isNamed) return { cursor, span: key };
  const at = hint.text === undefined ? -1 : source.text.indexOf(hint.text, value.span.start);
  if (hint.text === undefined || at === -1 || at >= value.span.end) return { cursor, span: value.span };
  return { cursor, span: { start: at, end: at + hint.text.length } };
}

function toStart(path: Path, { crew, agents }: FieldOrigins): { start: Cursor; names: Path } {
  const [first = "", second = "", ...rest] = path;
  if (first === "agents" && typeof second === "number") {
    const agent = agents[second];
    const isListed = rest.length === 0 || (rest[0] === "id" && agent?.item.value.kind === "scalar");
    const start = (isListed ? agent?.item : agent?.root) ?? crew;
    return { start, names: isListed ? [] : (toModelNames(rest, start) ?? toYamlNames(rest)) };
  }
  const names = YAML_NAMES.get(String(first)) ?? [toYamlName(first)];
  if (first === "settings") return { start: crew, names: [...names, toSettingName(second)] };
  if (path.length === 1) return { start: crew, names };
  if (KEYED.has(String(first))) return { start: crew, names: [...names, second, ...toYamlNames(rest)] };
  return { start: crew, names: [...names, toYamlName(second), ...toYamlNames(rest)] };
}

/** A model may be written as `model`, or in `primary` and `backup`, apart from its provider. */
function toModelNames([field, part]: Path, agent: Cursor): Path | undefined {
  if (part !== "name" || (field !== "model" && field !== "backup")) return undefined;
  if (field === "backup") return ["backup", "model"];
  return entryAt(agent, "primary") === undefined ? ["model"] : ["primary", "model"];
}

function toYamlNames(path: Path): Path {
  const literal = path.findIndex((part) => LITERAL.has(part));
  const end = literal === -1 ? path.length : literal + 1;
  return [...path.slice(0, end).map(toYamlName), ...path.slice(end)];
}

interface Walk {
  readonly cursor: Cursor;
  /** Nothing deeper is looked for once a part was not found. */
  readonly isLost: boolean;
}

function descend({ cursor, isLost }: Walk, name: string | number): Walk {
  if (isLost) return { cursor, isLost };
  const next = typeof name === "number" ? itemAt(cursor, name) : entryAt(cursor, name);
  return next === undefined ? { cursor, isLost: true } : { cursor: next, isLost };
}

function toSettingName(name: string | number): string {
  const known = SETTING_NAMES.find((one) => one === name);
  return known === undefined ? String(toYamlName(name)) : SETTINGS[known].yaml;
}

/** `handoffTargets` → `handoff_targets`, `timeoutMs` → `timeout_seconds`. */
function toYamlName(name: string | number): string | number {
  if (typeof name === "number") return name;
  if (name === "timeoutMs") return "timeout_seconds";
  if (name === "maxSteps") return "max_rounds";
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
