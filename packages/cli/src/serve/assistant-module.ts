/**
 * Assistant module: loads the assistant.ts of a crew folder, which adds routes, dialects, a startup check and a shutdown
 * hook to the server.
 *
 * Each export is checked before the server listens; an error names the file and the field.
 */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BatonError } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import type { OnShutdown } from "@baton/crewfile";
import type { ServerOptions } from "@baton/server";
import type { MetricsRegistry } from "@baton/server/mount";
import { SCOPES } from "@baton/server/keys";

/** The parts that an assistant adds to the server. */
export interface AssistantModule extends Required<Pick<ServerOptions, "routes" | "dialects">> {
  readonly onShutdown?: OnShutdown;
  /** Called before the server listens, with the address; throws to refuse. */
  readonly check?: AssistantCheck;
  /** Metrics of its own, for `/metrics`. */
  readonly metrics?: MetricsRegistry;
}

/** The address on which a server will listen. */
export type ServerAddress = Readonly<{ host: string; isLoopback: boolean }>;

/** Throws if the assistant must not be served at this address. */
export type AssistantCheck = (place: ServerAddress) => void | Promise<void>;

type Route = AssistantModule["routes"][number];
type AnyDialect = AssistantModule["dialects"][number];

const FILE = "assistant.ts";
const FIX = "write `export default { routes: [], dialects: [] }`";
const METHODS: readonly unknown[] = ["get", "post", "put", "delete"];
const KNOWN: readonly string[] = ["routes", "dialects", "onShutdown", "check", "metrics"];

/** Imports the assistant.ts beside a crew; undefined if the file does not exist. Throws `invalid` if it cannot be mounted. */
export async function loadAssistant(crewPath: string): Promise<AssistantModule | undefined> {
  const path = join(/\.ya?ml$/.test(crewPath) ? dirname(crewPath) : crewPath, FILE);
  if (!(await isFile(path))) return undefined;
  const fail = (problem: string): never => {
    throw new BatonError("invalid", `${path}: ${problem}`);
  };
  const exported = toFields(await importFile(path));
  const own = toFields(exported.get("default"));
  if (!exported.has("default") || own.size === 0) fail(`the default export is not an object; ${FIX}`);
  const unknown = [...own.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined)
    fail(`the default export has an unknown field \`${unknown}\`; it may have ${KNOWN.join(", ")}`);
  const onShutdown = own.get("onShutdown");
  if (onShutdown !== undefined && !isCallback(onShutdown)) return fail("`onShutdown` is not a function");
  const check = own.get("check");
  if (check !== undefined && !isCheck(check)) return fail("`check` is not a function");
  const metrics = own.get("metrics");
  if (metrics !== undefined && !isRegistry(metrics)) return fail("`metrics` is not a registry of prom-client");
  const [routes, dialects] = [toList(own.get("routes")), toList(own.get("dialects"))];
  if (routes === undefined || dialects === undefined) return fail("`routes` and `dialects` must be lists");
  const problem = findProblem("routes", routes, routeProblem) ?? findProblem("dialects", dialects, dialectProblem);
  if (problem !== undefined) fail(problem);
  return {
    routes: routes.filter(isRoute),
    dialects: dialects.filter(isDialect),
    ...omitUndefined({ onShutdown, check, metrics }),
  };
}

/** The routes of a crew's assistant; they start runs of that crew unless they name another. */
export function toMounts(id: string, { routes }: AssistantModule): readonly Route[] {
  return routes.map((route) => ({ ...route, crew: route.crew ?? id, handle: (request) => route.handle(request) }));
}

/** The dialects of a crew's assistant; another crew may use the same names. */
export function toDialects(id: string, { dialects }: AssistantModule): readonly AnyDialect[] {
  return dialects.map((dialect) => ({
    ...dialect,
    name: dialect.name,
    crew: dialect.crew ?? id,
    start: (context) => dialect.start(context),
    next: (state, event) => dialect.next(state, event),
    ...omitUndefined({
      interrupted: dialect.interrupted?.bind(dialect),
      toPing: dialect.toPing?.bind(dialect),
      toQueued: dialect.toQueued?.bind(dialect),
    }),
  }));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function importFile(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new BatonError("invalid", `${path}: the import failed: ${toMessage(error)}; fix it and try again`, {
      cause: error,
    });
  }
}

function toFields(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

function toList(value: unknown = []): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function findProblem(
  name: string,
  items: readonly unknown[],
  problemOf: (item: unknown) => string | undefined,
): string | undefined {
  const at = items.findIndex((item) => problemOf(item) !== undefined);
  return at === -1 ? undefined : `\`${name}[${at}]\` ${problemOf(items[at])}`;
}

function routeProblem(value: unknown): string | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return "is not a route";
  if (!METHODS.includes(fields("method"))) return `needs a \`method\`: ${METHODS.join(", ")}`;
  if (typeof fields("path") !== "string") return "needs a `path`, such as /api/notes/:id";
  if (typeof fields("summary") !== "string") return "needs a `summary`: one line for /openapi.json";
  if (!SCOPES.some((scope) => scope === fields("scope"))) return `needs a \`scope\`: ${SCOPES.join(", ")}`;
  if (toFields(fields("answers")).size === 0) return "needs `answers`, by status: { 200: { description } }";
  if (typeof fields("handle") !== "function") return "needs a function `handle`";
  const wrong = ["query", "body"].find((name) => fields(name) !== undefined && !isSchema(fields(name)));
  return wrong === undefined ? undefined : `has a \`${wrong}\` that is not a schema of zod`;
}

function dialectProblem(value: unknown): string | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return "is not a dialect";
  if (typeof fields("name") !== "string") return "needs a `name`";
  const missing = ["start", "next"].find((name) => typeof fields(name) !== "function");
  return missing === undefined ? undefined : `needs a function \`${missing}\``;
}

/** Reads the fields of an object, including those of its class. */
function fieldsOf(value: unknown): ((name: string) => unknown) | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (name) => {
    const field: unknown = Reflect.get(value, name);
    return field;
  };
}

function isSchema(value: unknown): boolean {
  return typeof fieldsOf(value)?.("safeParse") === "function";
}

function isCallback(value: unknown): value is OnShutdown {
  return typeof value === "function";
}

function isCheck(value: unknown): value is AssistantCheck {
  return typeof value === "function";
}

function isRegistry(value: unknown): value is MetricsRegistry {
  const fields = fieldsOf(value);
  return ["metrics", "getMetricsAsJSON", "getMetricsAsArray"].every((name) => typeof fields?.(name) === "function");
}

function isRoute(value: unknown): value is Route {
  return routeProblem(value) === undefined;
}

function isDialect(value: unknown): value is AnyDialect {
  return dialectProblem(value) === undefined;
}
