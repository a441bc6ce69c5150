import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SystemClock } from "@baton/core/ports";
import { Relay } from "./testing/relay.ts";
import { WorkerProxy } from "./worker-proxy.ts";

const clock = new SystemClock();

/** A worker that keeps its calls open until it is told to answer. */
class FakeWorker implements AsyncDisposable {
  readonly calls: ServerHttp2Stream[] = [];
  readonly url: string;
  readonly #server: Http2Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Http2Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on("connection", (socket: Socket) => this.#sockets.add(socket));
    server.on("stream", (stream) => {
      stream.on("error", () => undefined);
      stream.respond({ ":status": 200, "x-from": this.url });
      this.calls.push(stream);
    });
  }

  static async start(port = 0): Promise<FakeWorker> {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return new FakeWorker(server, typeof address === "object" && address !== null ? address.port : 0);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Result of a call: its worker and answer, or that it was reset. */
interface Called {
  readonly status: Promise<number>;
  readonly end: Promise<string>;
}

function call(session: ReturnType<typeof connect>): Called {
  const request = session.request({ ":method": "POST", ":path": "/invoke" }, { endStream: false });
  const status = Promise.withResolvers<number>();
  const end = Promise.withResolvers<string>();
  let text = "";
  request.setEncoding("utf8");
  request.on("response", (headers) => status.resolve(headers[":status"] ?? 0));
  request.on("data", (part: string) => (text += part));
  request.on("error", () => undefined);
  request.on("end", () => request.end());
  request.on("close", () => {
    end.resolve(request.rstCode === 0 ? text : `reset with ${request.rstCode}`);
    status.resolve(0);
  });
  request.write("input");
  return { status: status.promise, end: end.promise };
}

/** Calls until a worker answers: the proxy has to connect first. */
async function untilConnected(session: ReturnType<typeof connect>): Promise<void> {
  while ((await call(session).status) !== 200) await sleep(20);
}

async function untilBothAnswer(session: ReturnType<typeof connect>, one: FakeWorker, other: FakeWorker): Promise<void> {
  while (one.calls.length === 0 || other.calls.length === 0) {
    await call(session).status;
    await sleep(20);
  }
}

test("calls over one connection are spread over all workers, and answered through", async () => {
  await using one = await FakeWorker.start();
  await using other = await FakeWorker.start();
  await using proxy = await WorkerProxy.listen({ clock, workers: [one.url, other.url] });
  const session = connect(proxy.url);
  await untilBothAnswer(session, one, other);
  const before = one.calls.length + other.calls.length;
  const calls = Array.from({ length: 10 }, () => call(session));
  for (const { status } of calls) assert.equal(await status, 200);
  assert.equal(one.calls.length + other.calls.length, before + 10);
  assert.ok(Math.abs(one.calls.length - other.calls.length) <= 1, `${one.calls.length}:${other.calls.length}`);
  for (const stream of [...one.calls, ...other.calls]) stream.end("done");
  for (const { end } of calls) assert.equal(await end, "done");
  session.destroy();
});

test("the calls of a worker that dies are reset, never ended, and new ones go to the living", async () => {
  const one = await FakeWorker.start();
  await using other = await FakeWorker.start();
  await using proxy = await WorkerProxy.listen({ clock, workers: [one.url, other.url] });
  const session = connect(proxy.url);
  await untilBothAnswer(session, one, other);
  const calls = Array.from({ length: 6 }, () => call(session));
  await Promise.all(calls.map(({ status }) => status));
  const [dead, living] = [one.calls.length, other.calls.length];
  await one[Symbol.asyncDispose]();
  const ends = calls.map(({ end }) => end);
  const reset = await Promise.race(ends);
  assert.match(reset, /^reset with/);
  assert.equal(await call(session).status, 200);
  assert.equal(other.calls.length, living + 1);
  for (const stream of other.calls) stream.end("done");
  const all = await Promise.all(ends);
  assert.ok(all.every((end) => end === "done" || end.startsWith("reset")));
  assert.ok(all.filter((end) => end.startsWith("reset")).length <= dead);
  session.destroy();
});

test("the calls of a worker that answers no ping are reset", async () => {
  await using worker = await FakeWorker.start();
  await using relay = await Relay.listen();
  relay.target = worker.port;
  await using proxy = await WorkerProxy.listen({ clock, workers: [relay.url] });
  const session = connect(proxy.url);
  await untilConnected(session);
  const { status, end } = call(session);
  assert.equal(await status, 200);
  relay.freeze();
  assert.match(await end, /^reset with/);
  assert.equal(await call(session).status, 503);
  relay.wake();
  await untilConnected(session);
  session.destroy();
});

test("without a worker a call is answered with 503, and a worker that comes later gets calls", async () => {
  const first = await FakeWorker.start();
  await first[Symbol.asyncDispose]();
  await using proxy = await WorkerProxy.listen({ clock, workers: [first.url] });
  const session = connect(proxy.url);
  assert.equal(await call(session).status, 503);
  await using later = await FakeWorker.start(first.port);
  await untilConnected(session);
  assert.ok(later.calls.length > 0);
  session.destroy();
});
