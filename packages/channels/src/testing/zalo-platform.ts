/**
 * Zalo platform: Zalo Bot's methods inside a process, for tests. It refuses what Zalo refuses and knows nothing else.
 */
import { z } from "zod";
import type { Fault, PlatformCall } from "./local-platform.ts";

const CHAT_ID = z.string().regex(/^[0-9a-f]+$/);
const METHODS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["getMe", z.strictObject({})],
  ["getWebhookInfo", z.strictObject({})],
  ["deleteWebhook", z.strictObject({})],
  ["setWebhook", z.strictObject({ url: z.url({ protocol: /^https$/ }), secret_token: z.string().min(8).max(256) })],
  ["getUpdates", z.strictObject({ timeout: z.string().regex(/^[0-9]+$/) })],
  ["sendMessage", z.strictObject({ chat_id: CHAT_ID, text: z.string().min(1).max(2_000) })],
  ["sendPhoto", z.strictObject({ chat_id: CHAT_ID, photo: z.url(), caption: z.string().min(1).max(2_000).optional() })],
  ["sendChatAction", z.strictObject({ chat_id: CHAT_ID, action: z.literal("typing") })],
]);
const BODY = z.record(z.string(), z.unknown());

/** A Zalo bot platform in this process. */
export class ZaloPlatform {
  readonly token = "987654321:zalo-token-of-a-test";
  readonly calls: PlatformCall[] = [];
  readonly faults: Fault[] = [];
  readonly files = new Map<string, Uint8Array>();
  called: (call: PlatformCall) => void = () => {};
  webhook = "";
  /** Answers an empty poll at once, as the real one does after its timeout. */
  isImpatient = false;
  readonly #updates: object[] = [];
  #wake = Promise.withResolvers<void>();
  #next = 1;

  /** Adds a private message of a user; gives its id. */
  say(text: string, more: { chat?: string; event?: string; group?: boolean; fields?: object } = {}): string {
    const { chat = "6ede", event = "text", group = false, fields = {} } = more;
    const id = `2d75${(this.#next++).toString(16)}`;
    // Clocks of platforms may jump: every message is older than the one before.
    const date = 1_750_316_131_602 - this.#next * 1_000;
    const from = { id: group ? "aaaa" : chat, display_name: "Ted", is_bot: false };
    const where = { id: chat, chat_type: group ? "GROUP" : "PRIVATE" };
    const said = event === "text" ? { text } : {};
    this.#updates.push({
      event_name: `message.${event}.received`,
      message: { from, chat: where, ...said, message_id: id, date, ...fields },
    });
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
    return id;
  }

  /** The calls of a method. */
  of(method: string): readonly PlatformCall["parameters"][] {
    return this.calls.filter((call) => call.method === method).map(({ parameters }) => parameters);
  }

  /** The texts that were sent to a chat. */
  texts(chat = "6ede"): readonly string[] {
    return this.of("sendMessage")
      .filter(({ chat_id: id }) => id === chat)
      .map(({ text }) => String(text));
  }

  /** In place of `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    const file = this.files.get(url.pathname);
    if (file !== undefined) return new Response(Buffer.from(file));
    const [, bot = "", method = ""] = url.pathname.split("/");
    // A wrong token may answer without JSON.
    if (bot !== `bot${this.token}`) return new Response("denied", { status: 401 });
    const at = this.faults.findIndex((fault) => fault.method === method);
    const [fault] = at === -1 ? [] : this.faults.splice(at, 1);
    if (fault?.kind === "answer") return toRefusal(fault.code ?? 500, fault.description ?? "", fault.parameters);
    const body = BODY.parse(JSON.parse(typeof init?.body === "string" ? init.body : "null"));
    const parsed = METHODS.get(method)?.safeParse(body);
    if (parsed === undefined) return toRefusal(404, "method not found");
    if (!parsed.success) return toRefusal(400, parsed.error.issues[0]?.message ?? "");
    if (method === "getUpdates") return this.#poll(init?.signal ?? undefined);
    const call = { method, parameters: body };
    this.calls.push(call);
    const result = this.#resultOf(method, body);
    this.called(call);
    if (fault?.kind === "broken") throw new TypeError("terminated");
    return Response.json(result === undefined ? { ok: true } : { ok: true, result });
  };

  #resultOf(method: string, body: Readonly<Record<string, unknown>>): unknown {
    if (method === "getMe")
      return { id: "b07", account_name: "bot.baton", account_type: "BASIC", can_join_groups: true };
    if (method === "setWebhook") this.webhook = String(body["url"]);
    if (method === "deleteWebhook") this.webhook = "";
    if (method.endsWith("ebhook") || method === "getWebhookInfo") return { url: this.webhook, updated_at: 1 };
    return method === "sendChatAction" ? undefined : { message_id: `m${this.#next++}`, date: 1 };
  }

  /** One update at a time; delivering confirms. */
  async #poll(abort: AbortSignal | undefined): Promise<Response> {
    if (this.webhook !== "") return toRefusal(409, "a webhook is set");
    if (this.#updates.length === 0 && !this.isImpatient) {
      const { promise, resolve } = Promise.withResolvers<void>();
      abort?.addEventListener("abort", () => resolve());
      await Promise.race([this.#wake.promise, promise]);
    }
    const update = this.#updates.shift();
    if (update === undefined) {
      this.isImpatient = false;
      return toRefusal(408, "Request timeout");
    }
    return Response.json({ ok: true, result: update });
  }
}

/** Zalo answers refusals with status 200 as well. */
function toRefusal(code: number, description: string, parameters?: object): Response {
  return Response.json({
    ok: false,
    error_code: code,
    description,
    ...(parameters === undefined ? {} : { parameters }),
  });
}
