/**
 * Gateway server: an app behind the gateway on a free port of this machine, and a client that sends any bytes.
 *
 * Ends with all its connections when it is disposed of.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Clock, SystemClock } from "@baton/core/ports";
import { type Database, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { z } from "zod";
import { readJson } from "../input/body.ts";
import type { GatewayEnv } from "../gateway-env.ts";
import { addGateway, type GatewayOptions, requireScope } from "../gateway.ts";
import { createHttpServer, type HttpServerOptions } from "../http-server.ts";
import { answerOnce } from "../idempotency.ts";
import { KeyRing } from "../keys.ts";
import { readQuery } from "../input/query-string.ts";
import { HISTORY, ID, QUERY, VALUE } from "../input/text.ts";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Options of a test server. */
export interface TestOptions
  extends Partial<Omit<GatewayOptions, "report">>, Partial<Omit<HttpServerOptions, "report">> {
  readonly database?: Database;
  readonly isLoopback?: boolean;
  readonly clock?: Clock;
  readonly maxBytes?: number;
}

const MAX_BYTES = 8 * 1_024 * 1_024;
/** Of an answer that is not kept. */
const LONG_CHARS = 2 * 1_024 * 1_024;

const INPUT = z.object({
  query: QUERY,
  history: HISTORY.optional(),
  session_id: ID.optional(),
  extra: VALUE.optional(),
});

/** A server that is listening. */
export interface GatewayServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly keys: KeyRing;
  readonly store: Store;
  /** Lines that the server logged. */
  readonly reported: readonly unknown[];
  /** Number of times that `/api/work` did its work. */
  readonly worked: () => number;
  /** Lets the work of `/api/slow` end. */
  readonly release: () => void;
  /** Sends bytes on a connection of its own and reads one answer. */
  raw(...parts: readonly (string | Uint8Array)[]): Promise<RawAnswer>;
  /** A connection, for what `raw` cannot do. */
  connect(): Promise<Socket>;
}

/** The app of the tests: one route for each thing the gateway does. */
function toApp(options: TestOptions, store: Store, wait: Promise<void>) {
  const app = new Hono<GatewayEnv>();
  const state = { worked: 0 };
  const body = { maxBytes: options.maxBytes ?? MAX_BYTES };
  const mount = (gateway: GatewayOptions) => {
    addGateway(app, gateway);
    app.get("/health", (c) => c.text("ok"));
    app.get("/", (c) => c.html("<p>page</p>"));
    app.get("/api/me", (c) => {
      const { tenant, user, scopes, requestId, traceparent } = c.var;
      return c.json({ tenant, user, scopes, requestId, traceparent });
    });
    app.get("/api/query", (c) => c.json(readQuery(c, z.object({ q: QUERY, crew: ID.optional() }))));
    app.post("/api/echo", async (c) => c.json(await readJson(c, INPUT, body)));
    app.post("/v1/chat/completions", async (c) => c.json(await readJson(c, INPUT, body)));
    app.post("/api/admin", requireScope("admin"), (c) => c.json({}));
    app.post("/api/session/:id", async (c) => {
      await c.var.limitSession(c.req.param("id"));
      return c.json({});
    });
    app.post("/api/work", async (c) => {
      const input = await readJson(c, INPUT, body);
      return answerOnce(c, { store, input, check: () => {} }, async () => {
        const count = ++state.worked;
        if (input.query === "slow") await wait;
        if (input.query === "broken") throw new Error("a secret of the server");
        const said = input.query === "long" ? "x".repeat(LONG_CHARS) : input.query;
        return c.json({ count, query: said }, 202, { "X-Run-Id": `run-${count}` });
      });
    });
    app.get("/api/broken", () => {
      throw new Error("a secret of the server");
    });
    app.get("/api/endless", (c) => {
      c.env.outgoing.writeHead(200, { "Content-Type": "text/event-stream" }).write("data: 1\n\n");
      return RESPONSE_ALREADY_SENT;
    });
    app.get("/api/stream", (c) => {
      c.env.outgoing.writeHead(200, { "Content-Type": "text/event-stream" }).end("data: 1\n\n");
      return RESPONSE_ALREADY_SENT;
    });
  };
  return { app, mount, state };
}

/** Starts it on 127.0.0.1. */
export async function startGateway(options: TestOptions = {}): Promise<GatewayServer> {
  const slow = Promise.withResolvers<void>();
  const { database = openMemory(), clock = new SystemClock(), isLoopback = true } = options;
  const store = await Store.open({ database, clock });
  const { app, mount, state } = toApp(options, store, slow.promise);
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const keys = new KeyRing({ database, clock, isLoopback });
  const hosts = { bound: "127.0.0.1", allowedHosts: [], origins: [] };
  mount({ hosts, keys, ...options, report, clock });
  const server = createHttpServer(app, { ...options, report }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const open = async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    keys,
    store,
    reported,
    worked: () => state.worked,
    release: () => slow.resolve(),
    connect: open,
    raw: async (...parts) => {
      using socket = disposable(await open());
      for (const part of parts) socket.write(part);
      return await readAnswer(socket);
    },
    [Symbol.asyncDispose]: async () => {
      slow.resolve();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await store[Symbol.asyncDispose]();
    },
  };
}

function disposable(socket: Socket): Socket & Disposable {
  return Object.assign(socket, { [Symbol.dispose]: () => socket.destroy() });
}

const SENT = z.looseObject({
  code: z.string().optional(),
  detail: z.string().optional(),
  problems: z.array(z.unknown()).optional(),
});

/** The JSON of an answer. */
export function parseSent(body: string): z.infer<typeof SENT> {
  return SENT.parse(JSON.parse(body));
}

/** The JSON of an answer that `fetch` gave. */
export async function bodyOf(answer: Response): Promise<z.infer<typeof SENT>> {
  return parseSent(await answer.text());
}

/** Reads one answer, with a `Content-Length` or to the end of the connection. */
export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const answer = parseAnswer(text);
    if (answer !== undefined && answer.body.length >= Number(answer.headers.get("content-length") ?? Infinity)) break;
  }
  const answer = parseAnswer(text);
  if (answer === undefined) throw new Error(`no answer but ${JSON.stringify(text)}`);
  return answer;
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  return { status: Number(first.split(" ")[1]), headers, body: text.slice(end + 4) };
}
