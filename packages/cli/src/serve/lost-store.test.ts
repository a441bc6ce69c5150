/** A server whose database is removed stops acknowledging and ends. */
import assert from "node:assert/strict";
import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";
import { SHOP } from "../testing/shop.ts";

test("a server without its database answers 503 and ends with 1; a data folder that all may change is a warning", async () => {
  await inFolder(SHOP, async (cwd) => {
    const path = join(cwd, "open", "baton.db");
    await mkdir(join(cwd, "open"));
    await chmod(join(cwd, "open"), 0o777);
    await using server = await Served.start(["shop", "--data", "open"], { cwd });
    assert.equal((await server.get("/ready")).status, 200);
    for (const end of ["", "-wal", "-shm", "-tip"]) await rm(path + end, { force: true });
    const body = JSON.stringify({ crew: "shop", input: "hello" });
    const headers = { "content-type": "application/json" };
    // It may have noticed before, and ended.
    const answer = await fetch(`${server.url}/api/runs`, { method: "POST", headers, body }).catch(() => undefined);
    assert.ok(answer === undefined || answer.status === 503, `${answer?.status}`);
    const { exitCode, stderr } = await server.child.ended();
    assert.equal(exitCode, 1);
    assert.match(stderr, /baton\.db was removed while it was in use/);
    assert.match(stderr, /the data folder open has mode 0777.*chmod 700 open/);
  });
});
