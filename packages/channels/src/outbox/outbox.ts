/**
 * Outbox: sends the messages of each chat in order, and keeps on disk how far each is.
 *
 * `sending` is on disk before a request, `sent` after its answer. If no answer came, nobody can know whether the message
 * arrived: it is sent again and says so. Nothing is lost, and a repeat is marked.
 */
import { type ChannelChat, type OutboxRow, ChannelRecords, MEDIA, ROW, ASK } from "../state/channel-records.ts";
import { type BotParts, backoffMs, sleep } from "../parts.ts";
import type { CallOutcome, CallParameters } from "../platform/bot-client.ts";
import type { Platform } from "../platform/platform.ts";
import { wordsOf } from "../words.ts";
import { Pace } from "./pace.ts";
import { z } from "zod";

const EXPIRES_MS = 24 * 60 * 60 * 1_000;
const UNAUTHORIZED_MS = 5 * 60 * 1_000;
const MESSAGE = z.object({ message_id: z.union([z.int(), z.string()]).transform(String) });

/** The messages of one channel. */
export class Outbox {
  readonly #parts: BotParts;
  readonly #pace: Pace;
  /** Open rows by chat, in order. */
  readonly #rows = new Map<string, OutboxRow[]>();
  readonly #sending = new Set<string>();
  #unknown = 0;

  constructor(parts: BotParts) {
    this.#parts = parts;
    this.#pace = new Pace(parts.clock);
  }

