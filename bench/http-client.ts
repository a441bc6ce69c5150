/**
 * HTTP client: keep-alive connections on raw sockets, one request at a time on each, with as little work as possible.
 *
 * Requests are made of text once; an answer is the text that came, with its head.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "\r\n0\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** What is posted, and to which path; lines of further headers. */
export interface Post {
  readonly path: string;
  readonly body: object;
  readonly headers?: readonly string[];
}

/** The text of a POST with a JSON body. */
export function toPost(port: number, { path, body, headers = [] }: Post): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...headers,
  ];
  return `${head.join("\r\n")}${HEAD_END}${text}`;
}

/** One connection. */
export class Connection {
  readonly #socket: Socket;
  #text = "";
  #seen: ((text: string) => void) | undefined;
  #answered: ((text: string) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => this.#take(text));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the connection was closed before its answer")));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Resolves with the whole answer; `seen` is called with all of it that has come, each time that more comes. */
  send(request: string, seen?: (text: string) => void): Promise<string> {
    this.#text = "";
    this.#seen = seen;
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    this.#seen?.(this.#text);
    const head = this.#text.indexOf(HEAD_END);
    if (head < 0) return;
    const length = LENGTH.exec(this.#text.slice(0, head))?.[1];
    const isWhole =
      length === undefined
        ? this.#text.endsWith(LAST_CHUNK)
        : this.#text.length >= head + HEAD_END.length + Number(length);
    if (isWhole) this.#answered?.(this.#text);
  }
}
