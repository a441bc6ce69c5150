/** A conversation that an older Baton has stored continues, and only for its owner. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { DurableEngine } from "./durable-engine.ts";
import { script, solo, waits } from "../testing/small-crews.ts";

const ACME = { tenant: "acme", user: "local" };
const OLD = join(import.meta.dirname, "../../../store/src/sqlite/schema/testing/schema-2.sql");

test("a run that waited when the store had no users yet continues with the next message of its session", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "baton-old-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "baton.db");
  {
    using editor = new DatabaseSync(path);
    editor.exec(readFileSync(OLD, "utf8"));
  }
  await using store = await Store.open({ database: await openSqlite({ path }) });
  const model = script({ a: [{ say: "What next?" }, { say: "Fine [GO]" }], b: [{ say: "Done." }] });
  await using engine = new DurableEngine({ store, crews: [waits, solo], model });
  const stranger = await engine.start(waits, { input: "go", session: "s", tenant: "acme", user: "ann" });
  assert.notEqual(stranger.id, "run-2");
  const run = await engine.start(waits, { input: "go", session: "s", ...ACME });
  assert.equal(run.id, "run-2");
  assert.equal((await run.result).outcome, "done");
  await stranger.result;
  assert.equal((await store.database.sessions.messages(ACME, "s")).length, 5);
});
