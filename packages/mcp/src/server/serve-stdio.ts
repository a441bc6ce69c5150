/**
 * Stdio: the MCP server of a process over standard input and output, one message a line.
 *
 * Each message is a request to `/mcp` of a server in the same process, so both ways behave the same.
 */
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson, toMessage } from "@baton/core/util";
import { z } from "zod";

/** The streams, and the server behind them. */
export interface StdioOptions {
  /** Answers requests in this process, as `Baton.fetch` does. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Default: standard input and output. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** Ends it before its input ends; requests that are open are cancelled at once. */
  readonly stopped?: Promise<void>;
  /** Time for open requests after the end of the input. Default 30,000. */
  readonly graceMs?: number;
}

const URL = "http://127.0.0.1/mcp";
const MAX_CHARS = 64 * 1_024 * 1_024;
const GRACE_MS = 30_000;
const NOT_JSON = -32_700;
const NOT_A_REQUEST = -32_600;
const FAULT = -32_603;
const META = z.looseObject({ "io.modelcontextprotocol/protocolVersion": z.string().optional() });
const MESSAGE = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      taskId: z.string().optional(),
      requestId: z.union([z.string(), z.number()]).optional(),
      _meta: META.optional(),
    })
    .optional(),
});
type Message = z.output<typeof MESSAGE>;

/** Serves until the input ends and every request that was read has its answer. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, stopped, graceMs = GRACE_MS } = options;
  const requests = new OpenRequests(options.fetch, (line) => writeLine(output, line));
  const never = new Promise<never>(() => {});
  await Promise.race([readMessages(input, requests), stopped ?? never]);
  const timer = new AbortController();
  const late = sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([requests.answered(), stopped ?? never, late]);
  timer.abort();
  await requests.cancel();
}

/** Waits until the reader has room. */
function writeLine(output: Writable, line: string): Promise<void> {
  return new Promise((resolve) => {
    output.write(`${line}\n`, () => resolve());
  });
}

async function readMessages(input: Readable, requests: OpenRequests): Promise<void> {
  for await (const line of readLines(input)) {
    if (line.trim() === "") continue;
    const json = parseJson(line);
    const { data } = MESSAGE.safeParse(json);
    if (data !== undefined) requests.receive(data, line);
    else if (json === undefined) await requests.refuse(NOT_JSON, "the line is not JSON");
    else await requests.refuse(NOT_A_REQUEST, "the line is not a message");
  }
}

/** The lines of a stream; one that is too long is cut, so that it is not JSON any more. */
async function* readLines(input: Readable): AsyncGenerator<string, void> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of input.setEncoding("utf8")) {
    const [first = "", ...lines] = String(chunk).split("\n");
    if (length <= MAX_CHARS) parts.push(first);
    length += first.length;
    for (const line of lines) {
      yield parts.join("");
      parts = [line];
      length = line.length;
    }
  }
  yield parts.join("");
}

/** The requests of a client that have no answer yet. */
class OpenRequests {
  readonly #fetch: StdioOptions["fetch"];
  readonly #write: (line: string) => Promise<void>;
  readonly #controllers = new Map<string | number, AbortController>();
  readonly #answering = new Set<Promise<void>>();

  constructor(fetch: StdioOptions["fetch"], write: (line: string) => Promise<void>) {
    this.#fetch = fetch;
    this.#write = write;
  }

  /** Begins to answer a message; one that cancels another ends that. */
  receive(message: Message, line: string): void {
    if (message.method === "notifications/cancelled") this.#controllers.get(message.params?.requestId ?? "")?.abort();
    const work = this.#answer(message, line).finally(() => this.#answering.delete(work));
    this.#answering.add(work);
  }

  refuse(code: number, why: string): Promise<void> {
    return this.#write(toFault(null, code, why));
  }

  async answered(): Promise<void> {
    await Promise.all(this.#answering);
  }

  /** Cancels all of them. */
  async cancel(): Promise<void> {
    for (const controller of this.#controllers.values()) controller.abort();
    await this.answered();
  }

  async #answer(message: Message, line: string): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    if (id !== undefined) this.#controllers.set(id, controller);
    const { signal } = controller;
    try {
      const request = new Request(URL, { method: "POST", headers: toHeaders(message), body: line, signal });
      await this.#copy(await this.#fetch(request), id);
    } catch (error) {
      if (id !== undefined && !signal.aborted) await this.#write(toFault(id, FAULT, toMessage(error)));
    } finally {
      if (id !== undefined) this.#controllers.delete(id);
    }
  }

  /** Writes the messages of an answer, which is one message or a stream of events. */
  async #copy(response: Response, id: string | number | undefined): Promise<void> {
    const { body, headers, status } = response;
    if (body === null) return;
    if (headers.get("content-type")?.startsWith("text/event-stream") === true) {
      for await (const data of readEvents(body)) await this.#write(data);
      return;
    }
    const text = await response.text();
    const message = parseJson(text);
    if (JSON_RPC.safeParse(message).success) await this.#write(JSON.stringify(message));
    else if (id !== undefined && status >= 400) {
      const { detail = text } = PROBLEM.safeParse(message).data ?? {};
      await this.#write(toFault(id, status < 500 ? NOT_A_REQUEST : FAULT, detail));
    }
  }
}

const JSON_RPC = z.looseObject({ jsonrpc: z.string() });
const PROBLEM = z.looseObject({ detail: z.string() });

/** The headers by which the HTTP form of a message repeats parts of its body. */
function toHeaders({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const name = params?.name ?? params?.uri ?? params?.taskId;
  const modern = {
    "mcp-protocol-version": version ?? "",
    "mcp-method": method ?? "",
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    host: "127.0.0.1",
    ...(version === undefined ? {} : modern),
  };
}

/** The data of each event; the servers of the SDK write every message on one line. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = line.startsWith("data:") ? line.slice("data:".length).trim() : "";
      if (data !== "") yield data;
    }
  }
}

function toFault(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
