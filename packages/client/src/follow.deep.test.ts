import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { createClient } from "./client.ts";
import { LogServer, toFrames } from "./testing/log-server.ts";
import { STORY } from "./testing/story.ts";

const BYTES = Buffer.byteLength(toFrames(STORY).join(""));

for (const end of [true, false]) {
  test(`cut at every byte, ${end ? "cleanly" : "by a reset"}, the events are the same`, async () => {
    await using server = await new LogServer(STORY).listen();
    const client = createClient({ url: server.url, backoff: { minMs: 0, maxMs: 0 } });
    for (const cutAt of inSlice(Array.from({ length: BYTES + 1 }, (_, byte) => byte))) {
      server.choose = ({ number }) => (number === 0 ? { type: "stream", cutAt, end } : { type: "stream", end: true });
      assert.deepEqual(await Array.fromAsync(client.follow("r1")), STORY, `cut at ${cutAt}`);
    }
  });
}
