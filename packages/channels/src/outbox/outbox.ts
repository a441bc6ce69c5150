/**
 * Outbox: sends the messages of each chat in order, and keeps on disk how far each is.
 *
 * `sending` is on disk before a request, `sent` after its answer. If no answer came, nobody can know whether the message
 * arrived: it is sent again and says so. Nothing is lost, and a repeat is marked.
 */
import { z } from "zod";
import { type BotParts, backoffMs, persist, sleep, UNAUTHORIZED_MS } from "../parts.ts";
import type { CallOutcome } from "../platform/bot-client.ts";
import { ASK, type ChannelChat, ChannelRecords, type OutboxRow, ROW } from "../state/channel-records.ts";
import { Pace } from "./pace.ts";
import { maxUnitsOf, toCall, toRepeated } from "./to-call.ts";

const EXPIRES_MS = 24 * 60 * 60 * 1_000;
const MESSAGE = z.object({ message_id: z.union([z.int(), z.string()]).transform(String) });

/** The messages of one channel. */
export class Outbox {
  readonly #parts: BotParts;
  readonly #pace: Pace;
  /** Open rows by chat, in order. */
  readonly #rows = new Map<string, OutboxRow[]>();
  readonly #sending = new Set<string>();

  constructor(parts: BotParts) {
    this.#parts = parts;
    this.#pace = new Pace(parts.clock);
  }

  /** Goes on with what an earlier process left; a row that was being sent is unknown. */
  async begin(): Promise<void> {
    const { records, chats } = this.#parts;
    chats.added = (rows) => this.#add(rows);
    const left = await records.list(ROW, { kind: "row" });
    for (const row of left) if (row.state === "sending") await this.#again(row, { isUnknown: true });
    this.#add(left.filter(({ state }) => state === "ready"));
  }

