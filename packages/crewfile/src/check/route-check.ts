/**
 * Route check: values of an output that lead nowhere, and routes that say what has no effect.
 */
import type { Agent, Crew, Json } from "@baton/core";
import { decideRoute } from "@baton/core/engine";
import type { Finding, When } from "@baton/core/ports";
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

type Schema = NonNullable<Agent["output"]>;
type Path = Finding["path"];
/** A value that an `enum` allows, and its place in the schema. */
type Allowed = Readonly<{ value: Json; path: Path }>;
/** A part of a schema, and its place. */
type Part = Readonly<{ schema: Json | undefined; path: Path }>;

const MAX_DEPTH = 20;

/** Values of an `enum` for which there is neither a route nor a fallback. */
export function* checkValues({ crew, positions, arrivals }: RoutingAnalysis): Iterable<GraphFinding> {
  for (const { place } of arrivals.keys()) {
    const agent = place.kind === "agent" ? crew.agents.get(place.id) : undefined;
    if (agent?.output === undefined || hasFallback(crew, agent)) continue;
    const conditions = (crew.signals.get(agent.id) ?? []).flatMap(({ when }) => (when === undefined ? [] : [when]));
    for (const { name, value, path } of findUnrouted(agent.output, conditions)) {
      yield {
        code: "unrouted_value",
        severity: "warning",
        path: ["agents", positions.get(agent.id) ?? 0, "output", ...path],
        message: `\`${name}: ${toText(value)}\` of \`${agent.id}\` leads nowhere: no \`when\` names it, and no other rule names the next agent`,
        fix: "add a `when` for it, or name the next agent in `routing.defaults`",
      };
    }
  }
}

function findUnrouted(output: Schema, conditions: readonly When[]): readonly (Allowed & { name: string })[] {
  const names = [...new Set(conditions.flatMap((when) => Object.keys(when)))];
  const allowed = names.flatMap((name) => allowedAt(output, name).map((one) => ({ ...one, name })));
  return allowed.filter(({ name, value }) => !conditions.some((when) => mayHold(when, name, value)));
}

/** Whether the crew says what follows a reply that fits no route; `auto_route` to any other agent does not count. */
function hasFallback(crew: Crew, agent: Agent): boolean {
  const route = decideRoute(crew, agent, undefined);
  if (route.kind === "go") return route.via !== "any";
  return route.kind === "pause" || agent.isTerminal || crew.behaviors.get(agent.id)?.isTerminal === true;
}

function mayHold(when: When, name: string, value: Json): boolean {
  if (!Object.hasOwn(when, name)) return true;
  const wanted = when[name];
  const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  return values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}

/** The values that the `enum`s at a dotted path allow. */
function allowedAt(output: Schema, name: string): readonly Allowed[] {
  let parts = alternatives({ schema: output, path: [] }, output);
  for (const field of name.split(".")) {
    parts = parts.flatMap((part) => alternatives(inside(inside(part, "properties"), field), output));
  }
  return parts.flatMap((part) => {
    const { schema, path } = inside(part, "enum");
    const values: readonly Json[] = Array.isArray(schema) ? schema : [];
    return values.map((value, index) => ({ value, path: [...path, index] }));
  });
}

/** A part, what it refers to, and each of its alternatives. */
function alternatives(part: Part, root: Schema, depth = 0): readonly Part[] {
  if (part.schema === undefined || depth > MAX_DEPTH) return [];
  const { schema: ref } = inside(part, "$ref");
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const { schema, path } = inside(part, keyword);
    const list: readonly Json[] = Array.isArray(schema) ? schema : [];
    return list.map((one, index) => ({ schema: one, path: [...path, index] }));
  });
  const named = typeof ref === "string" ? [toDefinition(root, ref)] : [];
  return [part, ...[...named, ...parts].flatMap((one) => alternatives(one, root, depth + 1))];
}

function toDefinition(root: Schema, ref: string): Part {
  return inside(inside({ schema: root, path: [] }, "$defs"), ref.slice(ref.lastIndexOf("/") + 1));
}

function inside({ schema, path }: Part, name: string): Part {
  const isMap = typeof schema === "object" && schema !== null && !Array.isArray(schema);
  const entry = isMap ? Object.entries(schema).find(([key]) => key === name) : undefined;
  return { schema: entry?.[1], path: [...path, name] };
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `return_to` of a route that does not lead to a sub-crew. */
export function* checkReturns({ crew }: RoutingAnalysis): Iterable<GraphFinding> {
  for (const [id, routes] of crew.signals) {
    for (const [index, { target, returnTo }] of routes.entries()) {
      if (returnTo === undefined || crew.subCrews.has(target)) continue;
      yield {
        code: "no_effect",
        severity: "warning",
        path: ["signals", id, index, "returnTo"],
        message: "`return_to` has no effect, because the target is not a sub-crew",
        fix: "remove it",
      };
    }
  }
}
