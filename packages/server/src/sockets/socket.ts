/**
 * Socket: one WebSocket, from its first message to its close.
 *
 * Every message has one reply. Ops about one run or session are carried out in order; others do not wait for them.
 */
import { omitUndefined } from "@baton/core/util";
import { type RawData, WebSocket } from "ws";
import { z } from "zod";
import type { SocketSide } from "../gateway/gateway-env.ts";
import { SOCKET_PATH } from "../gateway/gateway.ts";
import type { Fetches, UpgradedConnection } from "../gateway/http-server.ts";
import type { CallerIdentity } from "../gateway/keys.ts";
import { Problem } from "../gateway/problem.ts";
import { toProblem } from "../gateway/to-problem.ts";
import { answerRequest } from "../gateway/web-exchange.ts";
import type { Service } from "../service.ts";
import { type FollowEnd, followLog, FollowStop } from "./follow-log.ts";
import { followSession } from "./follow-session.ts";
import { type OpErrorView, RefusedOp, toRefusedOp, viewOf } from "./op-error.ts";
import { readMessage, type SocketFault, type SocketMessage } from "./socket-message.ts";
import {
  type OpAnswer,
  type OpMessage,
  type OpRequest,
  type OpResponse,
  type OpSocket,
  OWN_OPS,
  type SocketOp,
} from "./socket-ops.ts";
import { SocketWriter } from "./socket-writer.ts";

/** The parts of a server that sockets use. */
export interface SocketParts {
  readonly app: Fetches;
  readonly service: Service;
  readonly ops: ReadonlyMap<string, SocketOp>;
  readonly report: (error: unknown) => void;
}

const PING_S = 30;
const AUTH_MS = 10_000;
const STALL_MS = 60_000;
const MAX_FOLLOWS = 64;
const MAX_UNANSWERED = 32;
const MAX_FAULTS = 10;
/** The largest message of a caller who is not known yet. */
const MAX_AUTH_BYTES = 4 * 1_024;
const AUTH = z.union([z.object({ key: z.string() }), z.object({ ticket: z.string() })]);
const BEARER = /^[\x21-\x7e]+$/;
const ANSWER = z.record(z.string(), z.unknown());

/** One WebSocket. */
export class Socket {
  readonly #parts: SocketParts;
  readonly #connection: UpgradedConnection;
  readonly #address: string | undefined;
  readonly #socket: WebSocket;
  readonly #writer: SocketWriter;
  readonly #openedAt: number;
  readonly #follows = new Map<string, FollowStop>();
  readonly #unanswered = new Set<string>();
  readonly #chains = new Map<string, Promise<void>>();
  readonly #work = new Set<Promise<void>>();
  readonly #opSocket: OpSocket;
  #caller: CallerIdentity | undefined;
  #authenticating: Promise<void> | undefined;
  #faults = 0;
  #pingedAt: number;
  #hasPonged = true;

