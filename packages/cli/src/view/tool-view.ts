/**
 * Tool view: a tool of a crew as lines: its effect, permission, agents, description and parameters.
 */
import type { Crew, Effect, Json, Tool } from "@baton/core";
import { isLevel, type Isolation, type PermissionRule, type Sandbox } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { cutLine, styleLine, type Line } from "../terminal/styled-line.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";

/** A tool of a crew as `baton tools --json` prints it. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  /** `hook`: the tool decides for each call. */
  readonly permission: PermissionRule | "hook";
  /** The client that follows the run executes it. */
  readonly isClient: boolean;
  /** Where it runs. */
  readonly isolation: Isolation | "auto";
  /** The grants and limits of a tool that has a sandbox. */
  readonly sandbox?: Sandbox;
  readonly agents: readonly string[];
  readonly inputSchema: Json;
}

const EFFECTS = { read: "good", idempotent: "warn", irreversible: "bad" } as const;
const PERMISSIONS = {
  allow: "allowed",
  ask: "asks a person first",
  ask_operator: "asks an operator first",
  deny: "not allowed",
  hook: "decides for each call",
} as const;

/** Collects the facts about a tool of a crew. */
export function toToolFacts({ permissions, agents, settings }: Crew, tool: Tool): ToolFacts {
  const { name, description, effect, isClient, inputSchema, sandbox } = tool;
  const isolation = tool.isolation ?? (isClient ? "inline" : settings.toolIsolation);
  const rule = permissions.get(name) ?? permissions.get("*") ?? (effect === "irreversible" ? "ask" : "allow");
  const users = [...agents.values()].filter(({ tools }) => tools.includes(name)).map(({ id }) => id);
  const permission = rule !== "deny" && tool.permission !== undefined ? "hook" : rule;
  const place = { isolation, ...omitUndefined({ sandbox }) };
  return { name, description, effect, permission, isClient, ...place, agents: users, inputSchema };
}

/** The lines of one tool. */
export function toToolLines(facts: ToolFacts, width: number): readonly Line[] {
  const { name, description, effect, permission, isClient, isolation, sandbox, agents, inputSchema } = facts;
  const users = agents.length === 0 ? "no agent uses it" : agents.join(", ");
  const about = [PERMISSIONS[permission], ...(isClient ? ["carried out by the client"] : []), users].join(" · ");
  const indented = (text: string) => wrap(toOneLine(text), width - 2).map((line) => styleLine(`  ${line}`));
  return [
    cutLine(styleLine([name, "strong"], "  ", [effect, EFFECTS[effect]], [`  ${about}`, "dim"]), width),
    ...indented(description),
    ...(isLevel(isolation) ? indented(toSandboxText(isolation, sandbox)) : []),
    ...toParameters(inputSchema).flatMap((text) =>
      wrap(toOneLine(text), width - 4).map((line) => styleLine([`    ${line}`, "dim"])),
    ),
    [],
  ];
}

/** `sandbox process: read ./data; hosts api.example.com; memory_mb 256, …` */
function toSandboxText(isolation: string, sandbox: Sandbox = {}): string {
  const parts = Object.entries(sandbox).map(([name, value]) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return `${name} ${items.join(" ")}`;
  });
  return `sandbox ${isolation}: ${parts.join(", ")}`;
}

/** `path: string, default "/": A path to look at` */
function toParameters(schema: Json): readonly string[] {
  const required = fieldOf(schema, "required");
  return Object.entries(fieldsOf(fieldOf(schema, "properties"))).map(([name, parameter]) => {
    const fallback = fieldOf(parameter, "default");
    const isNeeded = Array.isArray(required) && required.includes(name) && fallback === undefined;
    const need = fallback === undefined ? (isNeeded ? "" : ", optional") : `, default ${JSON.stringify(fallback)}`;
    const meaning = fieldOf(parameter, "description");
    return `${name}: ${toType(parameter)}${need}${typeof meaning === "string" ? `: ${meaning}` : ""}`;
  });
}

function toType(schema: Json): string {
  const options = fieldOf(schema, "enum");
  if (Array.isArray(options)) return options.map((option) => JSON.stringify(option)).join(" | ");
  const type = fieldOf(schema, "type");
  if (type === "array") return `list of ${toType(fieldOf(schema, "items") ?? {})}`;
  return typeof type === "string" ? type : "value";
}

function fieldOf(value: Json, name: string): Json | undefined {
  return Object.hasOwn(fieldsOf(value), name) ? fieldsOf(value)[name] : undefined;
}

function fieldsOf(value: Json | undefined): { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !isList(value) ? value : {};
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
