import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { openSqlite } from "@baton/store/sqlite";
import { RELAY } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer } from "../../testing/test-server.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-damaged-"));
after(() => rmSync(folder, { recursive: true }));

function damage(path: string, table: "runs" | "sessions", id: string): void {
  using editor = new DatabaseSync(path);
  editor.prepare(`UPDATE ${table} SET body = substr(body, 2) WHERE id = ?`).run(id);
}

test("a run that is damaged is shown as failed in the list, hides no other, and goes with its session", async () => {
  const path = join(folder, "runs.db");
  await using server = await startTestServer([RELAY], { database: await openSqlite({ path }) });
  const ids: string[] = [];
  for (const input of ["one", "two", "three"]) {
    const { id = "" } = await sentOf(await server.post("/api/runs", { input, session_id: input }, { Prefer: "wait" }));
    ids.unshift(id);
  }
  const [third = "", second = "", first = ""] = ids;
  damage(path, "runs", second);
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  assert.deepEqual(
    runs.map(({ id, crew, status, outcome }) => [id, crew, status, outcome]),
    [
      [third, "relay", "ended", "done"],
      [second, "relay", "ended", "failed"],
      [first, "relay", "ended", "done"],
    ],
  );
  assert.partialDeepStrictEqual(runs[1], { session_id: "two", input: "", error: { code: "damaged" } });
  const page = await sentOf(await server.get("/api/runs?limit=2"));
  assert.equal(page.next, second);
  const rest = await sentOf(await server.get(`/api/runs?before=${second}`));
  assert.deepEqual(
    rest.runs?.map(({ id }) => id),
    [first],
  );
  assert.equal((await server.get(`/api/runs/${second}`)).status, 500);
  assert.equal((await fetch(`${server.url}/api/sessions/two`, { method: "DELETE" })).status, 204);
  assert.deepEqual(
    (await sentOf(await server.get("/api/runs"))).runs?.map(({ id }) => id),
    [third, first],
  );
});

test("a session that is damaged is in the list with the reason, and can be removed", async () => {
  const path = join(folder, "sessions.db");
  await using server = await startTestServer([RELAY], { database: await openSqlite({ path }) });
  for (const session of ["one", "two"])
    await server.post("/api/runs", { input: "hello", session_id: session }, { Prefer: "wait" });
  damage(path, "sessions", "one");
  const list = async () => (await sentOf(await server.get("/api/sessions")))["sessions"];
  assert.partialDeepStrictEqual(await list(), [{ id: "two" }, { id: "one", error: { code: "damaged" } }]);
  assert.equal((await server.get("/api/sessions/one/messages")).status, 500);
  assert.equal((await fetch(`${server.url}/api/sessions/one`, { method: "DELETE" })).status, 204);
  assert.partialDeepStrictEqual(await list(), [{ id: "two" }]);
});

test("an ended run that is damaged is forgotten with the others, and keeps none of them", async () => {
  const path = join(folder, "prune.db");
  {
    await using server = await startTestServer([RELAY], { database: await openSqlite({ path }) });
    for (const input of ["one", "two", "three"]) await server.post("/api/runs", { input }, { Prefer: "wait" });
    const { runs = [] } = await sentOf(await server.get("/api/runs"));
    damage(path, "runs", runs.at(-1)?.id ?? "");
  }
  const database = await openSqlite({ path });
  await using server = await startTestServer([RELAY], { database, retention: { maxRuns: 1 } });
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  assert.deepEqual(
    runs.map(({ input }) => input),
    ["three"],
  );
});
