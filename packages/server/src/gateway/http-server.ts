/**
 * HTTP server: Node's server for an app, with limits on how slowly and how much a client may send.
 *
 * What never becomes a request (a broken line, headers too large, a client too slow) is answered as a problem too.
 * Answers come in the order of their requests, and one that has begun is never written into.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Exchange } from "./gateway-env.ts";
import { SOCKET_PATH } from "./gateway.ts";
import type { CallerIdentity } from "./keys.ts";
import { toProblem } from "./to-problem.ts";
import { Problem, type ProblemAnswer, type ProblemCode, toAnswer } from "./problem.ts";

/** Timeouts of the server. */
export interface HttpServerOptions {
  /** For the headers of a request. */
  readonly headersTimeoutMs?: number;
  /** For a request with its body; streams that are answered may last. */
  readonly requestTimeoutMs?: number;
  /** Called with errors that no route could answer. */
  readonly report: (error: unknown) => void;
  /** Takes the connections that become WebSockets. */
  readonly acceptSocket?: (connection: UpgradedConnection) => void;
}

/** A connection on which the app has accepted a WebSocket. */
export interface UpgradedConnection {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** Bytes that came after the request. */
  readonly head: Buffer;
  /** Undefined if the caller is not known yet. */
  readonly caller: CallerIdentity | undefined;
}

/** Answers requests: a Hono app. */
export interface Fetches {
  readonly fetch: (request: Request, exchange: Exchange) => Response | Promise<Response>;
}

/** A query of 10,000 characters fits in a URL, each four bytes long and percent-encoded. */
const MAX_HEADER_BYTES = 136 * 1_024;
const MAX_HEADERS = 1_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_CHECK_MS = 5_000;

/** Builds the server; it does not listen yet. */
export function createHttpServer(app: Fetches, options: HttpServerOptions): Server {
  const {
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    report,
    acceptSocket,
  } = options;
  const answers = new WeakMap<Duplex, Set<ServerResponse>>();
  const accepts: Accepts = new WeakMap();
  const listener = getRequestListener((request, sides) => app.fetch(request, toExchange(request, sides, accepts)), {
    // A probe may come without a Host; the gateway refuses all others.
    hostname: "localhost",
    errorHandler: (error) => toErrorResponse(error, report),
  });
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const open = answers.get(incoming.socket) ?? new Set();
    answers.set(incoming.socket, open.add(outgoing));
    outgoing.once("close", () => open.delete(outgoing));
    listener(incoming, outgoing).catch((error: unknown) => {
      report(error);
      outgoing.destroy();
    });
  };
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(MAX_CHECK_MS, requestTimeoutMs),
      // Any other upgrade, as `h2c`, counts as none.
      shouldUpgradeCallback: isSocketRequest,
    },
    answer,
  );
  server.maxHeadersCount = MAX_HEADERS;
  // Who reads the body says that it may come; what is refused before that has it never sent.
  server.on("checkContinue", answer);
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { status, headers, body } = toNamed(unexpected(), incoming.url);
    outgoing.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
  });
  if (acceptSocket !== undefined)
    server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
      const outgoing = answerOn(socket, incoming);
      accepts.set(outgoing, (caller) => {
        outgoing.detachSocket(socket);
        acceptSocket({ incoming, socket, head, caller });
      });
      answer(incoming, outgoing);
    });
  server.on("connect", (_, socket: Duplex) => end(socket, noProxy()));
  return server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const open = [...(answers.get(socket) ?? [])].filter(({ writableFinished }) => !writableFinished);
    const hasBegun = open.some(({ headersSent }) => headersSent);
    const before = open.findLast(({ req }) => req.complete);
    const problem = toClientProblem(error.code ?? "");
    if (hasBegun || !socket.writable || error.code === "ECONNRESET") socket.destroy();
    else if (before === undefined) end(socket, problem);
    else before.once("finish", () => end(socket, problem));
  });
}

/** The answer to a request for an upgrade, if it is refused: Node has given the connection away. */
function answerOn(socket: Socket, incoming: IncomingMessage): ServerResponse {
  socket.on("error", () => socket.destroy());
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once("finish", () => socket.end());
  return outgoing;
}

type NodeSides = Parameters<Parameters<typeof getRequestListener>[0]>[1];

function isSocketRequest({ method, url = "", headers }: IncomingMessage): boolean {
  return method === "GET" && url.split("?")[0] === SOCKET_PATH && headers.upgrade?.toLowerCase() === "websocket";
}

