/**
 * Chat handler: what messages, edits and presses of a chat do: commands, linking, runs and answers to questions.
 */
import { BatonError } from "@baton/core";
import { parseJson } from "@baton/core/util";
import type { Owner } from "@baton/store";
import { type Ask, ASK, type ChannelChat, ChannelRecords, type Delivery, SAID } from "../state/channel-records.ts";
import type { Deliveries } from "../outbox/deliveries.ts";
import { labelOf } from "../outbox/deliveries.ts";
import { toChatId } from "../outbox/outbox.ts";
import type { BotParts } from "../parts.ts";
import type { Person, UpdateOf } from "../platform/update.ts";
import { wordsOf } from "../words.ts";
import type { UpdateHandler } from "./update-inbox.ts";
import { redeemLinkCode } from "./links.ts";
import { readPictures } from "./pictures.ts";

const HOUR_MS = 60 * 60 * 1_000;
const IGNORE_MS = 15 * 60 * 1_000;
const MAX_WRONG_CODES = 5;
const MAX_INPUT_CHARS = 10_000;
const MAX_PICTURES = 4;

/** Handles the updates of one channel. */
export class ChatHandler implements UpdateHandler {
  readonly #parts: BotParts;
  readonly #deliveries: Deliveries;

  constructor(parts: BotParts, deliveries: Deliveries) {
    this.#parts = parts;
    this.#deliveries = deliveries;
  }

  /** A message, or the parts of an album. */
  readonly message = async (updates: readonly UpdateOf<"message">[]): Promise<void> => {
    const [first] = updates;
    const { config, clock, chats } = this.#parts;
    if (first === undefined || first.from.isBot) return;
    const isForBot = first.isPrivate || (config.groups === "mention" && updates.some((update) => update.isForBot));
    if (!isForBot) return;
    const { language } = first.from;
    const opened = await chats.open(first.chat, { isPrivate: first.isPrivate, language });
    if (opened.ignoredUntil > clock.now()) return;
    const chat = await chats.change(opened.id, () => ({ chat: { language, isGone: false, isFlooded: false } }));
    const text = updates.map((update) => update.text).find((one) => one !== "") ?? "";
    if (await this.#command(chat, text, first)) return;
    if (!this.#mayUse(chat, first.from)) return this.#tellToLink(chat);
    const words = wordsOf(language);
    if (updates.every(({ isOther }) => isOther)) return this.#say(chat, words.onlyText);
    if (text.length > MAX_INPUT_CHARS) return this.#say(chat, words.tooLong);
    if (await this.#answerByText(chat, text, first.from)) return;
    await this.#start(chat, text, updates);
  };

  /** The text of a message has changed: its run is forked with the new words, into a new session. */
  readonly edit = async (update: UpdateOf<"edit">): Promise<void> => {
    const { records, chats, host, platform, config } = this.#parts;
    const chat = await chats.find(update.chat);
    const said = await records.find(SAID, `said/${update.chat}/${update.message}`);
    if (!platform.isRich || !update.isPrivate || chat === undefined || said === undefined) return;
    if (said.isAnswer || said.text === update.text || update.text.trim() === "" || update.text.length > MAX_INPUT_CHARS)
      return;
    if (this.#deliveries.openRuns(chat.id).includes(said.run)) await this.#cancel(said.run);
    const session = `${config.name}-${chat.id}-${chat.n + 1}`;
    const seq = await this.#findMessage(said.run, said.text);
    const run = await host.fork(said.run, { seq, input: update.text, session });
    await this.#deliver(
      chat,
      { run, replyTo: update.message },
      { n: chat.n + 1, message: update.message, text: update.text },
    );
  };

  readonly press = async (update: UpdateOf<"press">): Promise<void> => {
    const { records, chats, client, platform } = this.#parts;
    const [ref = "", index = ""] = update.data.split(":");
    const ask = await records.find(ASK, `ask/${ref}`);
    const chat = await chats.find(update.chat);
    const words = wordsOf(update.from.language);
    const answer = (text: string, more: object = {}) =>
      client.call("answerCallbackQuery", {
        callback_query_id: update.press,
        text,
        ...more,
      });
    const choice = ask?.choices[Number(index)];
    if (ask === undefined || chat === undefined || choice === undefined || !ask.isOpen || ask.chat !== chat.id) {
      await answer(words.pressedBefore);
      return;
    }
    if (!update.isPrivate && ask.asker !== undefined && ask.asker !== update.from.id) {
      await answer(words.notYours, { show_alert: true });
      return;
    }
    const isTaken = await this.#answer(chat, ask, choice.value);
    await answer(isTaken ? words.pressed : words.pressedBefore);
    if (ask.message === undefined) return;
    const label = labelOf(choice.label, wordsOf(chat.language));
    const text = `${ask.text}\n${isTaken ? `✓ ${update.from.name}: ${label}` : words.pressedBefore}`;
    await client.call("editMessageText", {
      chat_id: toChatId(chat.target, platform),
      message_id: Number(ask.message),
      text,
    });
  };

  readonly stop = async (id: string): Promise<void> => {
    const chat = await this.#parts.chats.find(id);
    if (chat === undefined) return;
    const runs = this.#deliveries.openRuns(chat.id);
    if (runs.length === 0) return this.#say(chat, wordsOf(chat.language).nothingRuns);
    for (const run of runs) await this.#cancel(run);
  };

  async #cancel(run: string): Promise<void> {
    const { host } = this.#parts;
    await host.command(run, { type: "cancel", reason: "stopped in the chat" }).catch((error: unknown) => {
      if (!isSettled(error)) throw error;
    });
  }

  /** Carries out a command of the bot; false if the text is not one. */
  async #command(chat: ChannelChat, text: string, update: UpdateOf<"message">): Promise<boolean> {
    const [name = "", code = ""] = text.trim().split(" ");
    const words = wordsOf(chat.language);
    switch (name) {
      case "/start":
        if (code !== "") await this.#link(chat, code);
        else if (this.#mayUse(chat, update.from)) await this.#say(chat, words.welcome);
        else await this.#tellToLink(chat);
        return true;
      case "/link":
        await this.#link(chat, code);
        return true;
      case "/unlink":
        await this.#say(chat, chat.linked === undefined ? words.notLinked : words.unlinked, {
          linked: undefined,
          n: chat.n + 1,
        });
        return true;
      case "/help":
        await this.#say(chat, words.help);
        return true;
      case "/new":
        await this.#say(chat, words.fresh, { n: chat.n + 1 });
        return true;
      case "/stop":
        await this.stop(chat.id);
        return true;
      default:
        return false;
    }
  }

