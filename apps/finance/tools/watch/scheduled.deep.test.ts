/** Alerts with the scheduler of a store on Postgres. */
import { test } from "node:test";
import { openPostgres } from "@baton/store/postgres";
import { PostgresServer } from "@baton/store/postgres/embedded";
import { firesOnce, openSchedulers } from "./testing/scheduler-harness.ts";

test("an alert that is set through the tool fires once with two servers on Postgres", async () => {
  await using server = await PostgresServer.start();
  const url = await server.newSchema();
  await firesOnce(await openSchedulers([await openPostgres({ url }), await openPostgres({ url })]));
});
