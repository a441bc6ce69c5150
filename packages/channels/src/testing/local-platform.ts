/**
 * Local platform: Telegram's methods inside a process, for the demo and for tests. It refuses what Telegram refuses.
 */
import { z } from "zod";

const ENTITY = z.strictObject({
  type: z.enum(["bold", "italic", "strikethrough", "code", "pre", "text_link", "blockquote"]),
  offset: z.int().min(0),
  length: z.int().min(1),
  url: z.string().optional(),
  language: z.string().optional(),
});
const KEYBOARD = z.strictObject({
  inline_keyboard: z.array(
    z.array(z.strictObject({ text: z.string().min(1), callback_data: z.string().min(1).max(64) })),
  ),
});
const CHAT_ID = z.int();
const TEXT = z.string().min(1).max(4_096);
const METHODS = {
  getMe: z.strictObject({}),
  getWebhookInfo: z.strictObject({}),
  deleteWebhook: z.strictObject({}),
  setWebhook: z.strictObject({
    url: z.string().startsWith("https://"),
    secret_token: z.string().regex(/^[A-Za-z0-9_-]{1,256}$/),
    allowed_updates: z.array(z.string()),
  }),
  setMyCommands: z.strictObject({
    commands: z
      .array(
        z.strictObject({ command: z.string().regex(/^[a-z0-9_]{1,32}$/), description: z.string().min(1).max(256) }),
      )
      .max(100),
    language_code: z.string().optional(),
  }),
  getUpdates: z.strictObject({
    offset: z.int(),
    limit: z.int().min(1).max(100),
    timeout: z.int(),
    allowed_updates: z.array(z.string()),
  }),
  sendMessage: z.strictObject({
    chat_id: CHAT_ID,
    text: TEXT,
    entities: z.array(ENTITY).optional(),
    link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
    reply_parameters: z
      .strictObject({ message_id: z.int(), allow_sending_without_reply: z.boolean().optional() })
      .optional(),
    reply_markup: KEYBOARD.optional(),
  }),
  sendMessageDraft: z.strictObject({
    chat_id: z.int().positive(),
    draft_id: z.int().refine((id) => id !== 0),
    text: z.string().max(4_096),
    can_stop: z.boolean().optional(),
  }),
  sendChatAction: z.strictObject({ chat_id: CHAT_ID, action: z.enum(["typing", "upload_photo"]) }),
  editMessageText: z.strictObject({ chat_id: CHAT_ID, message_id: z.int(), text: TEXT }),
  answerCallbackQuery: z.strictObject({
    callback_query_id: z.string(),
    text: z.string().max(200).optional(),
    show_alert: z.boolean().optional(),
  }),
  getFile: z.strictObject({ file_id: z.string() }),
  sendPhoto: z.strictObject({
    chat_id: z.string().regex(/^-?[0-9]+$/),
    photo: z.instanceof(Blob).refine(({ size, type }) => size <= 10_000_000 && type === "image/png"),
    caption: z.string().max(1_024).optional(),
    reply_parameters: z.string().optional(),
  }),
} as const;

type Method = keyof typeof METHODS;

/** A call that was accepted. */
export interface PlatformCall {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A refusal or a fault to answer the next calls of a method with. */
export interface Fault {
  readonly method: string;
  /** `broken`: carried out, and the connection breaks. `refused`: never reached. */
  readonly kind: "answer" | "broken" | "refused";
  readonly code?: number;
  readonly description?: string;
  readonly parameters?: object;
}

/** A bot platform in this process. */
export class LocalPlatform {
  readonly token = "123456789:AAlocal-platform-token-of-35-chars-xx";
  readonly calls: PlatformCall[] = [];
  readonly faults: Fault[] = [];
  readonly files = new Map<string, Uint8Array>();
  /** The language of its users. */
  language = "en";
  /** Whether it cannot be reached. */
  isDown = false;
  /** The address of the webhook that is set; empty if none is. */
  webhook = "";
  /** The texts of the bot's messages by chat and id. */
  readonly #texts = new Map<string, string>();
  readonly #presses = new Set<string>();
  /** Called with every accepted call. */
  called: (call: PlatformCall) => void = () => {};
  #updates: Readonly<Record<string, unknown>>[] = [];
  #wake = Promise.withResolvers<void>();
  #nextUpdate = 1;
  #nextMessage = 100;