  #add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      const others = (this.#rows.get(row.chat) ?? []).filter(({ n }) => n !== row.n);
      this.#rows.set(
        row.chat,
        [...others, row].toSorted((one, other) => one.n - other.n),
      );
    }
    for (const { chat } of rows) {
      if (this.#sending.has(chat)) continue;
      this.#sending.add(chat);
      this.#parts.own(persist(this.#parts, () => this.#send(chat)).finally(() => this.#sending.delete(chat)));
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
    if (this.#rows.get(id)?.length === 0) this.#rows.delete(id);
  }

  /** Does what is to be done with the first row of a chat; gives the wait before the next try. */
  async #next(row: OutboxRow, failures: number): Promise<number | undefined> {
    const { abort, clock, chats, host, config } = this.#parts;
    const chat = await chats.find(row.chat);
    if (chat === undefined || chat.isGone) return this.#settle("gone", ...(this.#rows.get(row.chat) ?? []));
    if (clock.now() - row.createdAt > EXPIRES_MS) {
      host.logger.error("a message was given up after 24 hours", { channel: config.name });
      return this.#settle("expired", row);
    }
    await sleep(clock, this.#pace.reserve(chat), abort);
    return abort.aborted ? undefined : this.#try(chat, row, failures);
  }

  /** Sends a row; gives the wait before the next try, or undefined if the row is done with. */
  async #try(chat: ChannelChat, row: OutboxRow, failures: number): Promise<number | undefined> {
    const { records, client, setStatus } = this.#parts;
    const call = await toCall(this.#parts, chat, row);
    if (call === undefined) return this.#settle("failed", row);
    const sending: OutboxRow = { ...row, state: "sending" };
    await records.write(ChannelRecords.row(sending));
    const outcome = await client.call(call.method, call.parameters);
    this.#pace.count(chat);
    if (outcome.type === "refused") return this.#refused(chat, sending, { outcome, failures });
    if (outcome.type === "done") {
      setStatus("send", "up");
      await persist(this.#parts, () => this.#sent(sending, outcome.result));
      return undefined;
    }
    setStatus("send", "down", "the platform cannot be reached");
    await this.#again(row, outcome.type === "unknown" ? { isUnknown: true } : {});
    return backoffMs(failures);
  }

  async #refused(chat: ChannelChat, row: OutboxRow, { outcome, failures }: Refusal): Promise<number | undefined> {
    const { chats, setStatus, host, config } = this.#parts;
    const { code, description, retryAfterMs, migrateTo } = outcome;
    if (migrateTo !== undefined) {
      const records = [ChannelRecords.alias(migrateTo, chat.id)];
      await chats.change(chat.id, () => ({ chat: { target: migrateTo }, records }));
      await this.#again(row, {});
      return 0;
    }
    if (code === 429) {
      await this.#again(row, {});
      return retryAfterMs ?? backoffMs(failures);
    }
    if (code === 401 || code === 404) {
      setStatus("send", "unauthorized", "the platform refuses the token");
      await this.#again(row, {});
      return UNAUTHORIZED_MS;
    }
    if (code === 403 || isUnknownChat(description)) {
      setStatus("send", "up");
      await chats.change(chat.id, () => ({ chat: { isGone: true } }));
      return this.#settle("gone", ...(this.#rows.get(row.chat) ?? []));
    }
    if (code < 400 || code >= 500 || code === 408 || code === 409) {
      setStatus("send", "down", `the platform answers ${code}`);
      await this.#again(row, {});
      return backoffMs(failures);
    }
    setStatus("send", "up");
    if (row.isRefused !== true) {
      await this.#again(row, { entities: [], isRefused: true });
      return 0;
    }
    host.logger.error("a message was refused", { channel: config.name, code, detail: description });
    return this.#settle("failed", row);
  }

  /** Makes a row ready once more. If the mark of a repeat leaves no room for all of its text, the rest is a row of its own. */
  async #again(row: OutboxRow, change: Partial<OutboxRow>): Promise<void> {
    const { records, chats, platform, countUnknown } = this.#parts;
    const again: OutboxRow = { ...row, ...change, state: "ready" };
    let rows: readonly OutboxRow[] = [again];
    if (change.isUnknown === true) {
      countUnknown();
      const language = (await chats.find(row.chat))?.language ?? "en";
      rows = toRepeated(again, { language, maxUnits: maxUnitsOf(row, platform) });
    }
    await records.write(...rows.map((one) => ChannelRecords.row(one)));
    this.#add(rows);
  }

  async #sent(row: OutboxRow, result: unknown): Promise<void> {
    const { records, clock } = this.#parts;
    const { data } = MESSAGE.safeParse(result);
    const asked = row.ask === undefined ? undefined : await records.find(ASK, `ask/${row.ask}`);
    const said = { run: row.run ?? "", text: "", isAnswer: true, at: clock.now() };
    await records.write(
      ChannelRecords.row({ ...row, state: "sent" }),
      ...(data === undefined || row.run === undefined ? [] : [ChannelRecords.said(row.chat, data.message_id, said)]),
      ...(data === undefined || asked === undefined
        ? []
        : [ChannelRecords.ask({ ...asked, message: data.message_id })]),
    );
    this.#drop(row);
  }

  async #settle(state: "gone" | "failed" | "expired", ...rows: readonly OutboxRow[]): Promise<undefined> {
    await this.#parts.records.write(...rows.map((row) => ChannelRecords.row({ ...row, state })));
    for (const row of rows) this.#drop(row);
  }

  #drop(row: OutboxRow): void {
    const rows = this.#rows.get(row.chat) ?? [];
    this.#rows.set(
      row.chat,
      rows.filter(({ n }) => n !== row.n),
    );
  }
}

interface Refusal {
  readonly outcome: Extract<CallOutcome, { readonly type: "refused" }>;
  readonly failures: number;
}

function isUnknownChat(description: string): boolean {
  const text = description.toLowerCase();
  return text.includes("chat not found") || text.includes("peer_id_invalid");
}
