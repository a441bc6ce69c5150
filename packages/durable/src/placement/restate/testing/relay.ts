/**
 * Relay: a TCP port in front of another one, which can be cut or made silent: what others see of a process that crashes or
 * freezes.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A port before a port of this machine. */
export class Relay implements AsyncDisposable {
  readonly port: number;
  /** Where connections go; they are refused as long as it is undefined. */
  target: number | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isFrozen = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
    server.on("connection", (front) => this.#join(front));
  }

  static async listen(): Promise<Relay> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return new Relay(server, typeof address === "object" && address !== null ? address.port : 0);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections stay, and nothing passes. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  wake(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Connections break, and new ones are refused. */
  cut(): void {
    if (this.#server.listening) this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await Promise.resolve();
  }

  #join(front: Socket): void {
    if (this.target === undefined) {
      front.destroy();
      return;
    }
    const back = connect(this.target, "127.0.0.1");
    for (const [socket, other] of [
      [front, back],
      [back, front],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("data", (data) => other.write(data));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        // While it is frozen, neither side sees events of the other.
        other.destroy();
      });
      if (this.#isFrozen) socket.pause();
    }
  }
}
