/**
 * Socket client: a WebSocket of a test, with all messages that came and a way to wait for the next.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { z } from "zod";
import { type RawAnswer, readAnswer } from "../../gateway/testing/gateway-server.ts";

const MESSAGE = z.looseObject({
  re: z.string().nullable().optional(),
  ok: z.boolean().optional(),
  on: z.string().optional(),
  end: z.string().optional(),
  run: z.string().optional(),
  seq: z.number().optional(),
  error: z.looseObject({ status: z.number(), code: z.string() }).optional(),
  event: z.looseObject({ type: z.string(), seq: z.number(), run: z.string() }).optional(),
});

/** A message of the server. */
export type SeenMessage = z.infer<typeof MESSAGE>;

/** A socket of a test. */
export class SocketClient implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly messages: SeenMessage[] = [];
  /** Resolves with the code when it is closed. */
  readonly closed: Promise<number>;
  #wake = Promise.withResolvers<void>();

  constructor(socket: WebSocket) {
    this.socket = socket;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.closed = promise;
    socket.on("message", (data) => {
      this.messages.push(MESSAGE.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : "")));
      this.#notify();
    });
    socket.on("error", () => {});
    socket.once("close", (code) => {
      resolve(code);
      this.#notify();
    });
  }

  /** Opens one, and reads its greeting. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<SocketClient> {
    const client = new SocketClient(new WebSocket(`${url.replace("http", "ws")}/api/ws`, "baton.v1", { headers }));
    await client.find((message) => message["hello"] === "baton.v1");
    return client;
  }

  send(message: object | string): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends an op and gives its reply. */
  async ask(message: { readonly id: string; readonly op: string } & Record<string, unknown>): Promise<SeenMessage> {
    this.send(message);
    return this.find(({ re }) => re === message.id);
  }

  /** The first message that fits, now or when it comes. */
  async find(fits: (message: SeenMessage) => boolean): Promise<SeenMessage> {
    for (let next = 0; ;) {
      const { promise } = this.#wake;
      for (; next < this.messages.length; next++) {
        const message = this.messages[next];
        if (message !== undefined && fits(message)) return message;
      }
      assert.notEqual(
        this.socket.readyState,
        WebSocket.CLOSED,
        `closed, after ${JSON.stringify(this.messages.slice(-3))}`,
      );
      await promise;
    }
  }

  /** Resolves when a follow has ended, with its end. */
  async ended(on: string): Promise<string | undefined> {
    return (await this.find((message) => message.on === on && message.end !== undefined)).end;
  }

  /** The seqs of a follow, of one run if it is named. */
  seqs(on: string, run?: string): readonly number[] {
    return this.messages.flatMap((message) =>
      message.on === on && message.seq !== undefined && (run === undefined || message.run === run) ? [message.seq] : [],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol": "baton.v1",
} as const;

/** Sends the request that opens a socket as it is, with other headers (undefined leaves one out), and reads the answer. */
export async function rawUpgrade(
  url: string,
  { path = "/api/ws", ...headers }: Readonly<Record<string, string | undefined>> = {},
): Promise<RawAnswer> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const lines = Object.entries({ Host: host, ...UPGRADE, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  socket.write([`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  // An accepted socket stays open; its client closes it when the greeting has come.
  socket.once("data", (chunk: Buffer) => {
    if (chunk.includes(" 101 ")) socket.end();
  });
  const answer = await readAnswer(socket);
  socket.destroy();
  return answer;
}