  /** Adds an update that the bot gets with its next poll; gives its id. */
  deliver(update: Readonly<Record<string, unknown>>): number {
    const update_id = this.#nextUpdate++;
    this.#updates.push({ update_id, ...update });
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
    return update_id;
  }

  /** Adds a private message of a user. */
  say(
    text: string,
    { chat = 7, message = this.#nextMessage++, more = {} }: { chat?: number; message?: number; more?: object } = {},
  ): number {
    const from = { id: chat, is_bot: false, first_name: "Lan", language_code: this.language };
    this.deliver({
      message: { message_id: message, date: 1, from, chat: { id: chat, type: "private" }, text, ...more },
    });
    return message;
  }

  /** Changes the text of a private message of a user. */
  edit(message: number, text: string, chat = 7): void {
    const from = { id: chat, is_bot: false, first_name: "Lan", language_code: this.language };
    const edited = { message_id: message, date: 1, edit_date: 2, from, chat: { id: chat, type: "private" }, text };
    this.deliver({ edited_message: edited });
  }

  /** The ids of the bot's messages to a chat, the oldest first. */
  sentIds(chat = 7): readonly number[] {
    const prefix = `${chat}/`;
    return [...this.#texts.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => Number(key.slice(prefix.length)));
  }

  /** Presses a button of a message that was sent. */
  press(data: string, chat = 7, from = chat): void {
    const person = { id: from, is_bot: false, first_name: "Lan", language_code: this.language };
    const message = { message_id: 1, chat: { id: chat, type: chat > 0 ? "private" : "group" } };
    const id = `q${this.#nextMessage++}`;
    this.#presses.add(id);
    this.deliver({
      callback_query: { id, from: person, message, chat_instance: "1", data },
    });
  }

  /** The calls of a method. */
  of(method: string): readonly PlatformCall["parameters"][] {
    return this.calls.filter((call) => call.method === method).map(({ parameters }) => parameters);
  }

  /** The texts that were sent to a chat. */
  texts(chat = 7): readonly string[] {
    return this.of("sendMessage")
      .filter(({ chat_id: id }) => id === chat)
      .map(({ text }) => String(text));
  }

  /** In place of `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    const file = `/file/bot${this.token}/`;
    if (url.pathname.startsWith(file)) {
      const bytes = this.files.get(url.pathname.slice(file.length));
      return bytes === undefined ? new Response("", { status: 404 }) : new Response(Buffer.from(bytes));
    }
    const [, bot = "", method = ""] = url.pathname.split("/");
    if (bot !== `bot${this.token}`) return toAnswer({ code: 401, description: "Unauthorized" });
    const fault = this.isDown ? ({ kind: "refused" } as const) : this.#takeFault(method);
    if (fault?.kind === "refused")
      throw Object.assign(new TypeError("fetch failed"), {
        cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
      });
    if (fault?.kind === "answer")
      return toAnswer({ code: fault.code ?? 500, description: fault.description ?? "", parameters: fault.parameters });
    const parameters = await readParameters(init?.body);
    const result = await this.#carryOut(method, parameters, init?.signal ?? undefined);
    if (fault?.kind === "broken") throw new TypeError("terminated");
    return result;
  };

  #takeFault(method: string): Fault | undefined {
    const at = this.faults.findIndex((fault) => fault.method === method);
    const [fault] = at === -1 ? [] : this.faults.splice(at, 1);
    if (fault !== undefined) this.called({ method, parameters: {} });
    return fault;
  }

  async #carryOut(
    method: string,
    parameters: Readonly<Record<string, unknown>>,
    abort: AbortSignal | undefined,
  ): Promise<Response> {
    if (!isMethod(method)) return toAnswer({ code: 404, description: "Not Found" });
    const parsed = METHODS[method].safeParse(parameters);
    if (!parsed.success)
      return toAnswer({
        code: 400,
        description: `Bad Request: ${parsed.error.issues[0]?.path.join(".")} ${parsed.error.issues[0]?.message}`,
      });
    const refusal = this.#refusalOf(method, parameters);
    if (refusal !== undefined) return toAnswer(refusal);
    if (method === "getUpdates") return this.#poll(Number(parameters["offset"]), abort);
    return this.#accept(method, parameters);
  }

  /** Refuses what fits the parameters and not the state. */
  #refusalOf(method: string, parameters: Readonly<Record<string, unknown>>): Refused | undefined {
    const { text, entities, message_id: message, chat_id: chat } = parameters;
    if (typeof text === "string" && text.trim() === "" && method === "sendMessage")
      return { code: 400, description: "Bad Request: message text is empty" };
    if (method === "getUpdates" && this.webhook !== "")
      return { code: 409, description: "Conflict: can't use getUpdates method while webhook is active" };
    if (method === "answerCallbackQuery" && !this.#presses.delete(String(parameters["callback_query_id"])))
      return { code: 400, description: "Bad Request: query is too old and response timeout expired" };
    const problem = findEntityProblem(String(text), z.array(ENTITY).safeParse(entities).data ?? []);
    if (problem !== undefined) return { code: 400, description: `Bad Request: can't parse entities: ${problem}` };
    if (method !== "editMessageText") return undefined;
    const known = this.#texts.get(`${String(chat)}/${String(message)}`);
    if (known === undefined) return { code: 400, description: "Bad Request: message to edit not found" };
    return known === text ? { code: 400, description: "Bad Request: message is not modified" } : undefined;
  }

  #accept(method: string, parameters: Readonly<Record<string, unknown>>): Response {
    const call = { method, parameters };
    this.calls.push(call);
    const result = this.#resultOf(method, parameters);
    this.called(call);
    return Response.json({ ok: true, result });
  }

  #resultOf(method: string, parameters: Readonly<Record<string, unknown>>): unknown {
    if (method === "getMe") return { id: 42, is_bot: true, first_name: "Baton", username: "baton_bot" };
    if (method === "getWebhookInfo") return { url: this.webhook, pending_update_count: 0 };
    if (method === "setWebhook") this.webhook = String(parameters["url"]);
    if (method === "deleteWebhook") this.webhook = "";
    if (method === "getFile") return { file_id: parameters["file_id"], file_path: String(parameters["file_id"]) };
    if (method !== "sendMessage" && method !== "sendPhoto") return true;
    const message_id = this.#nextMessage++;
    this.#texts.set(`${String(parameters["chat_id"])}/${message_id}`, String(parameters["text"]));
    return { message_id, date: 1, chat: { id: parameters["chat_id"] } };
  }

