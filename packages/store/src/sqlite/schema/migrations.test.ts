/** A store that was written before there were users is brought up to date, with all that is in it. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import type { RunFilter } from "../../record.ts";
import { LOCAL } from "../../owner.ts";
import { toShortId } from "../../run-id.ts";
import { checkOldRequest, checkOldStore } from "../../testing/old-store.ts";
import { openSqlite } from "../index.ts";
import { connect } from "../file/open-sqlite.ts";
import { toRunQuery } from "../runs.ts";

const OLD = readFileSync(join(import.meta.dirname, "testing", "schema-2.sql"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "baton-owners-"));
after(() => rmSync(folder, { recursive: true }));

let made = 0;
const makeOld = (more = ""): string => {
  const path = join(folder, `${++made}.db`);
  using editor = new DatabaseSync(path);
  editor.exec(OLD + more);
  return path;
};

test("what was stored before there were users belongs to the user local, and continues", async () => {
  const path = makeOld();
  await using database = await openSqlite({ path });
  await checkOldStore(database);
  await checkOldRequest(database);
});

test("a store of the first schema is brought up to date at once", async () => {
  const path = makeOld("DROP TABLE requests; PRAGMA user_version=1;");
  await using database = await openSqlite({ path });
  await checkOldStore(database);
});

test("what was damaged before is damaged afterwards, and keeps nothing else from it", async () => {
  const path = makeOld("UPDATE runs SET body = substr(body, 2) WHERE id = 'run-1'; UPDATE messages SET body = '{}';");
  await using database = await openSqlite({ path });
  await assert.rejects(database.runs.find("run-1"), { code: "damaged" });
  const [damaged] = await database.runs.list({ shortId: toShortId("run-1") });
  assert.deepEqual([damaged?.id, damaged?.user, damaged?.error?.code], ["run-1", "local", "damaged"]);
  await assert.rejects(database.sessions.messages(LOCAL, "s"), { code: "damaged" });
  assert.equal((await database.runs.find("run-2"))?.user, "local");
});

test("a store that an older Baton uses is not changed until that has stopped", async () => {
  const path = makeOld("INSERT INTO leases VALUES ('old-process', 9000);");
  assert.throws(() => connect(path, 8_999), {
    code: "busy",
    retryable: true,
    message: /older Baton.*stop the older one/,
  });
  {
    using reader = new DatabaseSync(path);
    assert.equal(reader.prepare("PRAGMA user_version").get()?.["user_version"], 2);
  }
  connect(path, 9_000).close();
});

test("runs are looked for by the index that finds fewest, whatever they are looked for by", () => {
  const connection = connect(join(folder, "plans.db"), 0);
  const owner = { tenant: "t", user: "u" };
  const plans: readonly [index: string, filter: RunFilter][] = [
    ["runs_by_owner", owner],
    ["runs_by_session", { ...owner, session: "s", status: "running" }],
    ["runs_by_short_id", { ...owner, shortId: "x" }],
    ["runs_by_short_id", { tenant: "t", shortId: "x" }],
    ["runs_by_request", { ...owner, request: "x" }],
    ["runs_by_request", { tenant: "t", request: "x" }],
    ["runs_by_tenant", { tenant: "t" }],
  ];
  for (const [index, filter] of plans) {
    const { sql, values } = toRunQuery(filter);
    const [first] = connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    assert.match(String(first?.["detail"]), new RegExp(`USING INDEX ${index} `), JSON.stringify(filter));
  }
  connection.close();
});
