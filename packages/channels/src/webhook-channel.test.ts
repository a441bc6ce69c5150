import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { openLasting } from "@baton/store/testing";
import { z } from "zod";
import { WEBHOOK_SECRET } from "./testing/channel-server.ts";
import { LocalPlatform } from "./testing/local-platform.ts";
import { SHOP } from "./testing/shop-crew.ts";
import { type SimulatedOptions, startSimulatedServer } from "./testing/simulated-server.ts";

const URL_OF_HOOK = "https://ops.example.com/hook";
const HOUR_MS = 60 * 60 * 1_000;
const STARTED = z.object({ id: z.string() });
const AGENTS = [{ id: "host", isTerminal: true }];
const HELLO = { crew: defineCrew({ name: "hello", agents: AGENTS }), script: { host: [{ say: "Hello." }] } };
const BRIEF = {
  crew: defineCrew({
    name: "brief",
    agents: AGENTS,
    schedules: [{ name: "soon", cron: "1 * * * *", timeZone: "UTC", input: "brief me" }],
  }),
  script: { host: [{ when: "brief", say: "All is quiet." }, { say: "Hello." }] },
};

const toUrl = (input: Parameters<typeof fetch>[0]) => (input instanceof Request ? input.url : String(input));

/** The other program: it notes what is posted, and answers as it is told; 0 breaks the connection. */
class Receiver {
  readonly platform = new LocalPlatform();
  readonly token = this.platform.token;
  readonly posts: { readonly headers: Headers; readonly body: string; readonly redirect: string | undefined }[] = [];
  answers: number[] = [];
  /** Answers when no other is told. */
  usual = 204;
  called = () => {};

  readonly fetch: typeof fetch = async (input, init) => {
    if (toUrl(input) !== URL_OF_HOOK) return this.platform.fetch(input, init);
    this.posts.push({
      headers: new Headers(init?.headers),
      body: z.string().parse(init?.body),
      redirect: init?.redirect,
    });
    const status = this.answers.shift() ?? this.usual;
    if (status === 0) throw new TypeError("terminated");
    return new Response(null, { status, headers: { location: "https://elsewhere.example.com/" } });
  };

  /** The bodies, after the signature of each was checked as a receiver does it. */
  read(): readonly unknown[] {
    const key = Buffer.from(WEBHOOK_SECRET.slice("whsec_".length), "base64");
    return this.posts.map(({ headers, body }) => {
      const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
      const expected = createHmac("sha256", key).update(signed).digest("base64");
      assert.equal(headers.get("webhook-signature"), `v1,${expected}`);
      assert.equal(headers.get("content-type"), "application/json");
      const parsed: unknown = JSON.parse(body);
      return parsed;
    });
  }
}

async function start(
  scripted: Parameters<typeof startSimulatedServer>[0],
  { webhook = {}, ...more }: Partial<SimulatedOptions<Receiver>> = {},
) {
  const given = { name: "ops", url: URL_OF_HOOK, ...webhook };
  const options = { platform: new Receiver(), channel: { tenant: "acme" }, webhook: given, ...more };
  const server = await startSimulatedServer(scripted, options);
  const post = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json" };
    const { status, body: said } = await server.request(path, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(status < 300, said.toString());
    return said.toString();
  };
  await server.clock.advance(2_000);
  return { ...server, receiver: server.platform, post };
}

test("a pause and an end are posted, signed, with the questions that are open; only those of the tenant's runs", async () => {
  await using server = await start(SHOP);
  const { receiver, post, until } = server;
  receiver.platform.say("hello");
  const { id: run } = STARTED.parse(JSON.parse(await post("/api/runs", { input: "refund A1", session_id: "s1" })));
  await until(() => receiver.posts.length === 1 && receiver.platform.texts().length === 1);
  const [paused] = receiver.read();
  const { questions, ...rest } = z
    .looseObject({ questions: z.array(z.looseObject({ question: z.string() })), at: z.iso.datetime() })
    .parse(paused);
  const shared = { run, session: "s1", crew: "shop", user: "local" };
  assert.deepEqual(rest, { ...shared, type: "paused", outcome: "paused", text: "", at: rest.at });
  assert.partialDeepStrictEqual(questions, [{ kind: "approval" }]);
  const answer = { type: "answer", question: questions[0]?.question, value: "allow" };
  await post(`/api/runs/${run}/commands`, answer);
  await until(() => receiver.posts.length === 2);
  const ended = z.looseObject({ at: z.iso.datetime() }).parse(receiver.read()[1]);
  assert.deepEqual(ended, { ...shared, type: "ended", outcome: "done", text: "It is done.", at: ended.at });
  await server.clock.advance(60_000);
  assert.equal(receiver.posts.length, 2);
  assert.equal((await server.database.runs.list({ tenant: "acme" })).length, 1);
});

