import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { createKey } from "./keys.ts";
import { parseSent, bodyOf, startGateway } from "./testing/gateway-server.ts";

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const THREE = [
  [200, false],
  [200, false],
  [200, false],
];
const QUOTA = { requests: 2, windowSeconds: 60 };
const ORIGIN = "https://app.example";
const HOSTS = { bound: "127.0.0.1", allowedHosts: ["baton.example"], origins: [] };

test("each wrong request gets its status and code", async () => {
  await using server = await startGateway({ hosts: HOSTS });
  const table = [
    ["GET /api/me", ["Host: evil.com"], 403, "host_not_allowed"],
    ["GET /nowhere", ["Host: evil.com"], 403, "host_not_allowed"],
    ["GET /", ["Host: evil.com"], 403, "host_not_allowed"],
    ["GET /health", ["Host: evil.com"], 200, undefined],
    ["GET /health", [], 200, undefined],
    ["GET /health", ["Host: evil.com", "Origin: http://evil.com"], 403, "origin_not_allowed"],
    ["GET /", ["Host: BATON.example.:99"], 200, undefined],
    ["GET /health", ["Host: baton.example"], 200, undefined],
    ["GET /api/me", ["Host: baton.example"], 401, "invalid_api_key"],
    ["GET /api/me", ["Host: BATON.example.:99"], 401, "invalid_api_key"],
    ["GET /nowhere", ["Host: baton.example"], 401, "invalid_api_key"],
    ["GET /api/me", ["Host: baton.example", "Authorization: Bearer sk-anything"], 401, "invalid_api_key"],
    ["GET http://baton.example/api/me", ["Host: localhost"], 401, "invalid_api_key"],
    ["GET http://localhost/api/me", ["Host: baton.example"], 401, "invalid_api_key"],
    ["GET /api/me", ["Host: LOCALHOST.:99"], 200, undefined],
    ["GET /api/me", ["Host: [::1]:8080"], 200, undefined],
    ["GET /api/me", [], 400, "invalid_request"],
    ["GET /api/me", ["Host: localhost", "Host: localhost"], 400, "invalid_request"],
    ["GET /api/me", ["Host: localhost", "host: evil.com"], 400, "invalid_request"],
    ["GET /api/me", ["Host: us er@localhost"], 400, "invalid_target"],
    ["GET http://localhost/api/me", ["Host: 127.0.0.1"], 200, undefined],
    ["GET http://evil.com/api/me", ["Host: localhost"], 403, "host_not_allowed"],
    ["GET http://localhost/api/me", ["Host: evil.com"], 403, "host_not_allowed"],
    ["GET http://evil.com/health", ["Host: evil.com"], 200, undefined],
    ["GET /api/me", ["Host: localhost", "Origin: http://localhost"], 200, undefined],
    ["GET /api/me", ["Host: localhost", "Origin: null"], 403, "origin_not_allowed"],
    ["GET /api/me", ["Host: localhost", "Origin: http://localhost:3000"], 403, "origin_not_allowed"],
    ["OPTIONS /api/me", ["Host: localhost", "Origin: https://evil.com"], 403, "origin_not_allowed"],
    ["GET /nowhere", ["Host: localhost", "Origin: https://evil.com"], 403, "origin_not_allowed"],
    ["GET /api/query?q=a", ["Host: localhost", "Sec-Fetch-Site: cross-site"], 403, "origin_not_allowed"],
    ["GET /", ["Host: localhost", "Sec-Fetch-Site: cross-site"], 200, undefined],
    ["GET /api/me", ["Host: localhost", "Sec-Fetch-Site: same-origin"], 200, undefined],
    ["GET /nowhere", ["Host: localhost"], 404, "not_found"],
    ["GET /api/me/", ["Host: localhost"], 404, "not_found"],
    ["DELETE /api/me", ["Host: localhost"], 405, "method_not_allowed"],
    ["OPTIONS /api/me", ["Host: localhost"], 405, "method_not_allowed"],
    ["HEAD /api/echo", ["Host: localhost"], 405, undefined],
    ["GET /api/broken", ["Host: localhost"], 500, "internal"],
    ["OPTIONS *", ["Host: localhost"], 400, "invalid_target"],
    ["GET /a\\b", ["Host: localhost"], 400, "invalid_target"],
  ] as const;
  for (const [line, headers, status, code] of table) {
    const answer = await server.raw(`${[`${line} HTTP/1.1`, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`);
    const sent = answer.headers.get("content-type") === "application/problem+json" && answer.body !== "";
    const found = sent ? parseSent(answer.body).code : undefined;
    assert.deepEqual([answer.status, found], [status, code], `${line} ${headers.join(", ")}`);
    assert.ok(answer.headers.has("x-request-id"), line);
  }
});

