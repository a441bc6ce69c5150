/**
 * Socket hub: all WebSockets of a server.
 *
 * It pings them, closes those whose key was revoked, and closes all when the server stops.
 */
import type { Clock } from "@baton/core/ports";
import type { Store } from "@baton/store";
import { WebSocketServer } from "ws";
import type { UpgradedConnection } from "../gateway/http-server.ts";
import type { KeyRing } from "../gateway/keys.ts";
import type { OpenSockets } from "../service.ts";
import { FollowWakes } from "./follow-wakes.ts";
import { SessionWatcher } from "./session-watcher.ts";
import { Socket, type SocketParts } from "./socket.ts";
import { Tickets } from "./tickets.ts";

/** The subprotocol. */
export const PROTOCOL = "baton.v1";

/** Options of a socket hub. */
export interface SocketHubOptions {
  readonly store: Store;
  readonly keys: Pick<KeyRing, "identifyById" | "isWelcome">;
  /** The largest message. */
  readonly maxBytes: number;
  readonly report: (error: unknown) => void;
}

const MAX_SOCKETS = 1_000;
/** Interval of pings and checks. With the cache of the keys a socket of a revoked key closes within 2 s. */
const TICK_MS = 500;
/** Time for the last messages and the farewell, each. */
const CLOSING_MS = 1_000;

/** All sockets. */
export class SocketHub implements OpenSockets {
  readonly tickets: Tickets;
  readonly sessions: SessionWatcher;
  readonly wakes: FollowWakes;
  readonly #options: SocketHubOptions;
  readonly #clock: Clock;
  readonly #sockets = new Map<Socket, Promise<void>>();
  readonly #server: WebSocketServer;
  #timer: ReturnType<Clock["after"]> | undefined;
  #isDismissing = false;

  constructor(options: SocketHubOptions) {
    const { store, keys, maxBytes, report } = options;
    this.#options = options;
    this.#clock = store.clock;
    this.tickets = new Tickets(store, keys);
    this.wakes = new FollowWakes(store.clock);
    this.sessions = new SessionWatcher(store.database, store.clock, report);
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maxBytes,
      handleProtocols: () => PROTOCOL,
    });
  }

  /** Whether no further socket is accepted. */
  get isFull(): boolean {
    return this.#sockets.size >= MAX_SOCKETS;
  }

  /** Makes a connection a socket. */
  accept(parts: SocketParts, connection: UpgradedConnection): void {
    const { incoming, socket, head } = connection;
    this.#server.handleUpgrade(incoming, socket, head, (opened) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const made = new Socket(parts, connection, opened);
      this.#sockets.set(made, promise);
      opened.once("close", () => {
        this.#sockets.delete(made);
        resolve();
        if (this.#sockets.size === 0) this.#rest();
      });
      this.#tick();
    });
  }

  /** Ends the follows of deleted runs. */
  removed(runs: readonly { readonly id: string }[]): void {
    for (const socket of this.#sockets.keys()) for (const { id } of runs) socket.removed(id);
  }

  /** Closes all sockets: their clients continue with another server. */
  async close(): Promise<void> {
    const sockets = [...this.#sockets];
    if (sockets.length === 0) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(CLOSING_MS, resolve);
    await Promise.all(sockets.map(([socket]) => socket.stop(late)));
    timer.cancel();
    await this.#within(Promise.all(sockets.map(([, closed]) => closed)));
    for (const [socket] of sockets) socket.terminate();
  }

  async #within(work: Promise<unknown>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(CLOSING_MS, resolve);
    await Promise.race([work, late]);
    timer.cancel();
  }

  #rest(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #tick(): void {
    this.#timer ??= this.#clock.after(TICK_MS, () => {
      this.#timer = undefined;
      if (this.#sockets.size === 0) return;
      const now = this.#clock.monotonic();
      for (const socket of this.#sockets.keys()) socket.tend(now);
      this.#dismiss().catch(this.#options.report);
      this.#tick();
    });
  }

  /** Closes the sockets of revoked keys. A look-up that takes long is not started twice. */
  async #dismiss(): Promise<void> {
    if (this.#isDismissing) return;
    this.#isDismissing = true;
    try {
      for (const key of new Set([...this.#sockets.keys()].map((socket) => socket.key))) {
        if (key === undefined || (await this.#options.keys.isWelcome(key))) continue;
        const own = [...this.#sockets.keys()].filter((socket) => socket.key === key);
        for (const socket of own) socket.close(4401, "the key was revoked");
      }
    } finally {
      this.#isDismissing = false;
    }
  }
}
