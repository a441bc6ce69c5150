import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { suite, test } from "node:test";
import type { RunEvent } from "@baton/core";
import { createClient } from "./client.ts";
import type { Reconnect } from "./follow.ts";
import { type Choose, type Conduct, LogServer, toFrames } from "./testing/log-server.ts";
import { STORY } from "./testing/story.ts";

const AT_ONCE = { minMs: 0, maxMs: 0 };
const WHOLE: Conduct = { type: "stream", end: true };
const FRAMES = toFrames(STORY);
const BYTES = Buffer.byteLength(FRAMES.join(""));

suite("lossless", () => {
  test("cut in the middle of a frame or between two, the events are the same", async () => {
    await using server = await new LogServer(STORY).listen();
    const boundary = Buffer.byteLength(FRAMES[0] ?? "");
    for (const cutAt of [0, 1, boundary - 1, boundary, boundary + 1, BYTES - 1, BYTES]) {
      server.choose = ({ number }) => (number === 0 ? { type: "stream", cutAt } : WHOLE);
      assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY, `cut at ${cutAt}`);
    }
  });

  test("a connection that is cut again and again, a few bytes later each time, comes to the end", async () => {
    await using server = await new LogServer(STORY, ({ number }) => ({ type: "stream", cutAt: number * 7 })).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY);
  });

  test("what comes twice is given once", async () => {
    const frames = FRAMES.flatMap((frame, index) => [...FRAMES.slice(0, index), frame, frame]);
    await using server = await new LogServer(STORY, () => ({ type: "stream", frames })).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY);
    assert.equal(server.received.length, 1);
  });

  test("where an event is missing, the connection is given up and the event is asked for", async () => {
    const frames = FRAMES.filter((_, index) => index !== 3);
    await using server = await new LogServer(STORY, ({ number }) =>
      number === 0 ? { type: "stall", frames } : WHOLE,
    ).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY);
    assert.deepEqual(placesOf(server), ["0", "3"]);
  });

  test("a server whose log has a gap is not asked for ever", async () => {
    await using server = await new LogServer(STORY.toSpliced(3, 1)).listen();
    await assert.rejects(Array.fromAsync(toClient(server).follow("r1")), { code: "invalid_answer" });
  });

  test("it begins after the event that is known", async () => {
    await using server = await new LogServer(STORY).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1", { after: 5 })), STORY.slice(5));
  });

  test("comments, pings and other frames that are not of the log are passed over", async () => {
    const noise = [": hello\n\n", "event: ping\ndata: {}\n\n", "data: [DONE]\n\n", "retry: 0\n\n"];
    const frames = [...noise, ...FRAMES.flatMap((frame) => [frame, ...noise])];
    await using server = await new LogServer(STORY, () => ({ type: "stream", frames })).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY);
  });
});

suite("the end", () => {
  test("after run.ended nothing further is asked for, though the connection stays open", async () => {
    await using server = await new LogServer(STORY, () => ({ type: "stall" })).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY);
    assert.equal(server.received.length, 1);
  });

  test("a log of which all is known ends it at once", async () => {
    await using server = await new LogServer(STORY, () => ({ type: "answer", status: 204 })).listen();
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1", { after: 7 })), []);
    assert.equal(server.received.length, 1);
  });

  test("a pause is the end where it was asked for, and is passed over where not", async () => {
    await using server = await new LogServer(STORY, () => ({ type: "stall" })).listen();
    const client = toClient(server);
    assert.deepEqual(await Array.fromAsync(client.follow("r1", { until: "pause" })), STORY.slice(0, 4));
    const rest = client.follow("r1", { after: 4, until: "pause" });
    assert.deepEqual(await Array.fromAsync(rest), STORY.slice(4));
  });

  test("leaving the loop closes the connection", async () => {
    await using server = await new LogServer(STORY, () => ({ type: "stall" })).listen();
    const { client, isLetGo } = toWatched(server);
    for await (const { seq } of client.follow("r1")) if (seq === 2) break;
    assert.ok(isLetGo());
  });
});