  async #link(chat: ChannelChat, code: string): Promise<void> {
    const { records, clock } = this.#parts;
    const words = wordsOf(chat.language);
    const linked = await redeemLinkCode(records, code);
    if (linked !== undefined) return this.#say(chat, words.linked, { linked, wrongCodes: 0, n: chat.n + 1 });
    const wrongCodes = chat.wrongCodes + 1;
    const isTooMany = wrongCodes >= MAX_WRONG_CODES;
    await this.#say(
      chat,
      words.wrongCode,
      isTooMany ? { wrongCodes: 0, ignoredUntil: clock.now() + IGNORE_MS } : { wrongCodes },
    );
  }

  #mayUse({ linked, isPrivate, id }: ChannelChat, from: Person): boolean {
    const { access, allow } = this.#parts.config;
    return linked !== undefined || (access === "open" && isPrivate) || allow.includes(id) || allow.includes(from.id);
  }

  async #tellToLink(chat: ChannelChat): Promise<void> {
    const { clock } = this.#parts;
    if (clock.now() - chat.toldAt < HOUR_MS) return;
    await this.#say(chat, wordsOf(chat.language).needsLink, { toldAt: clock.now() });
  }

  async #say(chat: ChannelChat, text: string, change: Partial<Omit<ChannelChat, "id">> = {}): Promise<void> {
    await this.#parts.chats.change(chat.id, () => ({ chat: change, rows: [{ text, entities: [] }] }));
  }

  #ownerOf({ linked, id }: ChannelChat): Owner {
    const { tenant, name } = this.#parts.config;
    return linked ?? { tenant, user: `${name}-${id}` };
  }

  /** Whether the text was taken as an answer, or told that a question is open. */
  async #answerByText(chat: ChannelChat, text: string, from: Person): Promise<boolean> {
    const { records, platform } = this.#parts;
    const open = (await records.list(ASK, { kind: "ask", chat: chat.id })).filter(({ isOpen }) => isOpen);
    const running = new Set(this.#deliveries.openRuns(chat.id));
    const [ask] = open.filter(({ run }) => running.has(run));
    if (ask === undefined) return false;
    const words = wordsOf(chat.language);
    if (ask.choices.length === 0) return this.#answer(chat, ask, text).then(() => true);
    if (platform.isRich) return this.#say(chat, words.questionOpen).then(() => true);
    const said = text.trim().toLowerCase();
    const choice = ask.choices.find(({ label }, index) =>
      [String(index + 1), label.toLowerCase(), labelOf(label, words).toLowerCase()].includes(said),
    );
    const isAsker = chat.isPrivate || ask.asker === undefined || ask.asker === from.id;
    if (choice !== undefined && isAsker) await this.#answer(chat, ask, choice.value);
    else
      await this.#say(
        chat,
        `${words.choose}\n${ask.choices.map(({ label }, index) => `${index + 1}. ${labelOf(label, words)}`).join("\n")}`,
      );
    return true;
  }

  /** Gives a run its answer; false if it was answered before. */
  async #answer(chat: ChannelChat, ask: Ask, value: unknown): Promise<boolean> {
    const { host, records, config } = this.#parts;
    const by = { ...this.#ownerOf(chat), key: `channel:${config.name}` };
    const given = parseJson(JSON.stringify(value)) ?? null;
    let isTaken = true;
    try {
      await host.command(ask.run, { type: "answer", question: ask.question, value: given, as: "user", by });
    } catch (error) {
      if (!isSettled(error)) throw error;
      isTaken = false;
    }
    await records.write(ChannelRecords.ask({ ...ask, isOpen: false }));
    return isTaken;
  }

  async #start(chat: ChannelChat, text: string, updates: readonly UpdateOf<"message">[]): Promise<void> {
    const { host, config, platform } = this.#parts;
    const [first] = updates;
    if (first === undefined) return;
    const words = wordsOf(chat.language);
    const photos = updates.flatMap((update) => update.photos);
    const read = await readPictures(this.#parts, photos.slice(0, MAX_PICTURES));
    const images = read.filter((image) => image !== undefined);
    if (images.length < read.length) await this.#say(chat, words.badPicture);
    if (photos.length > MAX_PICTURES) await this.#say(chat, words.morePictures);
    if (text.trim() === "" && images.length === 0) return;
    const session = `${config.name}-${chat.id}-${chat.n}`;
    const { from } = first;
    const channel = {
      name: config.name,
      type: platform.type,
      chat: chat.id,
      from: from.id,
      message: first.message,
      language: from.language,
      group: !chat.isPrivate,
    };
    const forked = await this.#forkReplied(chat, first, text);
    if (forked) return;
    const asked = {
      ...this.#ownerOf(chat),
      crew: config.crew,
      session,
      input: text,
      options: { channel },
      key: `${config.name}:${first.key}`,
    };
    let run: string;
    try {
      run = await host.start(images.length === 0 ? asked : { ...asked, images });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return this.#say(chat, words.failed(error.code, config.name));
    }
    await this.#deliver(
      chat,
      { run, ...(chat.isPrivate ? {} : { from: from.id, replyTo: first.message }) },
      { n: chat.n, message: first.message, text },
    );
    await this.#deliveries.settled(run);
  }

  /** A reply to an answer of an older run begins a session with the conversation up to that answer. */
  async #forkReplied(chat: ChannelChat, update: UpdateOf<"message">, text: string): Promise<boolean> {
    const { records, platform, host, config } = this.#parts;
    if (update.replyTo === undefined || !platform.isRich || !chat.isPrivate || text.trim() === "") return false;
    const said = await records.find(SAID, `said/${chat.id}/${update.replyTo}`);
    if (said === undefined || !said.isAnswer || said.run === "") return false;
    const { store } = host;
    const record = await store.database.runs.find(said.run);
    const latest = await store.database.runs.list({ session: `${config.name}-${chat.id}-${chat.n}`, limit: 1 });
    if (record?.status !== "ended" || latest[0]?.id === said.run) return false;
    const session = `${config.name}-${chat.id}-${chat.n + 1}`;
    const key = `${config.name}:${update.key}`;
    const run = await host.start({
      ...this.#ownerOf(chat),
      crew: config.crew,
      session,
      input: text,
      key,
      after: said.run,
    });
    await this.#deliver(
      chat,
      { run, mark: "↳", replyTo: update.message },
      { n: chat.n + 1, message: update.message, text },
    );
    await this.#deliveries.settled(run);
    return true;
  }

  async #deliver(
    chat: ChannelChat,
    made: Omit<Delivery, "chat" | "seq" | "isOver">,
    from: { n: number; message: string; text: string },
  ): Promise<void> {
    const { chats, config } = this.#parts;
    if (await this.#deliveries.isKnown(made.run, chat.id)) return;
    const delivery: Delivery = { seq: 0, isOver: false, chat: chat.id, ...made };
    const session = `${config.name}-${chat.id}-${from.n}`;
    const said = { run: made.run, text: from.text, isAnswer: false, session };
    await chats.change(chat.id, () => ({
      chat: { n: from.n },
      records: [ChannelRecords.delivery(delivery), ChannelRecords.said(chat.id, from.message, said)],
    }));
    this.#deliveries.follow(delivery);
  }

  /** The event that took a message. */
  async #findMessage(run: string, text: string): Promise<number> {
    const { host } = this.#parts;
    const controller = new AbortController();
    let last = 1;
    const length = await host.store.database.logs.length(run);
    for await (const { event } of host.follow(run, controller.signal)) {
      if ((event.type === "run.started" || event.type === "run.resumed") && event.input === text) last = event.seq;
      if (event.seq >= length) controller.abort();
    }
    return last;
  }
}

/** The run is not in a state for the command: it has ended, or was answered. */
function isSettled(error: unknown): boolean {
  return (
    codeOf(error) !== undefined &&
    ["run_ended", "not_found", "conflict", "invalid", "question_open"].includes(codeOf(error) ?? "")
  );
}

function isRefused(error: unknown): error is BatonError {
  return error instanceof BatonError && ["invalid", "not_found", "limit"].includes(error.code);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
