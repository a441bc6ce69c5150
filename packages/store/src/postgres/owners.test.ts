/** Tables that were written before there were users are brought up to date, with all that is in them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { LOCAL } from "../owner.ts";
import { toShortId } from "../run-id.ts";
import { checkOldRequest, checkOldStore } from "../testing/old-store.ts";
import { openPostgres } from "./index.ts";
import { PostgresServer } from "./embedded-server.ts";

const OLD = readFileSync(join(import.meta.dirname, "testing", "schema-2.sql"), "utf8");

describe("Postgres before there were users", () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());

  const makeOld = async (more = ""): Promise<string> => {
    const url = await server.newSchema();
    await server.run(OLD + more, url);
    return url;
  };

  test("what was stored before there were users belongs to the user local, and continues", async () => {
    await using database = await openPostgres({ url: await makeOld() });
    await checkOldStore(database);
    await checkOldRequest(database);
  });

  test("tables of the first schema are brought up to date at once", async () => {
    const url = await makeOld("drop table baton_requests; update baton_schema set version = 1;");
    await using database = await openPostgres({ url });
    await checkOldStore(database);
  });

  test("what was damaged before is damaged afterwards, and keeps nothing else from it", async () => {
    const url = await makeOld(
      "update baton_runs set body = substr(body, 2) where id = 'run-1'; update baton_messages set body = '{}';",
    );
    await using database = await openPostgres({ url });
    await assert.rejects(database.runs.find("run-1"), { code: "damaged" });
    const [damaged] = await database.runs.list({ shortId: toShortId("run-1") });
    assert.deepEqual([damaged?.id, damaged?.user, damaged?.error?.code], ["run-1", "local", "damaged"]);
    await assert.rejects(database.sessions.messages(LOCAL, "s"), { code: "damaged" });
    assert.equal((await database.runs.find("run-2"))?.user, "local");
  });

  test("tables that an older Baton uses are not changed until that has stopped", async () => {
    const url = await makeOld(
      "insert into baton_leases values ('old-process', clock_timestamp() + interval '1 hour');",
    );
    const refusal = { code: "busy", retryable: true, message: /older Baton.*stop the older one/ };
    await assert.rejects(openPostgres({ url }), refusal);
    await server.run("delete from baton_leases where owner = 'old-process'", url);
    await using database = await openPostgres({ url });
    await checkOldStore(database);
  });
});