suite("a server in trouble", () => {
  for (const status of [408, 425, 429, 502, 503, 504]) {
    test(`a ${status} is waited out`, async () => {
      await using server = await new LogServer(STORY, ({ number }) =>
        number < 3 ? { type: "answer", status } : WHOLE,
      ).listen();
      assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1")), STORY);
    });
  }

  for (const status of [400, 401, 403, 404, 500]) {
    test(`a ${status} is thrown with what the server said`, async () => {
      const body = JSON.stringify({ code: "missing_scope", detail: "The key may not.", problems: [] });
      await using server = await new LogServer(STORY, ({ after }) =>
        after === 0 ? { type: "stream", cutAt: BYTES - 1 } : { type: "answer", status, body },
      ).listen();
      const seen: RunEvent[] = [];
      const following = (async () => {
        for await (const event of toClient(server).follow("r1")) seen.push(event);
      })();
      const expected = { name: "ClientError", status, code: "missing_scope", message: "The key may not." };
      await assert.rejects(following, expected);
      assert.deepEqual(seen, STORY.slice(0, 6));
    });
  }

  test("a restart in the middle is survived, with nobody listening for a while", async () => {
    await using server = await new LogServer(STORY, () => ({ type: "stall", frames: FRAMES.slice(0, 3) })).listen();
    const seen: RunEvent[] = [];
    const refused = Promise.withResolvers<undefined>();
    const onReconnect = ({ failures }: Reconnect) => {
      if (failures > 2) refused.resolve(undefined);
    };
    const following = (async () => {
      for await (const event of toClient(server).follow("r1", { onReconnect })) {
        seen.push(event);
        if (event.seq === 3) await server.stop();
      }
    })();
    await refused.promise;
    server.choose = () => WHOLE;
    await server.listen();
    await following;
    assert.deepEqual(seen, STORY);
  });

  const silences: readonly { readonly says: string; readonly conduct: Conduct }[] = [
    { says: "stalls after some events", conduct: { type: "stall", frames: FRAMES.slice(0, 2) } },
    { says: "stalls in the middle of a frame", conduct: { type: "stall", frames: [FRAMES.join("").slice(0, 100)] } },
    { says: "sends headers only", conduct: { type: "stall", frames: [] } },
    { says: "never answers", conduct: { type: "mute" } },
  ];
  for (const { says, conduct } of silences) {
    test(`a connection that ${says} is given up`, async () => {
      const choose: Choose = ({ number }) => (number === 0 ? conduct : WHOLE);
      await using server = await new LogServer(STORY, choose).listen();
      const client = createClient({ url: server.url, backoff: AT_ONCE, pingMs: 100 });
      assert.deepEqual(await Array.fromAsync(client.follow("r1")), STORY);
      assert.notEqual(server.received.length, 1);
    });
  }

  test("something else than a stream is refused, and its connection closed", async () => {
    const html = { type: "answer", status: 200, headers: { "Content-Type": "text/html" }, body: "<p>hello" } as const;
    await using server = await new LogServer(STORY, () => html).listen();
    const { client, isLetGo } = toWatched(server);
    await assert.rejects(Array.fromAsync(client.follow("r1")), { code: "invalid_answer", status: 0 });
    assert.ok(isLetGo());
  });

  test("something else than an event in the log is refused", async () => {
    const frames = ['id: 1\ndata: {"type":"run.started"}\n\n'];
    await using server = await new LogServer(STORY, () => ({ type: "stream", frames })).listen();
    await assert.rejects(Array.fromAsync(toClient(server).follow("r1")), { code: "invalid_answer" });
  });
});

