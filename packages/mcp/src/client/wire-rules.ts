/**
 * Wire rules: bounds on the messages of one connection, and the parts of the protocol that the SDK's client leaves out.
 *
 * A list and a result have a largest size. A result that is a task is handed on as a complete one that carries the task.
 * A legacy server is told of no capability: it would hold its connection while a person thinks.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** Where a complete result carries its task. */
export const TASK_MARK = "baton/task";
/** The largest list of tools. */
const MAX_LIST_BYTES = 4 * 1_024 * 1_024;
/** Code of the error that stands for a message that was too large. */
export const TOO_LARGE = -32_090;
/** Code of the error that stands for an answer that will not come, because the connection ended. */
export const INTERRUPTED = -32_091;

const ENVELOPE_BYTES = 4_096;

/** Rules of one connection. */
export class WireRules {
  readonly #maxResultBytes: number;
  readonly #methods = new Map<string | number, string>();
  #listBytes = 0;

  constructor(maxResultBytes: number) {
    this.#maxResultBytes = maxResultBytes;
  }

  /** The largest message that is read at all. */
  get maxBytes(): number {
    return Math.max(this.#maxResultBytes, MAX_LIST_BYTES) + ENVELOPE_BYTES;
  }

  /** Requests without an answer. */
  get pending(): readonly (string | number)[] {
    return [...this.#methods.keys()];
  }

  /** The message as it is sent. */
  sent(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || !("id" in message)) return message;
    const { id, method, params } = message;
    this.#methods.set(id, method);
    if (method === "tools/list" && params?.["cursor"] === undefined) this.#listBytes = 0;
    return method === "initialize" ? { ...message, params: { ...params, capabilities: {} } } : message;
  }

  /** The message as the client reads it; `bytes` is its size. */
  received(message: JSONRPCMessage, bytes: number): JSONRPCMessage {
    if ("method" in message || message.id === undefined) return message;
    const method = this.#methods.get(message.id);
    this.#methods.delete(message.id);
    if (!("result" in message)) return message;
    const { id, result } = message;
    if (method === "tools/list") {
      this.#listBytes += bytes;
      if (this.#listBytes > MAX_LIST_BYTES + ENVELOPE_BYTES) return tooLarge(id, bytes);
    }
    if (method === "tools/call" && bytes > this.#maxResultBytes + ENVELOPE_BYTES) return tooLarge(id, bytes);
    if (method?.startsWith("tasks/") === true) return { ...message, result: { resultType: "complete", ...result } };
    if (method !== "tools/call" || result["resultType"] !== "task") return message;
    return { ...message, result: { resultType: "complete", content: [], _meta: { [TASK_MARK]: result } } };
  }

  /** The answer to a request whose own one is too large; undefined if there is no such request. */
  refuse(id: string | number, bytes: number): JSONRPCMessage | undefined {
    return this.#methods.delete(id) ? tooLarge(id, bytes) : undefined;
  }

  /** The answer to a request whose connection ended. */
  interrupt(id: string | number, why: string): JSONRPCMessage | undefined {
    return this.#methods.delete(id) ? { jsonrpc: "2.0", id, error: { code: INTERRUPTED, message: why } } : undefined;
  }
}

function tooLarge(id: string | number, bytes: number): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: TOO_LARGE, message: `over ${bytes} bytes` } };
}
