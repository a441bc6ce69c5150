/**
 * Stdio: the MCP server of a process over standard input and output, one message a line.
 *
 * Each message is a request to `/mcp` of a server in the same process, so both ways behave the same.
 */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { toMessage } from "@baton/core/util";
import { z } from "zod";

/** The streams, and the server behind them. */
export interface StdioOptions {
  /** Answers requests in this process, as `Baton.fetch` does. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Default: standard input and output. */
  readonly input?: Readable;
  readonly output?: Writable;
}

const URL = "http://127.0.0.1/mcp";
const MAX_CHARS = 8 * 1_024 * 1_024;
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
export async function serveStdio({
  fetch,
  input = process.stdin,
  output = process.stdout,
}: StdioOptions): Promise<void> {
  const open = new Map<string | number, AbortController>();
  const answering = new Set<Promise<void>>();
  const write = (line: string) => output.write(`${line}\n`);
  const answer = async (message: Message, line: string): Promise<void> => {
    const { id } = message;
    const controller = new AbortController();
    if (id !== undefined) open.set(id, controller);
    try {
      const { signal } = controller;
      const response = await fetch(
        new Request(URL, { method: "POST", headers: toHeaders(message), body: line, signal }),
      );
      await copy(response, { id, write });
    } catch (error) {
      if (id !== undefined && !controller.signal.aborted) write(toFault(id, toMessage(error)));
    } finally {
      if (id !== undefined) open.delete(id);
    }
  };
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const parsed = line.length > MAX_CHARS ? undefined : MESSAGE.safeParse(parseJson(line));
    if (line.trim() === "") continue;
    if (parsed?.success !== true) {
      write(toFault(null, "the line is not a message"));
      continue;
    }
    const { method, params } = parsed.data;
    if (method === "notifications/cancelled") open.get(params?.requestId ?? "")?.abort();
    const work = answer(parsed.data, line).finally(() => answering.delete(work));
    answering.add(work);
  }
  await Promise.all(answering);
}

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

interface Copying {
  readonly id: string | number | undefined;
  readonly write: (line: string) => void;
}

/** Writes the messages of an answer, which is one message or a stream of events. */
async function copy(response: Response, { id, write }: Copying): Promise<void> {
  const { body, headers, status } = response;
  if (body === null) return;
  if (headers.get("content-type")?.startsWith("text/event-stream") === true) {
    for await (const data of readEvents(body)) write(data);
    return;
  }
  const text = await response.text();
  const message = parseJson(text);
  if (z.looseObject({ jsonrpc: z.string() }).safeParse(message).success) write(JSON.stringify(message));
  else if (id !== undefined && status >= 400) write(toFault(id, text));
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

function toFault(id: string | number | null, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: id === null ? -32_700 : -32_603, message } });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