test("a method that is not there is told which are", async () => {
  await using server = await startGateway();
  const allowed = async (path: string) =>
    (await fetch(`${server.url}${path}`, { method: "PATCH" })).headers.get("allow");
  assert.equal(await allowed("/api/me"), "GET, HEAD");
  assert.equal(await allowed("/api/session/x"), "POST");
  assert.equal(await allowed("/nowhere"), null);
});

test("every answer is named and safe for browsers: answers, errors and streams written to Node's response", async () => {
  await using server = await startGateway();
  for (const path of ["/api/me", "/api/stream", "/nowhere", "/api/broken", "/health", "/"]) {
    const answer = await fetch(`${server.url}${path}`, { headers: { "X-Request-Id": "mine" } });
    assert.equal(answer.headers.get("x-request-id"), "mine");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(answer.headers.get("set-cookie"), null);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
  }
});

test("routes see who asks and the caller's trace", async () => {
  await using server = await startGateway();
  const headers = { "X-Request-Id": "r-1", traceparent: TRACE };
  assert.deepEqual(await (await fetch(`${server.url}/api/me`, { headers })).json(), {
    tenant: "local",
    user: "local",
    scopes: ["run", "read", "approve", "admin"],
    requestId: "r-1",
    traceparent: { traceId: TRACE.slice(3, 35), parentId: TRACE.slice(36, 52), isSampled: true },
  });
  const wrong = await fetch(`${server.url}/api/me`, { headers: { "X-Request-Id": "<script>", traceparent: "junk" } });
  const { requestId, traceparent } = await bodyOf(wrong);
  assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  assert.equal(traceparent, undefined);
});

test("from the first key on it is needed everywhere but on probes and pages, before a path is known to exist", async () => {
  await using server = await startGateway();
  const { key, record } = await server.keys.create("acme", ["run", "read"]);
  const status = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    (await fetch(`${server.url}${path}`, { headers, method })).status;
  const mine = { Authorization: `Bearer ${key}` };
  assert.deepEqual(await Promise.all(["/health", "/"].map((path) => status(path))), [200, 200]);
  assert.deepEqual(await Promise.all(["/api/me", "/nowhere"].map((path) => status(path))), [401, 401]);
  assert.equal(await status("/api/me", { Authorization: "Bearer sk-wrong" }), 401);
  assert.equal(await status("/api/me", mine), 200);
  assert.equal(await status("/api/admin", mine, "POST"), 403);
  const me = await bodyOf(await fetch(`${server.url}/api/me`, { headers: { ...mine, "X-Tenant": "other" } }));
  assert.deepEqual([me["tenant"], me["user"], me["scopes"]], ["acme", record.id, ["run", "read"]]);
  await server.keys.revoke(record.id);
  assert.equal(await status("/api/me", mine), 401);
});

test("a proxy reaches nothing without a key: the answer says how to create one, and with one it is served", async () => {
  await using server = await startGateway({ hosts: HOSTS });
  const ask = (headers: readonly string[] = []) =>
    server.raw(
      `${["GET /api/me HTTP/1.1", "Host: baton.example", ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`,
    );
  const refused = await ask();
  assert.equal(refused.status, 401);
  assert.match(String(parseSent(refused.body).detail), /baton keys create --tenant NAME --scopes run,read/);
  assert.equal(refused.headers.get("www-authenticate"), 'Bearer realm="baton"');
  const { key } = await server.keys.create("acme", ["run"]);
  assert.equal((await ask([`Authorization: Bearer ${key}`])).status, 200);
  assert.equal((await ask()).status, 401);
});

