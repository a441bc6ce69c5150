/**
 * Partner link: JSON-RPC requests to one agent, whose card is read once.
 *
 * The token goes to the partner's own origin only, redirects are not followed, and answers are bounded.
 */
import { type Effect, ToolError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { readObject, readText, type WireObject } from "../wire.ts";

const CARD = "/.well-known/agent-card.json";
const MAX_BYTES = 1_048_576;
const CANCEL_MS = 2_000;
const NOT_FOUND = -32_001;
/** Errors of a connection that never was. */
const UNREACHED: readonly unknown[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** An agent of another system. */
export interface A2aPartner {
  /** The address below which its card is, or its own address. */
  readonly url: string;
  /** Default `irreversible`. */
  readonly effect?: Effect;
  /** Sent as a bearer token to this address only. */
  readonly token?: string;
}

/** One message to a partner. */
export interface PartnerMessage {
  readonly text: object;
  /** The same for every attempt. */
  readonly id: string;
  /** The task that it continues. */
  readonly task?: Readonly<{ id: string; context: string }>;
}

/** The requests to one partner. */
export class PartnerLink {
  readonly #name: string;
  readonly #partner: Omit<A2aPartner, "effect">;
  #endpoint: string | undefined;

  constructor(name: string, partner: Omit<A2aPartner, "effect">) {
    this.#name = name;
    this.#partner = partner;
  }

  /** Sends a message; the answer has a `message` or a `task`. */
  async send({ text, id, task }: PartnerMessage, abort: AbortSignal): Promise<WireObject> {
    const place =
      task === undefined ? {} : { taskId: task.id, ...(task.context === "" ? {} : { contextId: task.context }) };
    const message = { messageId: id, role: "ROLE_USER", parts: [text], ...place };
    return this.#call("SendMessage", { message, configuration: { returnImmediately: true } }, abort);
  }

  /** The state of a task. */
  get(id: string, abort: AbortSignal): Promise<WireObject> {
    return this.#call("GetTask", { id }, abort);
  }

  /** Cancels a task; a partner that does not answer is left. */
  async cancel(id: string): Promise<void> {
    if (id !== "") await this.#call("CancelTask", { id }, AbortSignal.timeout(CANCEL_MS)).catch(() => {});
  }

  async #call(method: string, params: object, abort: AbortSignal): Promise<WireObject> {
    const url = (this.#endpoint ??= await this.#findEndpoint(abort));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { status, json } = await this.#fetch(url, { method: "POST", body }, abort);
    const error = readObject(json?.["error"]);
    if (error !== undefined) {
      const kind = error["code"] === -32_603 ? "temporary" : "permanent";
      const why = error["code"] === NOT_FOUND ? "has forgotten the task" : (readText(error["message"]) ?? "failed");
      throw new ToolError(kind, `${this.#name}: ${why.slice(0, 1_000)}`);
    }
    const result = readObject(json?.["result"]);
    if (status >= 400 || result === undefined) throw this.#refused(status);
    return result;
  }

  /** The address of the agent, as its card says; without a card, the address that the crew has. */
  async #findEndpoint(abort: AbortSignal): Promise<string> {
    const base = this.#partner.url.replace(/\/+$/, "");
    const card = base.endsWith(CARD) ? base : base + CARD;
    const { status, json } = await this.#fetch(card, { method: "GET" }, abort);
    if (status === 404 && card !== base) return base;
    if (status >= 400 || json === undefined) throw this.#refused(status);
    const all: readonly unknown[] = Array.isArray(json["supportedInterfaces"]) ? json["supportedInterfaces"] : [];
    const own = all.map((one) => readObject(one) ?? {}).find((one) => one["protocolBinding"] === "JSONRPC");
    const url = readText(own?.["url"]);
    if (url === undefined || !URL.canParse(url))
      throw new ToolError("permanent", `${this.#name}: its card has no JSON-RPC interface`);
    if (new URL(url).origin !== new URL(base).origin)
      throw new ToolError("permanent", `${this.#name}: its card names another origin, ${new URL(url).origin}`);
    return url;
  }

  #refused(status: number): ToolError {
    const kind =
      status === 401 || status === 403 ? "permission" : status === 429 || status === 503 ? "unavailable" : "permanent";
    return new ToolError(kind, `${this.#name} answered with status ${status}${status < 400 ? " and no result" : ""}`);
  }

  async #fetch(url: string, request: RequestInit, abort: AbortSignal) {
    const { token } = this.#partner;
    const headers = {
      "content-type": "application/json",
      "a2a-version": "1.0",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    try {
      const answer = await fetch(url, { ...request, headers, redirect: "error", signal: abort });
      return { status: answer.status, json: readObject(parseJson(await readBounded(answer))) };
    } catch (error) {
      if (error instanceof ToolError) throw error;
      abort.throwIfAborted();
      const { cause = error } = error instanceof Error ? error : {};
      const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
      const why = `${this.#name}: ${toMessage(cause)}`;
      // The partner may have the message: with an effect, a person says whether it is sent again.
      throw request.method === "GET" || UNREACHED.includes(code)
        ? new ToolError("unavailable", why)
        : new ToolError("network", why, { isInterrupted: true });
    }
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw new ToolError("permanent", "the answer is larger than 1 MB");
    text += decoder.decode(part, { stream: true });
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
