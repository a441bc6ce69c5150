/**
 * Socket routes: the request that opens a WebSocket, with all reasons to refuse it, and tickets for it.
 */
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { z } from "zod";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { SOCKET_PATH, UNKNOWN_IDENTITY } from "../gateway/gateway.ts";
import { type FieldProblem, invalid, Problem } from "../gateway/problem.ts";
import { unavailable } from "../gateway/to-problem.ts";
import type { Api } from "../routes/api.ts";
import type { Service } from "../service.ts";
import { PROTOCOL } from "./socket-hub.ts";

const VERSION = "13";
/** Addresses are logged by proxies, so they may hold no secret. */
const SECRETS = ["key", "token", "access_token", "ticket"] as const;
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TICKET = z.object({ ticket: z.string(), expires_at: z.iso.datetime() }).meta({ id: "SocketTicket" });

/** Adds the routes of WebSockets. */
export function addSockets(api: Api, service: Service): void {
  const { sockets } = service;
  api.add(
    {
      method: "get",
      path: SOCKET_PATH,
      summary: "Open a WebSocket with the subprotocol baton.v1; a key is sent with it, or in its first message",
      isOpen: true,
      answers: { 101: { description: "The connection is a WebSocket now" } },
    },
    (c) => open(service, c),
  );
  api.add(
    {
      method: "post",
      path: `${SOCKET_PATH}/tickets`,
      summary: "Get a ticket that opens one WebSocket within 30 s, for clients that cannot send headers",
      answers: { 201: { description: "The ticket", schema: TICKET } },
    },
    async (c) => {
      const { ticket, expiresAt } = await sockets.tickets.issue(c.get("key"));
      return c.json({ ticket, expires_at: new Date(expiresAt).toISOString() }, 201, { "Cache-Control": "no-store" });
    },
  );
}

function open({ sockets, admission }: Service, c: GatewayContext): Response {
  const { accept, identified } = c.env.socket ?? {};
  if (identified !== undefined) {
    identified(c.get("identity"));
    return c.body(null, 204);
  }
  if (accept === undefined || c.req.header("sec-websocket-version") !== VERSION) throw upgradeRequired();
  const problems = [...findSecrets(c), ...findProtocolProblems(c.req.header("sec-websocket-protocol"))];
  if (!KEY.test(c.req.header("sec-websocket-key") ?? ""))
    problems.push({ field: "Sec-WebSocket-Key", message: "must be 16 bytes in base64" });
  if (problems.length > 0) throw invalid(problems);
  if (admission.isStopping) throw unavailable("stopping");
  if (sockets.isFull) throw unavailable("overloaded");
  const identity = c.get("identity");
  accept(identity === UNKNOWN_IDENTITY ? undefined : identity);
  return RESPONSE_ALREADY_SENT;
}

function findSecrets(c: GatewayContext): FieldProblem[] {
  const message = "must not be in the address, which is logged: send it in the message `auth`";
  return SECRETS.filter((field) => c.req.query(field) !== undefined).map((field) => ({ field, message }));
}

function findProtocolProblems(header = ""): readonly FieldProblem[] {
  const offered = header.split(",").map((name) => name.trim());
  const areValid = offered.every((name) => TOKEN.test(name)) && new Set(offered).size === offered.length;
  if (areValid && offered.includes(PROTOCOL)) return [];
  return [{ field: "Sec-WebSocket-Protocol", message: `must offer ${PROTOCOL}` }];
}

function upgradeRequired(): Problem {
  return new Problem(
    "upgrade_required",
    "This path speaks WebSocket, version 13. Send the headers `Connection: Upgrade` and `Upgrade: websocket`, or use GET /api/runs/:id/events.",
    { headers: { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": VERSION } },
  );
}