type Accepts = WeakMap<object, (caller: CallerIdentity | undefined) => void>;

function toExchange(request: Request, { incoming, outgoing }: NodeSides, accepts: Accepts): Exchange {
  const source = () => ({
    hosts: ("headersDistinct" in incoming ? incoming.headersDistinct["host"] : undefined) ?? [],
    target: incoming.url?.startsWith("/") === true ? undefined : new URL(request.url).host,
  });
  const accept = accepts.get(outgoing);
  const socket = accept === undefined ? {} : { accept };
  return { incoming, outgoing, source, address: incoming.socket.remoteAddress, socket };
}

/** Node no longer listens to the socket of a CONNECT: an error of it would end the process. */
function end(socket: Duplex, problem: Problem): void {
  socket.on("error", () => socket.destroy());
  socket.end(toBytes(problem), () => socket.destroy());
}

/** Answers a request that the adapter could not parse, or for which the app threw a value that is not an error. */
function toErrorResponse(error: unknown, report: (error: unknown) => void): Response {
  const isRequest = error instanceof Error && error.name === "RequestError";
  const problem = isRequest
    ? new Problem("invalid_target", "The URL or the Host is not well-formed.")
    : toProblem(error);
  if (problem.status >= 500) report(error);
  const { status, headers, body } = toNamed(problem);
  return new Response(body, { status, headers });
}

const FIRST_LINE = "The first line must be `METHOD /path HTTP/1.1`: percent-encode every space in the path.";
const LENGTH = "The Content-Length must be one whole number of bytes; leave it out if there is a Transfer-Encoding.";

const HEADERS = `The URL and the headers have more than ${MAX_HEADER_BYTES} bytes, or there are more than ${MAX_HEADERS} headers.`;

/** The problem for each error code of Node's HTTP parser. */
const BROKEN: ReadonlyMap<string, readonly [ProblemCode, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["headers_too_large", HEADERS]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["request_timeout", "The request did not arrive completely in time. Send it again."]],
  ["HPE_INVALID_EOF_STATE", ["incomplete_body", "The request ended before it was complete."]],
  ["HPE_INVALID_URL", ["invalid_target", "The URL has a character that must be percent-encoded."]],
  ["HPE_INVALID_METHOD", ["invalid_request", "The method is not known, or this is not HTTP."]],
  ["HPE_INVALID_CONSTANT", ["invalid_request", FIRST_LINE]],
  ["HPE_INVALID_VERSION", ["invalid_request", FIRST_LINE]],
  ["HPE_PAUSED_H2_UPGRADE", ["invalid_request", "This server speaks HTTP/1.1."]],
  ["HPE_INVALID_HEADER_TOKEN", ["invalid_request", "A header is not well-formed: it must be one line, `Name: value`."]],
  ["HPE_INVALID_CONTENT_LENGTH", ["invalid_request", LENGTH]],
  ["HPE_UNEXPECTED_CONTENT_LENGTH", ["invalid_request", LENGTH]],
  ["HPE_INVALID_TRANSFER_ENCODING", ["invalid_request", "The Transfer-Encoding must be chunked, and given once."]],
  ["HPE_INVALID_CHUNK_SIZE", ["invalid_request", "A chunk of the body does not begin with its size."]],
]);

function toClientProblem(parserCode: string): Problem {
  const [code, detail] = BROKEN.get(parserCode) ?? ["invalid_request", "The request is not well-formed HTTP/1.1."];
  return new Problem(code, detail);
}

function noProxy(): Problem {
  return new Problem("method_not_allowed", "CONNECT is for proxies; this server is not a proxy.", {
    headers: { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE" },
  });
}

function unexpected(): Problem {
  return new Problem(
    "expectation_failed",
    "The only Expect that this server supports is 100-continue: leave the header out.",
    {
      problems: [{ field: "Expect", message: "must be left out, or 100-continue" }],
    },
  );
}

function toBytes(problem: Problem): string {
  const { status, headers, body } = toNamed(problem);
  const fields = { ...headers, "Content-Length": String(Buffer.byteLength(body)), Connection: "close" };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${problem.title}`, ...lines, "", body].join("\r\n");
}

/** Such a request did not come as far as the gateway, which names them. */
function toNamed(problem: Problem, path = ""): ProblemAnswer {
  const { headers, ...rest } = toAnswer(problem, path);
  return {
    ...rest,
    headers: { ...headers, "X-Request-Id": randomUUID(), "X-Content-Type-Options": "nosniff" },
  };
}
