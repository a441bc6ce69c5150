import assert from "node:assert/strict";
import { test } from "node:test";
import { RELAY } from "../../testing/crews.ts";
import { TestKeys } from "../../testing/test-keys.ts";
import { startTestServer } from "../../testing/test-server.ts";

test("an administrator changes the log level, and that is logged itself", async () => {
  const keys = new TestKeys();
  const admin = await keys.make("acme", ["admin", "read"]);
  const reader = await keys.make("acme", ["read"]);
  await using server = await startTestServer([RELAY], { database: keys.database, logLevel: "error" });
  const put = (level: unknown, headers: Record<string, string>) =>
    fetch(`${server.url}/api/log-level`, {
      method: "PUT",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ level }),
    });
  assert.deepEqual(await (await server.get("/api/log-level", admin)).json(), { level: "error" });
  assert.equal((await put("debug", reader)).status, 403);
  assert.equal((await put("loud", admin)).status, 400);
  assert.equal(server.logs.length, 0);
  assert.deepEqual(await (await put("debug", admin)).json(), { level: "debug" });
  assert.match(server.logs.join(""), /"level":"info","time":"[^"]+","now":"debug","before":"\w+".*log level/);
  await put("silent", admin);
  const { length } = server.logs;
  await server.get("/api/runs", admin);
  assert.equal(server.logs.length, length);
});
