import assert from "node:assert/strict";
import { test } from "node:test";
import { SystemClock } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { openMemory } from "@baton/store/sqlite";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { ANSWER_HEADERS } from "./api-headers.ts";
import { KeyRing } from "../gateway/keys.ts";
import { ASKS, RELAY } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";

const ANSWER = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.unknown()).default({}),
});
const OPERATION = z.object({
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.looseObject({ $ref: z.string().optional() })),
  responses: z.record(z.string(), ANSWER),
});
const DOCUMENT = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), OPERATION)) });

test("programs can read the description: it is OpenAPI, and every reference in it leads somewhere", async () => {
  await using server = await startTestServer([RELAY]);
  const document = z.record(z.string(), z.unknown()).parse(await (await server.get("/openapi.json")).json());
  assert.deepEqual(await new Validator().validate(document), { valid: true });
  const text = JSON.stringify(document);
  assert.match(text, /"#\/components\/schemas\/Run"/);
  assert.doesNotMatch(text, /\$defs/);
});

type Asked = readonly [method: "get" | "post" | "delete", path: string, more?: Pick<RequestInit, "body" | "headers">];

const ASKED: readonly Asked[] = [
  ["get", "/health"],
  ["get", "/ready"],
  ["get", "/openapi.json"],
  ["get", "/metrics"],
  ["get", "/metrics?format=json"],
  ["get", "/metrics?format=xml"],
  ["get", "/api/crews"],
  ["get", "/api/crews/relay"],
  ["get", "/api/crews/nobody"],
  ["get", "/api/tools"],
  ["get", "/api/runs"],
  ["get", "/api/sessions"],
  ["post", "/api/runs", { body: "{" }],
  ["post", "/api/runs", { body: '{"input":"a"}', headers: { "Idempotency-Key": "a" } }],
  ["post", "/api/runs", { body: '{"input":"a"}', headers: { Prefer: "wait" } }],
  ["get", "/api/runs/RUN"],
  ["get", "/api/runs/RUN/events"],
  ["get", "/api/runs/RUN/events", { headers: { Accept: "application/json" } }],
  ["get", "/api/runs/RUN/calls/1.1.1"],
  ["post", "/api/runs/RUN/commands", { body: '{"type":"cancel"}' }],
  ["get", "/api/crew/stream?q=a"],
  ["post", "/api/crew/stream", { body: '{"query":"a"}' }],
  ["post", "/api/chat", { body: '{"id":"a","messages":[{"role":"user","parts":[{"type":"text","text":"a"}]}]}' }],
  ["post", "/api/agui", { body: '{"threadId":"a","runId":"b","messages":[{"role":"user","content":"a"}]}' }],
  ["get", "/v1/models"],
  ["get", "/v1/models/relay"],
  ["post", "/v1/chat/completions", { body: '{"model":"relay","messages":[{"role":"user","content":"a"}]}' }],
  ["post", "/v1/responses", { body: '{"model":"relay","input":"a"}' }],
  ["post", "/v1/responses", { body: '{"model":"relay","input":"a","stream":true}' }],
  ["post", "/v1/responses", { body: "{}" }],
  ["get", "/v1/models/nobody"],
];

test("answers have the types and headers that are described", async () => {
  const rateLimits = { global: { requests: 100, windowSeconds: 60 } };
  await using server = await startTestServer([RELAY], { rateLimits });
  const { paths } = DOCUMENT.parse(await (await server.get("/openapi.json")).json());
  const started = await server.post("/api/runs", { input: "a", session_id: "s" }, { Prefer: "wait" });
  const run = started.headers.get("x-run-id") ?? "";
  for (const [method, path, { body, headers = {} } = {}] of ASKED) {
    const answer = await fetch(server.url + path.replace("RUN", run), {
      method,
      ...omitUndefined({ body }),
      headers: { "Content-Type": "application/json", ...Object.fromEntries(new Headers(headers)) },
    });
    const route = path
      .replace(/\?.*$/, "")
      .replace(/(?<=crews|models|api\/runs)\/[^/]+/, "/{id}")
      .replace(/\/calls\/.+/, "/calls/{call}");
    const { responses = {} } = paths[route]?.[method] ?? {};
    const described = responses[answer.status] ?? responses["default"];
    const [type = ""] = (answer.headers.get("content-type") ?? "").split(";");
    assert.ok(Object.hasOwn(described?.content ?? {}, type), `${method} ${path}: ${answer.status} ${type}`);
    const said = Object.keys(ANSWER_HEADERS).filter((name) => answer.headers.has(name));
    const unsaid = said.filter((name) => !Object.hasOwn(described?.headers ?? {}, name));
    assert.deepEqual(unsaid, [], `${method} ${path}: ${answer.status}`);
    await answer.body?.cancel();
  }
});

const SCHEMA = z.looseObject({
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
});

