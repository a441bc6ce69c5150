/**
 * OpenAPI: the description of all routes, from the very schemas that validate.
 *
 * What a key is needed for, and how an error looks, is asked of the gateway, which decides it.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  ASKED_ALWAYS,
  REQUEST_HEADERS,
  type RequestHeader,
  SAID_ALWAYS,
  SAID_OF_ERRORS,
} from "./api-headers.ts";
import type { AnswerDefinition, RouteDefinition } from "./api.ts";
import { isOpenPath } from "../gateway/gateway.ts";
import { isOpenAi, OPENAI_ERROR, PROBLEM } from "../gateway/problem.ts";

/** A part of a path that is a parameter, perhaps with what it may be: `:id`, `:call{.+}`. */
const PARAMETER = /:([a-zA-Z0-9_]+)(?:\{[^}]+\})?/g;

/** The document of these routes. */
export function toOpenApi(routes: readonly RouteDefinition[]): object {
  const schemas = new Map<string, unknown>();
  const paths = new Map<string, Map<string, object>>();
  for (const route of routes) {
    const path = route.path.replaceAll(PARAMETER, "{$1}");
    const methods = paths.get(path) ?? new Map<string, object>();
    paths.set(path, methods.set(route.method, toOperation(route, schemas)));
  }
  return {
    openapi: "3.1.0",
    info: { title: "Baton", version: "0.1.0", description: "Crews of agents over HTTP." },
    // The operator decides whether a server needs a key.
    security: [{ key: [] }, {}],
    paths: Object.fromEntries(Array.from(paths, ([path, methods]) => [path, Object.fromEntries(methods)])),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(schemas),
      parameters: mapValues(REQUEST_HEADERS, (description, name) => ({ name, in: "header", description, ...TEXT })),
      headers: mapValues(ANSWER_HEADERS, (description) => ({ description, ...TEXT })),
    },
  };
}

const TEXT = { schema: { type: "string" } } as const;

/** The schemas that have a name, by that. */
type Schemas = Map<string, unknown>;

function toOperation(route: RouteDefinition, schemas: Schemas): object {
  const { path, method, summary, scope, isOpen = false, query, body, headers = [], answers } = route;
  const names = Array.from(path.matchAll(PARAMETER), ([, name]) => name);
  const parameters = [
    ...names.map((name) => ({ name, in: "path", required: true, ...TEXT })),
    ...(query === undefined ? [] : toParameters(query, schemas)),
    ...[...headers, ...ASKED_ALWAYS].map(toParameter),
  ];
  return {
    summary,
    operationId: `${method} ${path}`.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/_$/g, ""),
    ...omitUndefined({
      description:
        scope === undefined
          ? undefined
          : `Needs the scope ${[scope]
              .flat()
              .map((one) => `\`${one}\``)
              .join(" or ")}.`,
      security: isOpen || isOpenPath(path) ? [] : undefined,
      requestBody: body && { required: true, content: toContent({ schema: body, io: "input" }, schemas) },
    }),
    parameters,
    responses: { ...mapValues(answers, (answer) => toAnswer(answer, schemas)), default: toError(path, schemas) },
  };
}

function toError(path: string, schemas: Schemas): object {
  const [type, schema] = isOpenAi(path) ? ["application/json", OPENAI_ERROR] : ["application/problem+json", PROBLEM];
  return {
    description: "What is wrong",
    headers: toHeaders([...SAID_ALWAYS, ...SAID_OF_ERRORS]),
    content: { [type]: { schema: toSchema({ schema, io: "output" }, schemas) } },
  };
}

function toAnswer({ description, schema, type, headers = [] }: AnswerDefinition, schemas: Schemas): object {
  const content = {
    ...(schema === undefined ? {} : toContent({ schema, io: "output" }, schemas)),
    ...(type === undefined ? {} : { [type]: TEXT }),
  };
  const isEmpty = Object.keys(content).length === 0;
  return { description, headers: toHeaders([...SAID_ALWAYS, ...headers]), ...(isEmpty ? {} : { content }) };
}

function toHeaders(names: readonly AnswerHeader[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function toParameter(name: RequestHeader): object {
  return { $ref: `#/components/parameters/${name}` };
}

function toParameters(query: z.ZodType, schemas: Schemas): readonly object[] {
  const { properties = {}, required = [] } = z
    .object({
      properties: z.record(z.string(), z.unknown()).optional(),
      required: z.array(z.string()).optional(),
    })
    .parse(toSchema({ schema: query, io: "input" }, schemas));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/** A schema as what is sent, or as what is answered. */
interface Described {
  readonly schema: z.ZodType;
  readonly io: "input" | "output";
}

function toContent(described: Described, schemas: Schemas): object {
  return { "application/json": { schema: toSchema(described, schemas) } };
}

/** Describes rules that only code checks, such as those for text, as the plain value. */
function toSchema({ schema, io }: Described, schemas: Schemas): unknown {
  const {
    $schema: _version,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: toOpen });
  for (const [name, named] of Object.entries($defs)) schemas.set(name, toReferring(named));
  return toReferring(rest);

  /** An answer may have more fields one day. */
  function toOpen({ jsonSchema }: { readonly jsonSchema: { additionalProperties?: unknown } }): void {
    if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  }
}

/** In this document schemas that have a name are in one place. */
function toReferring(schema: object): unknown {
  const referring: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", "#/components/schemas/") : value,
  );
  return referring;
}

function mapValues<T>(record: Readonly<Record<string, T>>, to: (value: T, name: string) => object): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]));
}
