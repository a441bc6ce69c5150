/**
 * Old store: what must be true of a store that was written before there were users, once it is brought up to date.
 */
import assert from "node:assert/strict";
import { requestKey } from "../claim-key.ts";
import type { Database } from "../database.ts";
import { LOCAL } from "../owner.ts";
import { readAll } from "../reader.ts";

const ACME = { tenant: "acme", user: "local" };

/** Checks what is stored: all of it is there, and belongs to the user `local`. */
export async function checkOldStore(database: Database): Promise<void> {
  const found = await database.runs.list({ user: "local" });
  assert.deepEqual(found.map(({ id, tenant, user, status }) => `${id} ${tenant} ${user} ${status}`).toSorted(), [
    "run-1 local local paused",
    "run-2 acme local paused",
    "run-3 local local ended",
  ]);
  for (const record of found) assert.deepEqual(await database.runs.find(record.id), record);
  assert.deepEqual(
    (await database.runs.list({ outcome: "paused" })).map(({ id }) => id),
    ["run-2", "run-1"],
  );
  for (const { id } of found) assert.equal((await readAll(database, id)).length, 8);
  for (const [owner, run] of [
    [LOCAL, "run-1"],
    [ACME, "run-2"],
  ] as const) {
    const session = await database.sessions.find(owner, "s");
    assert.deepEqual([session?.tenant, session?.user, session?.paused], [owner.tenant, owner.user, run]);
    assert.equal(session?.title, `Hello from ${owner.tenant}`);
    assert.deepEqual((await database.sessions.list({ ...owner, text: "hello FROM" })).length, 1);
    assert.deepEqual(
      await database.sessions.runs(owner, ["s"]),
      new Map([["s", { runs: 1, crew: "waits", status: "paused" }]]),
    );
    assert.deepEqual(await database.sessions.list(owner), [session]);
    const [first, ...others] = await database.sessions.messages(owner, "s");
    assert.deepEqual(first, JSON.stringify({ role: "user", content: `Hello from ${owner.tenant}` }));
    assert.equal(others.length, 1);
  }
  assert.equal(await database.sessions.find({ ...LOCAL, user: "ann" }, "s"), undefined);
  const [key] = await database.keys.list();
  assert.deepEqual([key?.id, key?.tenant, key?.user], ["0123456789abcdef", "acme", "local"]);
}

/** Checks that the request that was carried out is known by its new key. */
export async function checkOldRequest(database: Database): Promise<void> {
  const key = requestKey(LOCAL, "order 1");
  const request = await database.requests.find(key);
  assert.deepEqual([request?.key, request?.begun?.run, request?.answer], [key, "run-1", '{"id":"run-1"}']);
}
