/** A Redis that fails is refused at the start, and a later failure does no harm. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { isRedisUrl } from "../service-url.ts";
import { openRedis } from "./redis.ts";
import { REDIS, startTestRedis } from "./testing/test-redis.ts";

async function listen(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    answer(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

test("an address that cannot be one of a Redis is refused by the name of the setting", async () => {
  for (const url of ["localhost:6379", "http://localhost", "redis://", "redis://host/abc", ""]) {
    assert.equal(isRedisUrl(url), false, url);
    await assert.rejects(openRedis(url), { code: "invalid", message: /^--redis must look like redis:/ });
  }
  for (const url of ["redis://localhost", "rediss://u:p@host:1/3", "redis://[::1]:6379/"]) assert.ok(isRedisUrl(url));
});

test("if nobody listens there, the start is refused in one sentence without the password", async () => {
  const free = await listen(() => {});
  await free[Symbol.asyncDispose]();
  await assert.rejects(openRedis(`redis://ann:geheim@127.0.0.1:${free.port}/2`), (error: Error) => {
    assert.match(error.message, /no Redis can be used at redis:\/\/127\.0\.0\.1:\d+\/2 \(.*ECONNREFUSED.*\).*--redis/);
    assert.ok(!error.message.includes("geheim"));
    return true;
  });
});

test("what speaks another protocol is refused as no Redis", async () => {
  await using web = await listen((socket) => socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
  await assert.rejects(openRedis(`redis://127.0.0.1:${web.port}`), { code: "invalid", message: /--redis/ });
  await using silent = await listen((socket) => socket.on("data", () => socket.write("+HELLO\r\n")));
  await assert.rejects(openRedis(`redis://127.0.0.1:${silent.port}`), { code: "invalid", message: /not a Redis/ });
});

test(`${REDIS}: it is asked, goes away, fails at once, and is asked again when it is back`, async () => {
  await using server = await startTestRedis();
  await using redis = await openRedis(server.url);
  await redis.send(["SET", "a", "1", "PX", "60000"]);
  assert.equal(await redis.send(["GET", "a"]), "1");
  await assert.rejects(redis.send(["NONSENSE"]), { code: "busy", message: /--redis/ });
  await server.stop();
  await assert.rejects(redis.send(["GET", "a"]), { code: "busy", retryable: true, message: /--redis/ });
  await assert.rejects(redis.send(["GET", "a"]), { code: "busy" });
  await server.start();
  for (;;) {
    const [asked] = await Promise.allSettled([redis.send(["PING"])]);
    if (asked.status === "fulfilled") break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await redis[Symbol.asyncDispose]();
  await assert.rejects(redis.send(["PING"]), { code: "closed" });
});

test("one that stops answering fails within its time, and for a moment at once", async () => {
  let asked = 0;
  await using slow = await listen((socket) =>
    socket.on("data", () => {
      if (++asked === 1) socket.write("+PONG\r\n");
    }),
  );
  await using redis = await openRedis(`redis://127.0.0.1:${slow.port}`, { timeoutMs: 20 });
  await assert.rejects(redis.send(["GET", "a"]), { code: "busy", message: /no answer within 20 ms/ });
  await assert.rejects(redis.send(["GET", "a"]), { code: "busy", message: /a moment ago/ });
  assert.equal(asked, 2);
});