  /** Number of messages that wait. */
  get waiting(): number {
    return [...this.#rows.values()].reduce((sum, rows) => sum + rows.length, 0);
  }

  /** Number of messages that may have arrived twice. */
  get unknown(): number {
    return this.#unknown;
  }

  /** Goes on with what an earlier process left; a row that was being sent is unknown. */
  async begin(): Promise<void> {
    const { records, chats } = this.#parts;
    chats.added = (rows) => this.#add(rows);
    const left = await records.list(ROW, { kind: "row" });
    this.#add(left.map((row) => (row.state === "sending" ? { ...row, isUnknown: true } : row)));
  }

  #add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      const known = this.#rows.get(row.chat) ?? [];
      if (!known.some(({ n }) => n === row.n)) known.push(row);
      this.#rows.set(
        row.chat,
        known.toSorted((one, other) => one.n - other.n),
      );
      if (this.#sending.has(row.chat)) continue;
      this.#sending.add(row.chat);
      this.#parts.own(this.#send(row.chat));
    }
  }

  async #send(id: string): Promise<void> {
    const { abort, clock } = this.#parts;
    let failures = 0;
    for (let row = this.#rows.get(id)?.[0]; row !== undefined && !abort.aborted; row = this.#rows.get(id)?.[0]) {
      const delayMs = await this.#next(row, failures);
      failures = delayMs === undefined ? 0 : failures + 1;
      await sleep(clock, delayMs ?? 0, abort);
    }
    this.#sending.delete(id);
    if (this.#rows.get(id)?.length === 0) this.#rows.delete(id);
  }

  /** Does what is to be done with the first row of a chat; gives the wait before the next try. */
  async #next(row: OutboxRow, failures: number): Promise<number | undefined> {
    const { abort, clock, chats } = this.#parts;
    const chat = await chats.find(row.chat);
    if (chat === undefined || chat.isGone) await this.#settle(row, "gone");
    else if (clock.now() - row.createdAt > EXPIRES_MS) await this.#settle(row, "expired");
    else {
      await sleep(clock, this.#pace.waitMs(chat), abort);
      return abort.aborted ? undefined : this.#try(chat, row, failures);
    }
    return undefined;
  }

  /** Sends a row; gives the wait before the next try, or undefined if the row is done with. */
  async #try(chat: ChannelChat, row: OutboxRow, failures: number): Promise<number | undefined> {
    const { records, client, setStatus } = this.#parts;
    const sending: OutboxRow = { ...row, state: "sending" };
    await records.write(ChannelRecords.row(sending));
    this.#replace(sending);
    const [method, parameters] = await this.#toCall(chat, sending);
    if (method === "") {
      await this.#settle(row, "failed");
      return undefined;
    }
    this.#pace.count(chat);
    const outcome = await client.call(method, parameters);
    if (outcome.type === "done") {
      setStatus("up");
      await this.#sent(sending, outcome.result);
      return undefined;
    }
    if (outcome.type === "refused") return this.#refused(chat, sending, { outcome, failures });
    setStatus("down", "the platform cannot be reached");
    if (outcome.type === "unknown") this.#unknown++;
    const again: OutboxRow = { ...row, state: "ready", ...(outcome.type === "unknown" ? { isUnknown: true } : {}) };
    await records.write(ChannelRecords.row(again));
    this.#replace(again);
    return backoffMs(failures);
  }

  async #refused(chat: ChannelChat, row: OutboxRow, { outcome, failures }: Refusal): Promise<number | undefined> {
    const { records, chats, setStatus, host } = this.#parts;
    const { code, description, retryAfterMs, migrateTo } = outcome;
    const ready = async (change: Partial<OutboxRow> = {}) => {
      const again: OutboxRow = { ...row, state: "ready", ...change };
      await records.write(ChannelRecords.row(again));
      this.#replace(again);
    };
    if (migrateTo !== undefined) {
      await chats.change(chat.id, () => ({
        chat: { target: migrateTo },
        records: [ChannelRecords.alias(migrateTo, chat.id)],
      }));
      await ready();
      return 0;
    }
    if (code === 429) {
      await ready();
      return retryAfterMs ?? backoffMs(failures);
    }
    if (code === 401 || code === 404) {
      setStatus("unauthorized", "the platform refuses the token");
      await ready();
      return UNAUTHORIZED_MS;
    }
    if (code === 403 || isUnknownChat(description)) {
      setStatus("up");
      await chats.change(chat.id, () => ({ chat: { isGone: true } }));
      await this.#settle(row, "gone");
      return undefined;
    }
    if (code >= 400 && code < 500 && code !== 408 && code !== 409) {
      setStatus("up");
      if (row.entities.length > 0) {
        await ready({ entities: [] });
        return 0;
      }
      host.logger.error("a message was refused", { channel: this.#parts.config.name, code, detail: description });
      await this.#settle(row, "failed");
      return undefined;
    }
    setStatus("down", `the platform answers ${code}`);
    await ready();
    return backoffMs(failures);
  }

  async #sent(row: OutboxRow, result: unknown): Promise<void> {
    const { records } = this.#parts;
    const { data } = MESSAGE.safeParse(result);
    const asked = row.ask === undefined ? undefined : await records.find(ASK, `ask/${row.ask}`);
    const said = { run: row.run ?? "", text: "", isAnswer: true, session: "" };
    await records.write(
      ChannelRecords.row({ ...row, state: "sent" }),
      ...(data === undefined || row.run === undefined ? [] : [ChannelRecords.said(row.chat, data.message_id, said)]),
      ...(data === undefined || asked === undefined
        ? []
        : [ChannelRecords.ask({ ...asked, message: data.message_id })]),
    );
    this.#drop(row);
  }

  async #settle(row: OutboxRow, state: "gone" | "failed" | "expired"): Promise<void> {
    await this.#parts.records.write(ChannelRecords.row({ ...row, state }));
    this.#drop(row);
  }

  #replace(row: OutboxRow): void {
    const rows = this.#rows.get(row.chat) ?? [];
    this.#rows.set(
      row.chat,
      rows.map((one) => (one.n === row.n ? row : one)),
    );
  }

  #drop(row: OutboxRow): void {
    const rows = this.#rows.get(row.chat) ?? [];
    this.#rows.set(
      row.chat,
      rows.filter(({ n }) => n !== row.n),
    );
  }

  /** The method and its parameters; no method if it cannot be sent at all. */
  async #toCall(chat: ChannelChat, row: OutboxRow): Promise<readonly [string, CallParameters]> {
    const { platform, records, config } = this.#parts;
    const { text, entities } = row.isUnknown === true ? toRepeated(row, chat) : row;
    const chat_id = toChatId(chat.target, platform);
    const reply =
      row.replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: Number(row.replyTo), allow_sending_without_reply: true } };
    if (row.media !== undefined) {
      const media = await records.find(MEDIA, `media/${row.media}`);
      if (media === undefined) return ["", {}];
      if (!platform.isRich)
        return [
          "sendPhoto",
          {
            chat_id,
            photo: `${config.public_url ?? ""}/api/channels/${config.name}/media/${row.media}`,
            caption: text,
          },
        ];
      const photo = new Blob([Buffer.from(media.png, "base64")], { type: "image/png" });
      return [
        "sendPhoto",
        { chat_id, photo, caption: text, ...(entities.length > 0 ? { caption_entities: entities } : {}), ...reply },
      ];
    }
    if (!platform.isRich) return ["sendMessage", { chat_id, text }];
    const keyboard = row.buttons?.map(({ text: label, data }) => [{ text: label, callback_data: data }]);
    return [
      "sendMessage",
      {
        chat_id,
        text,
        ...(entities.length > 0 ? { entities } : {}),
        link_preview_options: { is_disabled: true },
        ...(keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard } }),
        ...reply,
      },
    ];
  }
}

interface Refusal {
  readonly outcome: Extract<CallOutcome, { readonly type: "refused" }>;
  readonly failures: number;
}

/** Ids of Telegram are numbers. */
export function toChatId(id: string, { isRich }: Pick<Platform, "isRich">): string | number {
  return isRich && /^-?[0-9]{1,16}$/.test(id) ? Number(id) : id;
}

/** The message with its mark; a text that leaves no room for it loses its end. */
function toRepeated({ text, entities }: OutboxRow, { language }: ChannelChat): Pick<OutboxRow, "text" | "entities"> {
  const mark = `↻ ${wordsOf(language).again}\n`;
  const kept = text.length + mark.length > 4_096 ? text.slice(0, 4_096 - mark.length) : text;
  const moved = entities
    .filter(({ offset, length }) => offset + length <= kept.length)
    .map((entity) => ({ ...entity, offset: entity.offset + mark.length }));
  return { text: `${mark}${kept}`, entities: moved };
}

function isUnknownChat(description: string): boolean {
  const text = description.toLowerCase();
  return text.includes("chat not found") || text.includes("peer_id_invalid");
}