/** Fields of a value that its schema does not have, and fields that the schema has and the value lacks. */
function differencesOf(document: object, described: unknown, value: unknown): readonly string[] {
  const schema = SCHEMA.parse(described ?? {});
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "") ?? [];
  const again = (next: unknown, part: unknown) => differencesOf(document, next, part);
  if (name !== undefined) return again(DOCUMENT_SCHEMAS.parse(document).components.schemas[name], value);
  if (schema.anyOf.length > 0)
    return schema.anyOf.map((one) => again(one, value)).toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (Array.isArray(value)) return value.flatMap((item) => again(schema.items, item));
  if (schema["type"] !== "object" || typeof value !== "object" || value === null) return [];
  const missing = z
    .array(z.string())
    .default([])
    .parse(schema["required"])
    .filter((field) => !(field in value));
  const parts = Object.entries(value).flatMap(([field, part]) => {
    const next = schema.properties[field] ?? schema.additionalProperties;
    return next === undefined ? [`${field} is not described`] : again(next, part);
  });
  return [...missing.map((field) => `${field} is missing`), ...parts];
}

const DOCUMENT_SCHEMAS = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

test("answers in JSON have the fields that are described, and no others", async () => {
  await using server = await startTestServer([ASKS, RELAY]);
  const document: unknown = await (await server.get("/openapi.json")).json();
  const { paths } = DOCUMENT.parse(document);
  const { headers } = await server.post("/api/runs", { input: "a", session_id: "s" }, { Prefer: "wait" });
  const run = `/api/runs/${headers.get("x-run-id")}`;
  for (const question of ["1.1.1", "1.1.2"])
    await server.post(`${run}/commands`, { type: "answer", question, value: question === "1.1.1" ? "allow" : "deny" });
  await (await server.get(`${run}/events`)).text();
  for (const [route, path] of [
    ["/metrics", "/metrics?format=json"],
    ["/health", "/health"],
    ["/ready", "/ready"],
    ["/api/crews", "/api/crews"],
    ["/api/crews/{id}", "/api/crews/asks"],
    ["/api/tools", "/api/tools"],
    ["/api/runs", "/api/runs"],
    ["/api/runs/{id}", run],
    ["/api/runs/{id}/calls/{call}", `${run}/calls/1.1.1`],
    ["/api/runs/{id}/calls/{call}", `${run}/calls/1.1.2`],
    ["/api/sessions", "/api/sessions"],
    ["/api/sessions/{id}/messages", "/api/sessions/s/messages"],
    ["/v1/models", "/v1/models"],
  ] as const) {
    const answer = await server.get(path);
    assert.equal(answer.status, 200, path);
    const described = JSON_CONTENT.parse(paths[route]?.["get"]?.responses[200]?.content["application/json"]);
    const value: unknown = await answer.json();
    assert.ok(isObject(document) && isObject(value));
    assert.deepEqual(differencesOf(document, described.schema, value), [], path);
  }
});

const JSON_CONTENT = z.object({ schema: z.unknown() });

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

test("lists that a request may send are described with their items", async () => {
  await using server = await startTestServer([RELAY]);
  const document: unknown = await (await server.get("/openapi.json")).json();
  const empty: string[] = [];
  JSON.parse(JSON.stringify(document), function (key, value: unknown) {
    if (key === "items" && JSON.stringify(value) === "{}") empty.push(JSON.stringify(this));
    return value;
  });
  assert.deepEqual(empty, []);
  const text = JSON.stringify(document);
  for (const described of [
    /"images":\{"maxItems":4,"type":"array","items":\{"type":"object","properties":\{"data":\{"type":"string","description":"A png[^}]+\},"media_type":\{[^}]+\},"alt_text":\{[^}]+\},"source":\{[^}]+\}\}/,
    /"history":\{"maxItems":1000,"type":"array","items":\{"type":"object","properties":\{"role":/,
    /"resume":\{"maxItems":100,"type":"array","items":\{"type":"object","properties":\{"interruptId":/,
  ])
    assert.match(text, described);
});

test("what needs no key says so, and everything else needs one where there are keys", async () => {
  const database = openMemory();
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const { key } = await ring.create("acme", ["run"]);
  await using server = await startTestServer([RELAY], { database });
  assert.equal((await server.get("/openapi.json")).status, 401);
  const described = await server.get("/openapi.json", { Authorization: `Bearer ${key}` });
  const { security, paths } = DOCUMENT.parse(await described.json());
  assert.deepEqual(security, [{ key: [] }, {}]);
  const gets = Object.entries(paths).filter(([, methods]) => methods["get"] !== undefined);
  for (const [path, { get }] of gets) {
    const { status } = await server.get(path.replace("{id}", "x"));
    assert.equal(status === 401, get?.security === undefined, `${path}: ${status}`);
  }
});
