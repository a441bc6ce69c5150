/** The feed as a client reads it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError, createClient, type FeedChange, type Reconnect } from "./index.ts";

const SNAPSHOT = { type: "snapshot", runs: [], crews: [] };
const RUN = { type: "run", run: { id: "r1", short_id: "req-1", status: "ended" } };

const streamOf = (...frames: readonly unknown[]): Response =>
  new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""), {
    headers: { "Content-Type": "text/event-stream" },
  });

/** Reads a feed whose connections are answered in turn, up to a number of changes. */
async function read(
  answers: readonly (() => Response)[],
  wanted: number,
): Promise<{ changes: FeedChange[]; again: Reconnect[] }> {
  const left = [...answers];
  const again: Reconnect[] = [];
  const changes: FeedChange[] = [];
  const abort = new AbortController();
  const client = createClient({
    url: "http://server.test",
    backoff: { minMs: 1, maxMs: 1 },
    fetch: async (url) => {
      assert.equal(url, "http://server.test/api/feed");
      return left.shift()?.() ?? new Promise<Response>(() => {});
    },
  });
  for await (const change of client.feed({ abort: abort.signal, onReconnect: (reconnect) => again.push(reconnect) })) {
    changes.push(change);
    if (changes.length === wanted) abort.abort();
  }
  return { changes, again };
}

test("changes come in order, over several connections, each with a snapshot", async () => {
  const { changes, again } = await read([() => streamOf(SNAPSHOT, RUN), () => streamOf(SNAPSHOT)], 3);
  assert.deepEqual(changes, [SNAPSHOT, RUN, SNAPSHOT]);
  assert.equal(again.length, 1);
});

test("a kind of change that is not known is passed over", async () => {
  const removed = { type: "removed", id: "r1" };
  const frames = [{ type: "moon" }, SNAPSHOT, { type: "run" }, { type: "removed" }, RUN, removed];
  const { changes } = await read([() => streamOf(...frames)], 3);
  assert.deepEqual(changes, [SNAPSHOT, RUN, removed]);
});

test("a server that is busy is asked again, one that refuses is not", async () => {
  const busy = () => new Response("{}", { status: 503 });
  const { again } = await read([busy, busy, () => streamOf(SNAPSHOT)], 1);
  assert.deepEqual(
    again.map(({ failures }) => failures),
    [1, 2],
  );
  await assert.rejects(read([() => new Response("{}", { status: 401 })], 1), ClientError);
  await assert.rejects(read([() => streamOf("text")], 1), ClientError);
});