  /** Waits for updates, for as long as the caller does. */
  async #poll(offset: number, abort: AbortSignal | undefined): Promise<Response> {
    this.#updates = this.#updates.filter((update) => Number(update["update_id"]) >= offset);
    if (this.#updates.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      abort?.addEventListener("abort", () => resolve());
      await Promise.race([this.#wake.promise, promise]);
    }
    return Response.json({ ok: true, result: this.#updates.slice(0, 100) });
  }
}

type Refused = Readonly<{ code: number; description: string; parameters?: object | undefined }>;

/** Entities lie within the text, and one that overlaps another is within it; code holds and is within nothing but quotes. */
function findEntityProblem(text: string, entities: readonly z.output<typeof ENTITY>[]): string | undefined {
  for (const one of entities) {
    if (one.offset + one.length > text.length) return "an entity is longer than the text";
    for (const other of entities) {
      const isApart = one.offset + one.length <= other.offset || other.offset + other.length <= one.offset;
      if (one === other || isApart || other.offset < one.offset || other.length > one.length) continue;
      if (other.offset + other.length > one.offset + one.length) return "two entities overlap";
      const types = [one.type, other.type];
      const isCode = types.includes("code") || types.includes("pre");
      if (isCode && !types.includes("blockquote")) return "code is within another entity";
    }
  }
  return undefined;
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

async function readParameters(body: unknown): Promise<Readonly<Record<string, unknown>>> {
  if (body instanceof FormData) return Object.fromEntries(body.entries());
  const value: unknown = JSON.parse(typeof body === "string" ? body : "{}");
  return z.record(z.string(), z.unknown()).parse(value);
}

function toAnswer({ code, description, parameters }: Refused): Response {
  const body = { ok: false, error_code: code, description, ...(parameters === undefined ? {} : { parameters }) };
  return Response.json(body, { status: code });
}