  constructor(parts: SocketParts, connection: UpgradedConnection, socket: WebSocket) {
    const { service } = parts;
    const { clock } = service.store;
    this.#parts = parts;
    this.#connection = connection;
    this.#address = connection.socket.remoteAddress;
    this.#socket = socket;
    this.#writer = new SocketWriter(socket, connection.socket, clock);
    this.#openedAt = clock.monotonic();
    this.#pingedAt = this.#openedAt;
    this.#caller = connection.caller;
    this.#opSocket = {
      service,
      ask: (request) => this.#ask(request),
      reserve: (id) => this.#reserve(id),
      unfollow: (id) => this.#unfollow(id),
    };
    if (this.#caller === undefined) setMaxBytes(socket, MAX_AUTH_BYTES);
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary ? "binary" : "text"));
    socket.on("pong", () => {
      this.#hasPonged = true;
    });
    // The library closes it with the right code.
    socket.on("error", () => {});
    socket.once("close", () => this.#end());
    const auth = this.#caller === undefined ? "needed" : "done";
    this.#send({ hello: "baton.v1", auth, ping_s: PING_S });
  }

  /** The id of the caller's key; undefined while the caller is not known. */
  get key(): string | undefined {
    return this.#caller?.key;
  }

  /** Called periodically: pings, and closes a socket whose client is silent or takes nothing. */
  tend(now: number): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#caller === undefined && now - this.#openedAt >= AUTH_MS)
      return this.close(4401, "no key or ticket came within 10 s");
    if (this.#writer.stalledMs >= STALL_MS) return this.close(4408, "the client took nothing for 60 s");
    if (now - this.#pingedAt < PING_S * 1_000) return;
    this.#pingedAt = now;
    // A ping that waits behind other messages cannot be answered.
    if (!this.#hasPonged && this.#writer.stalledMs === 0) return this.#socket.terminate();
    this.#hasPonged = false;
    this.#socket.ping();
  }

  /** Ends the follows of a run that was deleted. */
  removed(run: string): void {
    for (const stop of this.#follows.values()) if (stop.run === run) stop.stop("ended");
  }

  /** Closes it with a code; nothing more is sent. */
  close(code: number, reason: string): void {
    this.#end();
    this.#socket.close(code, reason);
  }

  /** Ends all follows, then closes it; does not wait longer than for `late`. */
  async stop(late: Promise<unknown>): Promise<void> {
    for (const stop of this.#follows.values()) stop.stop("stopped");
    await Promise.race([Promise.allSettled(this.#work), late]);
    this.close(1012, "the server is stopping");
  }

  /** Ends it without a farewell. */
  terminate(): void {
    this.#socket.terminate();
  }

  #end(): void {
    this.#writer.close();
    for (const stop of this.#follows.values()) stop.stop("gone");
  }

  #receive(data: RawData, kind: "binary" | "text"): void {
    if (kind === "binary") return this.close(1003, "messages are JSON text");
    const names = new Set([...this.#parts.ops.keys(), "auth"]);
    const read = readMessage(Buffer.isBuffer(data) ? data.toString() : "", names);
    const first = this.#authenticating;
    if (first === undefined) this.#take(read);
    else this.#own(first.then(() => this.#take(read)));
  }

  #take(read: SocketMessage | SocketFault): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const isAuth = "op" in read && read.op === "auth";
    if (this.#caller === undefined && !isAuth) return this.close(4401, "the first message must be auth");
    if (!("op" in read)) {
      this.#refuse(read.id, viewOf(read.problem));
      if (++this.#faults >= MAX_FAULTS) this.close(4400, "ten messages in a row were not valid");
      return;
    }
    this.#faults = 0;
    const { message } = read;
    const { id } = message;
    if (this.#follows.has(id) || this.#unanswered.has(id))
      return this.#refuse(id, viewOf(new Problem("conflict", `The id ${id} is in use: give this op another.`)));
    if (this.#unanswered.size >= MAX_UNANSWERED)
      return this.#refuse(id, viewOf(tooMany(`${MAX_UNANSWERED} ops have no reply yet`)));
    this.#unanswered.add(id);
    const done = this.#inOrder(orderOf(message), () => this.#carryOut(read));
    if (this.#caller === undefined)
      this.#authenticating = done.finally(() => {
        this.#authenticating = undefined;
      });
    this.#own(done);
  }

  async #carryOut({ op, message }: SocketMessage): Promise<void> {
    const { id } = message;
    try {
      const work = this.#parts.ops.get(op);
      const answer =
        work === undefined
          ? await this.#authenticate(message)
          : await work(this.#opSocket, await this.#counted(work, message));
      this.#send({ re: id, ok: true, ...answer.fields });
      this.#begin(id, answer.follow);
    } catch (error) {
      this.#follows.delete(id);
      this.#fail(id, error);
    } finally {
      this.#unanswered.delete(id);
    }
  }

  /** Counts an op that no request of HTTP stands for. */
  async #counted(op: SocketOp, message: OpMessage): Promise<OpMessage> {
    if (OWN_OPS.has(op)) await this.#ask({ method: "GET", path: SOCKET_PATH }, { identified: () => {} });
    return message;
  }

  async #authenticate(message: OpMessage): Promise<OpAnswer> {
    const { service } = this.#parts;
    const { data } = AUTH.safeParse(message);
    const found = data === undefined ? undefined : await this.#identify(data);
    if (found === undefined) throw new Problem("invalid_api_key", "The key or ticket is not valid.");
    if (this.#caller !== undefined && this.#caller.key !== found.key)
      throw new Problem("conflict", "This socket has another key already: open a new one.");
    this.#caller = found;
    setMaxBytes(this.#socket, service.maxBodyBytes);
    const { tenant, user, scopes } = found;
    return { fields: { tenant, user, scopes } };
  }

  async #identify(sent: z.infer<typeof AUTH>): Promise<CallerIdentity | undefined> {
    if ("ticket" in sent) return this.#parts.service.sockets.tickets.redeem(sent.ticket);
    if (!BEARER.test(sent.key)) return undefined;
    let found: CallerIdentity | undefined;
    const identified = (caller: CallerIdentity) => {
      found = caller;
    };
    const headers = { Authorization: `Bearer ${sent.key}` };
    await this.#ask({ method: "GET", path: SOCKET_PATH, headers }, { identity: undefined, identified });
    return found;
  }

  /** Sends the caller's request through the app. Throws its refusal. */
  async #ask({ method, path, headers = {}, body, open }: OpRequest, more: Asking = {}): Promise<OpResponse> {
    const { app, report } = this.#parts;
    const hosts = this.#connection.incoming.headersDistinct["host"] ?? [];
    const socket = omitUndefined({ identity: this.#caller, body, open, ...more });
    const answer = await answerRequest(app, new Request(`http://localhost${path}`, { method, headers }), {
      report,
      source: () => ({ hosts, target: undefined }),
      address: this.#address,
      socket,
    });
    if (answer.status >= 400) throw await toRefusedOp(answer);
    const text = await answer.text();
    return { body: text === "" ? {} : ANSWER.parse(JSON.parse(text)), headers: answer.headers };
  }

  #reserve(id: string): FollowStop {
    if (this.#follows.size >= MAX_FOLLOWS) throw tooMany(`This socket has ${MAX_FOLLOWS} follows`);
    const stop = new FollowStop();
    this.#follows.set(id, stop);
    return stop;
  }

  #unfollow(id: string): boolean {
    const stop = this.#follows.get(id);
    stop?.stop("unfollowed");
    return stop !== undefined;
  }

  #begin(id: string, follow: OpAnswer["follow"]): void {
    const stop = this.#follows.get(id);
    if (stop === undefined) return;
    if (follow === undefined) this.#follows.delete(id);
    else this.#own(this.#follow(id, follow, stop));
  }

  async #follow(id: string, follow: NonNullable<OpAnswer["follow"]>, stop: FollowStop): Promise<void> {
    const { report } = this.#parts;
    const about = "session" in follow ? { session: follow.session } : { run: follow.run };
    stop.run = about.run;
    let end: FollowEnd | "gone" = "stopped";
    try {
      end = await this.#play(id, follow, stop);
    } catch (error) {
      // The client follows again, and then gets the reason.
      report(error);
      stop.stop("stopped");
    }
    this.#follows.delete(id);
    if (end !== "gone") this.#send({ on: id, ...about, end });
    else if ("left" in follow) follow.left?.();
  }

  async #play(id: string, follow: NonNullable<OpAnswer["follow"]>, stop: FollowStop): Promise<FollowEnd | "gone"> {
    const { service } = this.#parts;
    const { hub, store, sockets } = service;
    const shared = { on: JSON.stringify(id), writer: this.#writer, stop };
    if ("isEnded" in follow) return "ended";
    if ("run" in follow)
      return followLog(
        { hub, database: store.database, clock: store.clock, wakes: sockets.wakes },
        { ...shared, stream: follow },
      );
    return followSession(service, { ...shared, ...follow, visible: this.#visible() });
  }

  #visible(): { readonly tenant: string; readonly user?: string } {
    const { tenant = "", user = "", scopes = [] } = this.#caller ?? {};
    return scopes.includes("admin") ? { tenant } : { tenant, user };
  }

  #fail(id: string, error: unknown): void {
    const view = error instanceof RefusedOp ? error.view : this.#viewOf(error);
    this.#refuse(id, view);
    if (this.#caller === undefined && view.status < 429) this.close(4401, view.detail.slice(0, 120));
  }

  #viewOf(error: unknown): OpErrorView {
    const problem = toProblem(error);
    if (problem.status >= 500) this.#parts.report(error);
    return viewOf(problem);
  }

  #refuse(re: string | null, error: OpErrorView): void {
    this.#send({ re, ok: false, error });
  }

  #send(message: object): void {
    this.#writer.send(JSON.stringify(message));
  }

  async #inOrder(key: string | undefined, work: () => Promise<void>): Promise<void> {
    if (key === undefined) return work();
    const done = (this.#chains.get(key) ?? Promise.resolve()).then(work);
    this.#chains.set(key, done);
    await done;
    if (this.#chains.get(key) === done) this.#chains.delete(key);
  }

  #own(work: Promise<void>): void {
    const settled = work.catch(this.#parts.report).finally(() => this.#work.delete(settled));
    this.#work.add(settled);
  }
}

/** A request that is not the caller's own. */
type Asking = Omit<SocketSide, "identity"> & { readonly identity?: undefined };

function tooMany(what: string): Problem {
  return new Problem("limit", `${what}: wait for replies, or end some.`);
}

function orderOf({ run, session, session_id }: OpMessage): string | undefined {
  const name = run ?? session ?? session_id;
  return typeof name === "string" ? name : undefined;
}

/** The library has one limit for the whole life of a socket. */
function setMaxBytes(socket: WebSocket, maxBytes: number): void {
  const receiver: unknown = Reflect.get(socket, "_receiver");
  if (typeof receiver === "object" && receiver !== null) Reflect.set(receiver, "_maxPayload", maxBytes);
}