function toRequest(path: string, headers: readonly string[]): string {
  const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", "X-Request-Id: same", ...headers, "Connection: close"];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

test("a key that is missing, malformed, unknown or revoked gets one answer, to the byte", async () => {
  await using server = await startGateway();
  const { key } = await server.keys.create("acme", ["run", "read"]);
  const revoked = await server.keys.create("acme", ["run", "read"]);
  await server.keys.revoke(revoked.record.id);
  const unknown = createKey({ tenant: "acme", scopes: ["run"] }, 0).key;
  const headers = [
    [],
    ["Authorization:"],
    ["Authorization: Bearer"],
    ["Authorization: Basic dXNlcjpwYXNz"],
    [`Authorization: Basic ${key}`],
    [`Authorization: ${key}`],
    ["Authorization: Bearer sk-wrong"],
    [`Authorization: Bearer ${key}0`],
    [`Authorization: Bearer ${key} x`],
    [`Authorization: Bearer ${key.slice(0, 20)}${unknown.slice(20)}`],
    [`Authorization: Bearer ${unknown}`],
    [`Authorization: Bearer ${revoked.key}`],
    [`Authorization: Bearer ${key}, Bearer ${key}`],
  ];
  for (const path of ["/api/me", "/v1/models", "/nowhere"]) {
    const answers = await Promise.all(headers.map((lines) => server.raw(toRequest(path, lines))));
    const seen = new Set(
      answers.map(({ status, headers: sent, body }) =>
        JSON.stringify([status, [...sent].filter(([name]) => name !== "date"), body]),
      ),
    );
    assert.deepEqual([answers[0]?.status, [...seen].slice(1)], [401, []], path);
  }
});

test("clients of OpenAI read its form of an error", async () => {
  await using server = await startGateway();
  const send = (body: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  assert.deepEqual(await (await send("{}")).json(), {
    error: {
      message: "The request is not valid: see query.\nquery: is missing",
      type: "invalid_request_error",
      code: "invalid",
      param: "query",
    },
  });
  await server.keys.create("acme", ["run"]);
  assert.deepEqual((await bodyOf(await send("{}")))["error"], {
    message:
      "This server needs a valid API key: send `Authorization: Bearer KEY` once. If you did, the key is wrong or was revoked.",
    type: "authentication_error",
    code: "invalid_api_key",
    param: null,
  });
});

test("without configured origins no other page reads anything; with them those do, and only those", async () => {
  await using server = await startGateway({ hosts: { ...HOSTS, origins: [ORIGIN] } });
  await server.keys.create("acme", ["run"]);
  const preflight = await fetch(`${server.url}/api/echo`, {
    method: "OPTIONS",
    headers: {
      Origin: ORIGIN,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type,x-stainless-os",
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(preflight.headers.get("access-control-allow-headers"), "authorization,content-type,x-stainless-os");
  assert.equal(preflight.headers.get("access-control-allow-credentials"), null);
  const refused = await fetch(`${server.url}/api/me`, { headers: { Origin: ORIGIN } });
  assert.deepEqual([refused.status, refused.headers.get("access-control-allow-origin")], [401, ORIGIN]);
  const other = await fetch(`${server.url}/api/me`, { headers: { Origin: "https://evil.com" } });
  assert.deepEqual([other.status, other.headers.get("access-control-allow-origin")], [403, null]);
  assert.equal(other.headers.get("vary"), "Origin");
});

test("what is the server's fault is reported with its request, and its words stay inside", async () => {
  await using server = await startGateway();
  const answer = await fetch(`${server.url}/api/broken`);
  assert.equal((await answer.text()).includes("secret"), false);
  assert.deepEqual(server.reported.map(String), ["Error: a secret of the server"]);
});

test("local is not limited unless limits are set", async () => {
  const statuses = async (rateLimits: "off" | { readonly key: typeof QUOTA } | undefined) => {
    await using server = await startGateway(rateLimits === undefined ? {} : { rateLimits });
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${server.url}/api/me`)));
    return answers.map(({ status, headers }) => [status, headers.has("ratelimit")]);
  };
  assert.deepEqual(await statuses(undefined), THREE);
  assert.deepEqual(await statuses("off"), THREE);
  const limited = await statuses({ key: QUOTA });
  assert.deepEqual(limited.filter(([status]) => status === 429).length, 1);
});

test("a key that asks too often is told so and how long to wait, and another key is not", async () => {
  const clock = new SimulatedClock(1);
  await using server = await startGateway({
    clock,
    rateLimits: { key: QUOTA, global: { requests: 100, windowSeconds: 60 } },
  });
  const [one, two] = [await server.keys.create("one", ["run"]), await server.keys.create("two", ["run"])];
  const ask = (key: string, path = "/api/me") =>
    fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const first = await ask(one.key);
  assert.equal(first.headers.get("ratelimit-policy"), '"key";q=2;w=60, "global";q=100;w=60');
  assert.equal(first.headers.get("ratelimit"), '"key";r=1;t=60, "global";r=99;t=60');
  await ask(one.key, "/nowhere");
  const third = await ask(one.key);
  assert.deepEqual(
    [third.status, (await bodyOf(third)).code, third.headers.get("retry-after")],
    [429, "rate_limited", "60"],
  );
  assert.equal(third.headers.get("ratelimit"), '"key";r=0;t=60, "global";r=98;t=60');
  assert.equal((await ask(two.key)).status, 200);
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
  await clock.advance(60_000);
  assert.equal((await ask(one.key)).status, 200);
});

test("servers with keys have limits where nothing is said", async () => {
  await using server = await startGateway();
  const { key } = await server.keys.create("one", ["run"]);
  const answer = await fetch(`${server.url}/api/me`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(answer.headers.get("ratelimit-policy"), '"key";q=600;w=60, "global";q=6000;w=60');
});

test("a session has its own share, told beside the others", async () => {
  await using server = await startGateway({ clock: new SimulatedClock(1), rateLimits: { session: QUOTA } });
  const say = (session: string) => fetch(`${server.url}/api/session/${session}`, { method: "POST" });
  assert.equal((await say("a")).headers.get("ratelimit"), '"session";r=1;t=60');
  await say("a");
  assert.equal((await say("a")).status, 429);
  assert.equal((await say("b")).status, 200);
});

test("what a session's limit refuses costs its key nothing", async () => {
  const rateLimits = { key: { requests: 10, windowSeconds: 60 }, session: { requests: 1, windowSeconds: 60 } };
  await using server = await startGateway({ clock: new SimulatedClock(1), rateLimits });
  const say = (session: string) => fetch(`${server.url}/api/session/${session}`, { method: "POST" });
  assert.equal((await say("a")).headers.get("ratelimit"), '"key";r=9;t=60, "session";r=0;t=60');
  for (let again = 0; again < 3; again++) {
    const refused = await say("a");
    assert.deepEqual(
      [refused.status, refused.headers.get("ratelimit"), refused.headers.get("retry-after")],
      [429, '"key";r=9;t=60, "session";r=0;t=60', "60"],
    );
  }
  assert.equal((await say("b")).headers.get("ratelimit"), '"key";r=8;t=60, "session";r=0;t=60');
});

test("wrong keys are counted by address and refused after a while; a right key still passes", async () => {
  const clock = new SimulatedClock(1);
  await using server = await startGateway({ clock });
  const { key } = await server.keys.create("acme", ["read"]);
  const wrong = { Authorization: `Bearer ${createKey({ tenant: "acme", scopes: ["read"] }, 0).key}` };
  const ask = (headers: Record<string, string>) => fetch(`${server.url}/api/me`, { headers });
  const statuses = new Set<number>();
  for (let sent = 0; sent < 60; sent++) statuses.add((await ask(wrong)).status);
  assert.deepEqual([...statuses], [401]);
  const refused = await ask(wrong);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await ask({ Authorization: `Bearer ${key}` })).status, 200);
  assert.equal((await ask({})).status, 401, "no key is not a wrong key");
});
