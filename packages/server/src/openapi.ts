/**
 * OpenAPI: the description of all routes, from the very schemas that validate.
 *
 * Reads: api. Read by: routes.
 */
import { z } from "zod";
import type { AnswerDefinition, RouteDefinition } from "./api.ts";

const PROBLEM = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    problems: z.array(z.object({ field: z.string(), message: z.string() })),
  })
  .meta({ description: "RFC 9457; below /v1 errors have OpenAI's form" });

/** The document of these routes. */
export function toOpenApi(routes: readonly RouteDefinition[]): object {
  const paths = new Map<string, Map<string, object>>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z]+)/g, "{$1}");
    const methods = paths.get(path) ?? new Map<string, object>();
    paths.set(path, methods.set(route.method, toOperation(route)));
  }
  return {
    openapi: "3.1.0",
    info: { title: "Baton", version: "0.1.0", description: "Crews of agents over HTTP." },
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    paths: Object.fromEntries(Array.from(paths, ([path, methods]) => [path, Object.fromEntries(methods)])),
  };
}

function toOperation(route: RouteDefinition): object {
  const { path, method, summary, scope, query, body, answers } = route;
  const names = Array.from(path.matchAll(/:([a-z]+)/g), ([, name]) => name);
  const inPath = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const parameters = [...inPath, ...(query === undefined ? [] : toParameters(query))];
  const responses = Object.entries(answers).map(([status, answer]): [string, object] => [status, toAnswer(answer)]);
  const problem = {
    description: "What is wrong",
    content: { "application/problem+json": { schema: toSchema(PROBLEM, "output") } },
  };
  return {
    summary,
    operationId: `${method} ${path}`.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/_$/g, ""),
    ...(scope === undefined ? {} : { security: [{ key: [] }, {}], description: `Needs the scope \`${scope}\`.` }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: toSchema(body, "input") } } } }),
    responses: { ...Object.fromEntries(responses), default: problem },
  };
}

function toAnswer({ description, schema, type = "application/json" }: AnswerDefinition): object {
  if (schema === undefined && type === "application/json") return { description };
  return { description, content: { [type]: schema === undefined ? {} : { schema: toSchema(schema, "output") } } };
}

function toParameters(query: z.ZodType): readonly object[] {
  const { properties = {}, required = [] } = z
    .object({
      properties: z.record(z.string(), z.unknown()).optional(),
      required: z.array(z.string()).optional(),
    })
    .parse(toSchema(query, "input"));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/** What is said by code alone, such as the rules for text, is described as the plain value that is sent. */
function toSchema(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
  return rest;
}
