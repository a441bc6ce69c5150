/**
 * Web exchange: answers a `Request` with a `Response` in the same process, without a socket.
 *
 * Routes write streams to an outgoing side as they do on a connection; here it is the body of the `Response`, with the
 * same backpressure. Aborting the request, or cancelling the body, is a disconnect.
 */
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Exchange, OutgoingSide } from "./gateway-env.ts";
import type { Fetches } from "./http-server.ts";

/** The origin of a request, if it is not its URL, and what is done with errors after the answer has begun. */
export interface AnswerOptions extends Partial<Pick<Exchange, "source" | "address" | "socket">> {
  readonly report: (error: unknown) => void;
}

/** Answers a request. */
export async function answerRequest(app: Fetches, request: Request, options: AnswerOptions): Promise<Response> {
  const { report, source = () => sourceOf(request), address, socket = {} } = options;
  request.signal.throwIfAborted();
  const outgoing = new WebOutgoing();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const { signal: abort } = request;
  const leave = () => {
    outgoing.destroy();
    reject(abort.reason);
  };
  abort.addEventListener("abort", leave, { once: true });
  outgoing.once("close", () => abort.removeEventListener("abort", leave));
  const incoming = Readable.from(request.body ?? [], { objectMode: false });
  const answering = async (): Promise<Response> => {
    const answer = await app.fetch(request, { incoming, outgoing, source, address, socket });
    return outgoing.headersSent ? outgoing.begun : send(answer, outgoing, report);
  };
  // A stream is handed over when it begins: its route may be busy with it until it ends.
  return Promise.race([outgoing.begun, aborted, answering()]);
}

/** Sends a complete answer through the outgoing side, so that its end and a disconnect are noticed there. */
async function send(answer: Response, outgoing: WebOutgoing, report: (error: unknown) => void): Promise<Response> {
  const { status, headers, body } = answer;
  outgoing.writeHead(status, Object.fromEntries(headers), body === null ? "empty" : "stream");
  if (body === null) outgoing.end();
  else pipeline(body, outgoing).catch((error: unknown) => outgoing.isLeft || report(error));
  return outgoing.begun;
}

/** The hosts of a request: of its URL, and of its Host header if the program passes one on. */
function sourceOf({ url, headers }: Request): { hosts: readonly string[]; target: string } {
  const target = new URL(url).host;
  return { hosts: [headers.get("host") ?? target], target };
}

/** The outgoing side of a request: what is written becomes the body of a `Response`. */
class WebOutgoing extends Writable implements OutgoingSide {
  statusCode = 200;
  headersSent = false;
  /** Resolves with the answer as soon as its head is written. */
  readonly begun: Promise<Response>;
  readonly #headers = new Headers();
  readonly #body: ReadableStream<Uint8Array>;
  readonly #begin: (answer: Response) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #resume: (() => void) | undefined;
  /** Whether the client left before the end. */
  isLeft = false;

  constructor() {
    super();
    // Its reader learns of an error from the body.
    this.on("error", () => {});
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.begun = promise;
    this.#begin = resolve;
    this.#body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#continue(),
      cancel: () => {
        this.#controller = undefined;
        this.destroy();
      },
    });
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  getHeader(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>, body: "stream" | "empty" = "stream"): this {
    for (const [name, value] of Object.entries(headers)) this.#headers.set(name, value);
    this.statusCode = status;
    this.headersSent = true;
    this.#begin(new Response(body === "empty" ? null : this.#body, { status, headers: this.#headers }));
    return this;
  }

  writeContinue(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#controller?.enqueue(chunk);
    if ((this.#controller?.desiredSize ?? 0) > 0) done();
    else this.#resume = done;
  }

  override _final(done: () => void): void {
    this.#controller?.close();
    this.#controller = undefined;
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.isLeft = !this.writableFinished;
    this.#controller?.error(error ?? new Error("the stream was closed; resume it with the id of the last frame"));
    this.#controller = undefined;
    this.#continue();
    done(error);
  }

  #continue(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }
}
