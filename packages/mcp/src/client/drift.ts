/**
 * Drift: how the tools of a server differ from what is locked of them.
 */
import type { Json } from "@baton/core";
import { isEqualJson } from "@baton/core/util";
import { isObject } from "./json-rpc.ts";
import { hashDefinition, type LockedServer, type McpDefinition } from "@baton/crewfile/mcp";

/** One place of a definition that differs. */
export type DefinitionChange = Readonly<{ path: string; locked: Json; now: Json }>;

/** A tool that is new, gone or changed. */
export type ToolDrift = Readonly<{
  tool: string;
  change: "added" | "removed" | "changed";
  diff?: readonly DefinitionChange[];
}>;

const MAX_CHANGES = 50;
const MAX_DEPTH = 64;

/** Every tool that differs, sorted by name. */
export function findDrift(
  locked: LockedServer["tools"] | undefined,
  now: ReadonlyMap<string, McpDefinition>,
): readonly ToolDrift[] {
  const known = locked ?? {};
  const names = new Set([...Object.keys(known), ...now.keys()]);
  return [...names]
    .toSorted()
    .flatMap((tool) => toDrift(tool, Object.hasOwn(known, tool) ? known[tool] : undefined, now.get(tool)));
}

function toDrift(
  tool: string,
  locked: LockedServer["tools"][string] | undefined,
  now: McpDefinition | undefined,
): readonly ToolDrift[] {
  if (locked === undefined) return now === undefined ? [] : [{ tool, change: "added" }];
  if (now === undefined) return [{ tool, change: "removed" }];
  if (hashDefinition(now) === locked.hash) return [];
  return [{ tool, change: "changed", diff: diffDefinitions(locked.definition, now) }];
}

/** The places in which two definitions differ, as far as a person could read them. */
export function diffDefinitions(locked: McpDefinition, now: McpDefinition): readonly DefinitionChange[] {
  const toJson = (definition: McpDefinition): Json => Object.fromEntries(Object.entries(definition));
  return [...Iterator.from(diff(toJson(locked), toJson(now), "")).take(MAX_CHANGES)];
}

function* diff(locked: Json | undefined, now: Json | undefined, path: string): Iterable<DefinitionChange> {
  if (isEqualJson(locked, now)) return;
  const isBoth = isObject(locked) && isObject(now) && path.split(".").length < MAX_DEPTH;
  if (!isBoth) {
    yield { path, locked: locked ?? null, now: now ?? null };
    return;
  }
  for (const name of new Set([...Object.keys(locked), ...Object.keys(now)]))
    yield* diff(own(locked, name), own(now, name), path === "" ? name : `${path}.${name}`);
}

const own = (value: Readonly<Record<string, Json>>, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;
