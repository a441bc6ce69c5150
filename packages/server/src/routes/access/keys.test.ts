import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { KeyRing } from "../../gateway/keys.ts";
import { RELAY } from "../../testing/crews.ts";
import { TestKeys } from "../../testing/test-keys.ts";
import { startTestServer } from "../../testing/test-server.ts";

const TOKEN = z.object({ token: z.string(), expires_at: z.string() });
const KEYS = z.object({ keys: z.array(z.looseObject({ id: z.string(), revoked_at: z.string().optional() })) });
const CREATED = z.looseObject({ id: z.string(), key: z.string() });

test("a browser exchanges its key for a token with the same rights, which ends with a sign-out", async () => {
  const keys = new TestKeys();
  const own = await keys.make("acme", ["read"], { user: "ann" });
  await using server = await startTestServer([RELAY], { database: keys.database });
  const { token } = TOKEN.parse(await (await server.post("/api/session", {}, own)).json());
  const signedIn = { Authorization: `Bearer ${token}` };
  const me = z.looseObject({}).parse(await (await server.get("/api/me", signedIn)).json());
  assert.deepEqual([me["tenant"], me["user"], me["scopes"]], ["acme", "ann", ["read"]]);
  assert.equal((await server.post("/api/runs", { input: "a" }, signedIn)).status, 403);
  const ended = await fetch(`${server.url}/api/session`, { method: "DELETE", headers: signedIn });
  assert.equal(ended.status, 204);
  assert.equal((await server.get("/api/me", signedIn)).status, 401);
  assert.equal((await server.get("/api/me", own)).status, 200);
});

test("a token ends with its key, after an hour without a request, and after 12 hours; a forged one is none", async () => {
  const clock = new SimulatedClock(1);
  const database = openMemory({ now: () => clock.now() });
  const ring = new KeyRing({ database, clock, isLoopback: true });
  const { record } = await ring.create("acme", ["read"], { user: "ann" });
  const signIn = async () => (await ring.signIn({ tenant: "acme", user: "ann", key: record.id }))?.token ?? "";
  const isValid = async (token: string) =>
    ring.identify(`Bearer ${token}`).then(
      () => true,
      () => false,
    );
  const idle = await signIn();
  const busy = await signIn();
  assert.equal(await isValid(idle.replace(/.$/, (last) => (last === "0" ? "1" : "0"))), false);
  for (let minutes = 0; minutes < 700; minutes += 50) {
    assert.equal(await isValid(busy), true);
    await clock.advance(50 * 60_000);
  }
  assert.equal(await isValid(idle), false);
  assert.equal(await isValid(busy), true);
  await clock.advance(25 * 60_000);
  assert.equal(await isValid(busy), false);
  const last = await signIn();
  assert.equal(await isValid(last), true);
  await ring.revoke(record.id);
  assert.equal(await isValid(last), false);
});

test("an administrator creates, sees and revokes keys of the own tenant only", async () => {
  const keys = new TestKeys();
  const admin = await keys.make("acme", ["admin"]);
  const other = await keys.ring.create("other", ["read"]);
  await using server = await startTestServer([RELAY], { database: keys.database });
  const created = await server.post("/api/keys", { user: "bo", scopes: ["read"], crews: ["relay"] }, admin);
  assert.equal(created.status, 201);
  const { id, key } = CREATED.parse(await created.json());
  const own = { Authorization: `Bearer ${key}` };
  assert.equal((await server.get("/api/me", own)).status, 200);
  assert.equal((await server.get("/api/keys", own)).status, 403);
  const text = await (await server.get("/api/keys", admin)).text();
  assert.deepEqual([text.includes(key), text.includes("hash"), text.includes(other.record.id)], [false, false, false]);
  assert.equal(KEYS.parse(JSON.parse(text)).keys.length, 2);
  const revoke = async (which: string) =>
    (await fetch(`${server.url}/api/keys/${which}`, { method: "DELETE", headers: admin })).status;
  assert.deepEqual([await revoke(id), await revoke(id), await revoke(other.record.id)], [204, 404, 404]);
  assert.equal((await server.get("/api/me", own)).status, 401);
});

test("a server without keys has nothing to exchange, and its first key is not made by a page", async () => {
  await using server = await startTestServer([RELAY]);
  assert.equal((await server.post("/api/session", {})).status, 409);
  assert.equal((await server.post("/api/keys", { scopes: ["read"] })).status, 409);
});