suite("waiting", () => {
  test("tries that bring nothing are counted, and an event begins the count anew", async () => {
    const choose: Choose = ({ number, after }) =>
      number % 3 === 2 ? { type: "stream", frames: FRAMES.slice(after, after + 4) } : { type: "answer", status: 503 };
    await using server = await new LogServer(STORY, choose).listen();
    const counts: number[] = [];
    const onReconnect = ({ failures }: Reconnect) => counts.push(failures);
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1", { onReconnect })), STORY);
    assert.deepEqual(counts, [1, 2, 0, 1, 2]);
  });

  test("the wait is what Retry-After and retry ask for", async () => {
    const choose: Choose = ({ number }) => {
      if (number === 0) return { type: "answer", status: 503, headers: { "Retry-After": "1" } };
      return number === 1 ? { type: "stream", frames: ["retry: 20\n\n"] } : WHOLE;
    };
    await using server = await new LogServer(STORY, choose).listen();
    const waits: number[] = [];
    const onReconnect = ({ delayMs }: Reconnect) => waits.push(delayMs);
    assert.deepEqual(await Array.fromAsync(toClient(server).follow("r1", { onReconnect })), STORY);
    assert.deepEqual(waits, [1_000, 20]);
  });
});

suite("abort", () => {
  test("before it begins, nothing is sent", async () => {
    await using server = await new LogServer(STORY).listen();
    const events = toClient(server).follow("r1", { abort: AbortSignal.abort() });
    assert.deepEqual(await Array.fromAsync(events), []);
    assert.equal(server.received.length, 0);
  });

  test("between two events that have both arrived, the second is not given", async () => {
    await using server = await new LogServer(STORY).listen();
    const controller = new AbortController();
    const seen: RunEvent[] = [];
    for await (const event of toClient(server).follow("r1", { abort: controller.signal })) {
      seen.push(event);
      if (event.seq === 2) controller.abort();
    }
    assert.deepEqual(seen, STORY.slice(0, 2));
  });

  for (const [says, choose] of [
    ["an event", () => ({ type: "stall", frames: [] })],
    ["an answer", () => ({ type: "mute" })],
  ] as const satisfies readonly (readonly [string, Choose])[]) {
    test(`while it waits for ${says}, it ends at once`, async () => {
      await using server = await new LogServer(STORY, choose).listen();
      const controller = new AbortController();
      const following = Array.fromAsync(toClient(server).follow("r1", { abort: controller.signal }));
      while (server.received.length === 0) await new Promise(setImmediate);
      controller.abort(new Error("enough"));
      assert.deepEqual(await following, []);
    });
  }

  test("while it waits for the next try, it ends at once", async () => {
    const busy = { type: "answer", status: 503, headers: { "Retry-After": "600" } } as const;
    await using server = await new LogServer(STORY, () => busy).listen();
    const controller = new AbortController();
    const onReconnect = () => setImmediate(() => controller.abort());
    const events = toClient(server).follow("r1", { abort: controller.signal, onReconnect });
    assert.deepEqual(await Array.fromAsync(events), []);
    assert.equal(server.received.length, 1);
  });

  test("a fetch that does not heed it is left behind", async () => {
    const client = createClient({ url: "http://127.0.0.1:9", fetch: () => new Promise(() => {}) });
    const controller = new AbortController();
    const following = Array.fromAsync(client.follow("r1", { abort: controller.signal }));
    controller.abort();
    assert.deepEqual(await following, []);
  });

  test("nothing stays on the caller's signal", async () => {
    await using server = await new LogServer(STORY, ({ number }) => ({ type: "stream", cutAt: number * 40 })).listen();
    const { signal: abort } = new AbortController();
    for await (const event of toClient(server).follow("r1", { abort })) {
      assert.equal(getEventListeners(abort, "abort").length, 0, `at event ${event.seq}`);
    }
    assert.ok(server.received.length > 5);
    assert.equal(getEventListeners(abort, "abort").length, 0);
  });
});

function toClient({ url }: LogServer) {
  return createClient({ url, backoff: AT_ONCE });
}

/** A client, and whether what it asked for last was let go of. */
function toWatched({ url }: LogServer) {
  let abort: AbortSignal | null | undefined;
  const spy: typeof fetch = (input, init) => {
    abort = init?.signal;
    return fetch(input, init);
  };
  return { client: createClient({ url, fetch: spy }), isLetGo: () => abort?.aborted === true };
}

function placesOf({ received }: LogServer): readonly (string | null)[] {
  return received.map(({ url }) => new URL(url, "http://x").searchParams.get("after"));
}
