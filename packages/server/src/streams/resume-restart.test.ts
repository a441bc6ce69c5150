/** A client that loses its stream by a restart of the server. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqlite } from "@baton/store/sqlite";
import { DIALECTS } from "../dialects/dialects.ts";
import { SLOW } from "../testing/crews.ts";
import { follow, inLog, readUntil } from "../testing/followed-stream.ts";
import { lastIdOf, parseFrames, type SeenFrame } from "../testing/frames.ts";
import { startTestServer } from "../testing/test-server.ts";

for (const { name: dialect } of DIALECTS) {
  test(`a stream in ${dialect} that a restart interrupts continues without loss or repeat`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-resume-"));
    const open = () => openSqlite({ path: join(folder, "baton.db") });
    let path = "";
    let seen: readonly SeenFrame[] = [];
    {
      await using server = await startTestServer([SLOW], { database: await open() });
      const begun = await server.post("/api/runs", { input: "hello" });
      path = `/api/runs/${begun.headers.get("x-run-id")}/events?dialect=${dialect}`;
      const streaming = server.get(path);
      await readUntil(server, path, "w5");
      const stopped = server.server.stop();
      const text = await (await streaming).text();
      await stopped;
      assert.match(text, /: the server is stopping\nretry: \d+\n\n$/);
      seen = inLog(parseFrames(text));
    }
    assert.ok(seen.length > 3);
    {
      await using server = await startTestServer([SLOW], { database: await open() });
      const rest = await follow(server, path, lastIdOf(seen));
      assert.ok(rest.length > 0);
      assert.deepEqual([...seen, ...inLog(rest)], inLog(await follow(server, path)));
    }
    await rm(folder, { recursive: true });
  });
}