test("a message is tried until a 2xx, with the same id and a signature of its own each time; then never again", async () => {
  const [clock, database, platform] = [new SimulatedClock(1), openLasting(), new Receiver()];
  platform.answers = [500, 302, 0, 404, 429];
  {
    await using server = await start(HELLO, { clock, database, platform });
    await server.post("/api/runs", { input: "Hi" });
    await server.until(() => platform.posts.length === 4);
    assert.match(await server.view(), /"name":"ops"[^}]*"status":"down"[^}]*"waiting":1/);
  }
  await using server = await start(HELLO, { clock, database, platform });
  await server.until(() => platform.posts.length === 6);
  await clock.advance(120_000);
  assert.match(await server.view(), /"name":"ops"[^}]*"status":"up"[^}]*"waiting":0/);
  assert.equal(platform.read().length, 6);
  const all = (header: string) => new Set(platform.posts.map(({ headers }) => headers.get(header)));
  assert.equal(all("webhook-id").size, 1);
  assert.ok(all("webhook-timestamp").size > 3);
  assert.ok(platform.posts.every(({ redirect }) => redirect === "manual"));
});

test("a message is given up after 24 hours, and the next one is posted", async () => {
  const [clock, database, platform, logs] = [new SimulatedClock(1), openLasting(), new Receiver(), []];
  platform.usual = 503;
  const given = { clock, database, platform, logs };
  {
    await using server = await start(HELLO, given);
    await server.post("/api/runs", { input: "Hi" });
    await server.until(() => platform.posts.length === 2);
  }
  await clock.advance(23 * HOUR_MS);
  const before = platform.posts.length;
  {
    await using server = await start(HELLO, given);
    await server.until(() => platform.posts.length > before);
    assert.equal(new Set(platform.posts.map(({ headers }) => headers.get("webhook-id"))).size, 1);
  }
  await clock.advance(HOUR_MS);
  platform.usual = 204;
  platform.posts.length = 0;
  await using server = await start(HELLO, given);
  await server.post("/api/runs", { input: "Hi again" });
  await server.until(() => logs.join("").includes("a webhook was given up after 24 hours"));
  await server.until(() => platform.posts.length > 0);
  await clock.advance(60_000);
  assert.equal(platform.posts.length, 1);
});

test("a run that a schedule started is posted as scheduled, by a webhook that wants nothing else", async () => {
  await using server = await start(BRIEF, { webhook: { events: ["scheduled"] } });
  const { receiver } = server;
  await server.post("/api/runs", { input: "Hi" });
  await server.until(() => receiver.posts.length > 0);
  await server.clock.advance(30_000);
  const [scheduled, ...others] = receiver.read();
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(scheduled, {
    type: "scheduled",
    outcome: "done",
    text: "All is quiet.",
    crew: "brief",
  });
});

test("a redirect is not followed, and a receiver that never answers does not hold up a server that stops", async () => {
  const paths: (string | undefined)[] = [];
  const other = createServer(({ url }, response) => {
    paths.push(url);
    // The second try is never answered.
    if (paths.length === 1) response.writeHead(307, { location: "/elsewhere" }).end();
  });
  await once(other.listen(0, "127.0.0.1"), "listening");
  const address = other.address();
  assert.ok(address !== null && typeof address === "object");
  const platform = new Receiver();
  const at = `http://127.0.0.1:${address.port}/hook`;
  const send: typeof fetch = (input, init) => (toUrl(input) === at ? fetch(input, init) : platform.fetch(input, init));
  const asked = { token: platform.token, called: () => {}, fetch: send };
  {
    await using server = await startSimulatedServer(HELLO, { platform: asked, webhook: { url: at } });
    await server.clock.advance(2_000);
    const headers = { "Content-Type": "application/json" };
    await server.request("/api/runs", { method: "POST", headers, body: JSON.stringify({ input: "Hi" }) });
    await server.until(() => paths.length === 2, 10);
  }
  assert.deepEqual(paths, ["/hook", "/hook"]);
  other.closeAllConnections();
  other.close();
});
