/**
 * Output check: whether agents' output schemas can be checked, and whether routes by output can ever be followed.
 */
import { type CrewDefinition, entriesOf, type Finding, type SignalRoute } from "./definition.ts";
import { checkJson, findUnsupported, schemasAt } from "../words/schema/json-schema.ts";
import type { Json } from "../words/json.ts";
import { nearest } from "../words/nearest.ts";
import { hasParser, type JsonSchema, type OutputSchema, toOutputSchema } from "../words/schema/schema.ts";

type Defect = Omit<Finding, "severity">;
type Path = Finding["path"];

/** Finds what core cannot check in the schemas of a definition; a schema that parses by itself may have anything. */
export function* checkSchemas({ agents }: CrewDefinition): Iterable<Defect> {
  for (const [index, agent] of agents.entries()) {
    for (const field of ["output", "input"] as const) {
      const { [field]: given, id } = agent;
      if (given === undefined || hasParser(given)) continue;
      for (const { path, what } of findUnsupported(trySchema(given, id))) {
        const message = `${what} of JSON Schema is not supported`;
        const fix = "remove it, or say it in prose";
        yield { code: "invalid_schema", path: ["agents", index, field, ...path], message, fix };
      }
    }
  }
}

/** Finds defects of routes by outputs, and of maps over outputs. */
export function* checkOutputs(definition: CrewDefinition): Iterable<Defect> {
  const outputs = new Map<string, JsonSchema>();
  for (const { output, id } of definition.agents) {
    const schema = output === undefined ? undefined : trySchema(output, id);
    if (schema !== undefined) outputs.set(id, schema);
  }
  for (const [agent, routes] of entriesOf(definition.signals)) {
    // A definition from outside may have anything in this place, which other checks report.
    if (!Array.isArray(routes)) continue;
    for (const [index, route] of entriesOf(routes)) {
      if (!isRoute(route)) continue;
      yield* checkRoute(route, ["signals", agent, index], outputs.get(agent));
      yield* checkMap(definition, route.target, { agent, output: outputs.get(agent) });
    }
  }
}

/** The agent that leads to a map, and the schema of its output. */
type Sender = Readonly<{ agent: string; output: JsonSchema | undefined }>;

/** A map over an output needs an agent before it whose output has a list there. */
function* checkMap({ groups }: CrewDefinition, target: string, { agent, output }: Sender): Iterable<Defect> {
  const { over } = new Map(entriesOf(groups)).get(target) ?? {};
  if (typeof over !== "string" || !over.startsWith(IN_OUTPUT)) return;
  const path = ["groups", target, "over"];
  if (output === undefined) {
    const message = `\`${agent}\`, which leads to it, has no \`output\``;
    yield { code: "invalid_over", path, message, fix: "give the agent an `output`, or go over `state.KEY`" };
    return;
  }
  const name = over.slice(IN_OUTPUT.length);
  const { schemas, known } = schemasAt(output, name);
  // A schema that names no fields may have any.
  if (known.length === 0 || schemas.some(mayBeList)) return;
  yield schemas.length > 0
    ? { code: "invalid_over", path, message: `\`${over}\` of \`${agent}\` is not a list`, fix: "name a list" }
    : { code: "invalid_over", path, message: `the output of \`${agent}\` has no \`${name}\``, fix: toFix(name, known) };
}

/** The nearest field of an output, or all that it has. */
function toFix(name: string, known: readonly string[]): string {
  const near = nearest(name.split(".").at(-1) ?? "", known);
  return near === undefined ? `the output has ${known.join(", ") || "no fields"}` : `did you mean \`${near}\`?`;
}

const IN_OUTPUT = "output.";

/** Whether a value of a schema can be a list; references and choices may be anything. */
const mayBeList = ({ type }: JsonSchema): boolean => type === undefined || [type].flat().includes("array");

function isRoute(value: unknown): value is SignalRoute {
  return typeof value === "object" && value !== null && "target" in value;
}

function trySchema(schema: OutputSchema, id: string): JsonSchema | undefined {
  try {
    return toOutputSchema(schema, id);
  } catch {
    return undefined;
  }
}

function* checkRoute({ signal, when }: SignalRoute, path: Path, output: JsonSchema | undefined): Iterable<Defect> {
  if (when === undefined) {
    if (signal !== undefined) return;
    yield {
      code: "invalid_route",
      path,
      message: "the route has neither a signal nor a `when`",
      fix: "add one of them",
    };
    return;
  }
  const at = [...path, "when"];
  if (signal !== undefined) {
    yield { code: "invalid_route", path: at, message: "the route has a signal and a `when`", fix: "write two routes" };
  }
  if (output === undefined) {
    const message = "the agent has no `output` that this could be compared with";
    yield { code: "when_without_output", path: at, message, fix: "give the agent an `output`, or use a signal" };
    return;
  }
  for (const [name, wanted] of Object.entries(when)) yield* checkCondition({ name, wanted }, [...at, name], output);
}

type Condition = Readonly<{ name: string; wanted: Json }>;

function* checkCondition({ name, wanted }: Condition, path: Path, output: JsonSchema): Iterable<Defect> {
  const { schemas, known } = schemasAt(output, name);
  if (schemas.length === 0) {
    const message = `the output has no \`${name}\``;
    yield { code: "unknown_path", path, part: "name", message, fix: toFix(name, known) };
    return;
  }
  const values: readonly Json[] = Array.isArray(wanted) ? wanted : [wanted];
  for (const [index, value] of values.entries()) {
    const problems = schemas.map((schema) => checkJson({ ...schema, $defs: output["$defs"] ?? {} }, value));
    if (problems.some((issues) => issues.length === 0)) continue;
    const message = `\`${name}\` can never be ${JSON.stringify(value)}: it ${problems[0]?.[0]?.message ?? "does not fit"}`;
    const at = Array.isArray(wanted) ? [...path, index] : path;
    yield { code: "impossible_value", path: at, message, fix: "use a value that the output allows" };
  }
}
