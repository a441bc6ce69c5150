/** Notifications of Postgres: what is added to a run, and commands to its owner, reach another process. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { toBatch, toLines } from "../batch.ts";
import { hold, recordOf, save } from "../testing/database-pair.ts";
import { openPostgres } from "./index.ts";
import { PostgresServer } from "./embedded-server.ts";

/** Tests that wait for the server to come to a point give up when it does not. */
const LIMITED = { timeout: 60_000 };

describe("notifications of Postgres", () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(async () => server[Symbol.asyncDispose]());

  test("what is added to a watched run comes with its notification, and what does not is read", LIMITED, async () => {
    const url = await server.newSchema();
    await using first = await openPostgres({ url });
    await using second = await openPostgres({ url });
    const claim = await hold(first, "run:a", "one");
    let woken = Promise.withResolvers<void>();
    const unwatch = second.logs.watch("a", () => woken.resolve());
    await woken.promise;
    const lines = ["1 \\n ü", "2", "x".repeat(8_000), "4", "5"];
    // Another schema of the database has a run with the same id.
    await using other = await openPostgres({ url: await server.newSchema() });
    const theirs = await hold(other, "run:a", "one");
    for (const [index, line] of lines.entries()) {
      woken = Promise.withResolvers<void>();
      await other.commit([{ claim: theirs, batch: toBatch("a", index + 1, ["theirs"]) }]);
      await first.commit([{ claim, batch: toBatch("a", index + 1, [line]) }]);
      await woken.promise;
      assert.deepEqual(toLines("a", index, await second.logs.batches("a", index, 1_000)), [line]);
    }
    assert.deepEqual(toLines("a", 0, await second.logs.batches("a", 0, 1_000_000)), lines);
    // Rows that came with a notification are not asked for again.
    await server.run("delete from baton_batches where run = 'a' and last > 3", url);
    assert.deepEqual(toLines("a", 3, await second.logs.batches("a", 3, 1_000)), ["4", "5"]);
    unwatch();
    assert.deepEqual(await second.logs.batches("a", 3, 1_000), []);
  });

  test("the owner of a run is told of a command that another process posts to it", LIMITED, async () => {
    const url = await server.newSchema();
    await using first = await openPostgres({ url });
    await using second = await openPostgres({ url });
    await save(first, [recordOf("r", { status: "running" }), recordOf("q", { status: "running" })]);
    const told: string[] = [];
    const unwatch = first.inbox.watch?.((run) => told.push(run));
    for (let id = 0; told.length === 0; id++) {
      await second.inbox.post({ run: "r", id: `${id}`, command: "{}", fate: "sent" });
      await sleep(50);
    }
    unwatch?.();
    assert.deepEqual([...new Set(told)], ["r"]);
  });
});
