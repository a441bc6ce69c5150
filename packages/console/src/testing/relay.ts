/**
 * Relay: stands between a browser and a server, so that a test can interrupt the connection without either noticing why.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";

/** A relay on a port of its own. */
export class Relay implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isCut = false;

  constructor(port: number) {
    this.#server = createServer((socket) => {
      if (this.#isCut) return socket.destroy();
      const other = connect(port, "127.0.0.1");
      for (const [one, two] of [
        [socket, other],
        [other, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => two.destroy());
        one.on("close", () => {
          this.#sockets.delete(one);
          two.destroy();
        });
        one.pipe(two);
      }
      return undefined;
    });
  }

  /** Listens; gives its address. */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** Ends every connection and takes none. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Takes connections again. */
  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
