/**
 * HTTP server: Node's server for an app, with limits on how slowly and how much a client may say.
 *
 * What never becomes a request (a broken line, headers too large, a client too slow) is answered as a problem too.
 * An answer that has begun is never written into. Reads: problem, request-id. Read by: app.
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { Problem, type ProblemAnswer, toAnswer, toProblem } from "./problem.ts";
import { toRequestId } from "./request-id.ts";

/** How patient the server is. */
export interface HttpServerOptions {
  /** For the headers of a request. */
  readonly headersTimeoutMs?: number;
  /** For a request with its body; streams that are answered may last. */
  readonly requestTimeoutMs?: number;
  /** Told of errors that no route could answer. */
  readonly report: (error: unknown) => void;
}

/** What answers requests: an app of Hono. */
export interface Fetches {
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>;
}

/** A query of 10,000 characters fits in a URL, each four bytes long and percent-encoded. */
const MAX_HEADER_BYTES = 136 * 1_024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_CHECK_MS = 5_000;

/** Builds the server; it does not listen yet. */
export function createHttpServer(app: Fetches, options: HttpServerOptions): Server {
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS, report } = options;
  const answers = new WeakMap<Duplex, ServerResponse>();
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    // A probe may come without a Host; the gateway refuses all others.
    hostname: "localhost",
    errorHandler: (error) => toErrorResponse(error, report),
  });
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(MAX_CHECK_MS, requestTimeoutMs),
    },
    (incoming, outgoing) => {
      answers.set(incoming.socket, outgoing);
      listener(incoming, outgoing).catch((error: unknown) => {
        report(error);
        outgoing.destroy();
      });
    },
  );
  return server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = answers.get(socket);
    const hasBegun = last !== undefined && last.headersSent && !last.writableFinished;
    if (hasBegun || !socket.writable || error.code === "ECONNRESET") socket.destroy();
    else socket.end(toBytes(toClientProblem(error.code ?? "")), () => socket.destroy());
  });
}

/** What the adapter could not make a request of, or an app that threw what is no error. */
function toErrorResponse(error: unknown, report: (error: unknown) => void): Response {
  const isRequest = error instanceof Error && error.name === "RequestError";
  const problem = isRequest
    ? new Problem("invalid_target", "The request's target or Host is not well-formed.")
    : toProblem(error);
  if (problem.status >= 500) report(error);
  const { status, headers, body } = toNamed(problem);
  return new Response(body, { status, headers });
}

function toClientProblem(code: string): Problem {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Problem("headers_too_large", `The headers are larger than ${MAX_HEADER_BYTES} bytes.`);
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new Problem("request_timeout", "The request was not complete in time.");
  }
  return new Problem("invalid_request", "The request is not well-formed HTTP.");
}

function toBytes(problem: Problem): string {
  const { status, headers, body } = toNamed(problem);
  const fields = { ...headers, "Content-Length": String(Buffer.byteLength(body)), Connection: "close" };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${problem.title}`, ...lines, "", body].join("\r\n");
}

/** Such a request did not come as far as the gateway, which names them. */
function toNamed(problem: Problem): ProblemAnswer {
  const { headers, ...rest } = toAnswer(problem, "");
  return {
    ...rest,
    headers: { ...headers, "X-Request-Id": toRequestId(undefined), "X-Content-Type-Options": "nosniff" },
  };
}
