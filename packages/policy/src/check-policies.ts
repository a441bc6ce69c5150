/**
 * Check policies: everything wrong with the policies of a crew that can be told before it runs.
 */
import type { Json } from "@baton/core";
import type { JsonSchema } from "@baton/core/ports";
import { nearestWithin, schemasAt } from "@baton/core/util";
import type { FieldPath } from "./expression/check.ts";
import { type CompiledRule, compilePolicies, type PolicyFinding } from "./policy.ts";

/** Names that the rules of a crew may use: of the crew and of those that it contains. */
export interface PolicyNames {
  /** Tools with their input schemas; undefined if that is not known. */
  readonly tools: ReadonlyMap<string, Json | undefined>;
  readonly agents: readonly string[];
  /** Requests may bring tools with any name. */
  readonly takesAnyTool: boolean;
}

const MAX_SUGGESTIONS = 100;

/** All findings about policies: errors that no engine takes, names that the crew does not have, and what is useless. */
export function checkPolicies(policies: Json, names: PolicyNames): readonly PolicyFinding[] {
  const { findings, rules, facts, untrusted } = compilePolicies(policies);
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  const unknown = (path: PolicyFinding["path"], kind: "agent" | "tool", name: string): readonly PolicyFinding[] => {
    const known = kind === "tool" ? [...names.tools.keys()] : names.agents;
    if (known.includes(name) || (kind === "tool" && names.takesAnyTool)) return [];
    const near = nearest(name, new Set(known));
    const fix =
      near === undefined
        ? `write the name of ${kind === "tool" ? "a tool" : "an agent"} of the crew`
        : `did you mean \`${near}\`?`;
    return [
      {
        severity: "error",
        path,
        code: `unknown_${kind}`,
        message: `there is no ${kind} \`${name.slice(0, 60)}\``,
        fix,
      },
    ];
  };
  const ofRules = rules.flatMap((rule, at) => {
    const path = ["policies", "rules", at];
    return [
      ...(rule.tools ?? []).flatMap((name) => unknown([...path, "tools"], "tool", name)),
      ...(rule.agents ?? []).flatMap((name) => unknown([...path, "agents"], "agent", name)),
      ...checkWhen(rule, [...path, "when"], names),
    ];
  });
  const ofFacts = facts.flatMap(({ name, from }) =>
    from.flatMap((tool) => unknown(["policies", "facts", name, "from"], "tool", tool)),
  );
  const ofUntrusted = untrusted.flatMap((tool) => unknown(["policies", "untrusted"], "tool", tool));
  return [
    ...findings,
    ...ofUntrusted,
    ...ofFacts,
    ...ofRules,
    ...findUnused(
      rules,
      facts.map(({ name }) => name),
    ),
  ];
}

function checkWhen(
  { when, tools }: CompiledRule,
  path: PolicyFinding["path"],
  names: PolicyNames,
): readonly PolicyFinding[] {
  if (when === undefined) return [];
  const { reading } = when;
  if (reading.names.size === 0 && !reading.functions.has("tainted")) {
    const message = "`when` is always the same: it reads nothing of the call";
    return [
      { severity: "warning", path, code: "constant_condition", message, fix: "leave it out, or compare something" },
    ];
  }
  return reading.paths.flatMap((field) => {
    const [first, ...rest] = field.path;
    if (first !== "args" || rest.length === 0 || tools === undefined || tools.length === 0) return [];
    const isThere = tools.some((tool) => !names.tools.has(tool) || hasField(names.tools.get(tool), rest));
    return isThere ? [] : [toUnknownField(field, path, tools)];
  });
}

function toUnknownField(
  { path: parts, at, width }: FieldPath,
  path: PolicyFinding["path"],
  tools: readonly string[],
): PolicyFinding {
  const message = `\`${parts.join(".").slice(0, 60)}\`: no input of ${tools.join(", ")} has this field`;
  return {
    severity: "error",
    path,
    code: "unknown_field",
    message,
    fix: "write a field of its input schema",
    span: { at, width },
  };
}

/** Whether an input may have a field; a schema that lists no fields takes any. */
function hasField(schema: Json | undefined, path: readonly string[]): boolean {
  if (!isSchema(schema)) return true;
  for (const [at, name] of path.entries()) {
    const around = at === 0 ? [schema] : schemasAt(schema, path.slice(0, at).join(".")).schemas;
    const { known } = schemasAt(schema, path.slice(0, at + 1).join("."));
    const isOpen = around.some(({ additionalProperties: more }) => more === true || typeof more === "object");
    if (isOpen || (known.length === 0 && !around.some(({ properties }) => properties !== undefined))) return true;
    if (!known.includes(name)) return false;
  }
  return true;
}

function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findUnused(rules: readonly CompiledRule[], facts: readonly string[]): readonly PolicyFinding[] {
  const paths = rules.flatMap(({ when }) => when?.reading.paths.filter(({ path }) => path[0] === "facts") ?? []);
  if (paths.some(({ path }) => path.length === 1)) return [];
  const used = new Set(paths.map(({ path }) => path[1]));
  return facts
    .filter((name) => !used.has(name))
    .map((name) => {
      const message = `no rule reads the fact \`${name}\``;
      return {
        severity: "warning",
        path: ["policies", "facts", name],
        part: "name",
        code: "unused_fact",
        message,
        fix: "use it, or delete it",
      };
    });
}
