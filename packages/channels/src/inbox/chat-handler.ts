/**
 * Chat handler: decides what messages, edits and presses of a chat do: commands, linking, runs and answers to questions.
 *
 * It changes no record of a chat itself: what it decides is written together with the fact that the update is done.
 */
import { BatonError, type Image } from "@baton/core";
import type { Deliveries } from "../outbox/deliveries.ts";
import { type BotParts, ownerOf } from "../parts.ts";
import type { Person, UpdateOf } from "../platform/update.ts";
import { type ChannelChat, ChannelRecords, type Delivery, SAID } from "../state/channel-records.ts";
import type { NewRow } from "../state/chat-book.ts";
import { wordsOf } from "../words.ts";
import { forkEdited, isSettled } from "./fork-edited.ts";
import { redeemLinkCode } from "./links.ts";
import { readPictures } from "./pictures.ts";
import { type Handled, say } from "./handled.ts";
import { QuestionAnswers } from "./question-answers.ts";

const HOUR_MS = 60 * 60 * 1_000;
const IGNORE_MS = 15 * 60 * 1_000;
const MAX_WRONG_CODES = 5;
const MAX_INPUT_CHARS = 10_000;
const MAX_PICTURES = 4;

/** Handles the updates of one channel. */
export class ChatHandler {
  readonly #parts: BotParts;
  readonly #deliveries: Deliveries;
  readonly #answers: QuestionAnswers;

  constructor(parts: BotParts, deliveries: Deliveries) {
    this.#parts = parts;
    this.#deliveries = deliveries;
    this.#answers = new QuestionAnswers(parts, deliveries);
  }

  /** Resolves when nothing that the chat has asked for works any more. */
  async idle(id: string): Promise<void> {
    const chat = await this.#parts.chats.find(id);
    if (chat !== undefined) await this.#deliveries.idle(chat.id);
  }

  follow(delivery: Delivery): void {
    this.#deliveries.follow(delivery);
  }

  /** Reads the pictures of messages; undefined stands for one that could not be read. */
  async read(updates: readonly UpdateOf<"message">[]): Promise<readonly (Image | undefined)[]> {
    const [first] = updates;
    const photos = updates.flatMap((update) => update.photos).slice(0, MAX_PICTURES);
    if (first === undefined || photos.length === 0 || !this.#isForBot(updates)) return [];
    const chat = (await this.#parts.chats.find(first.chat)) ?? { id: first.chat, isPrivate: first.isPrivate };
    return this.#mayUse(chat, first) ? readPictures(this.#parts, photos) : [];
  }

  /** A message, or the parts of an album. */
  async message(updates: readonly UpdateOf<"message">[], images: readonly (Image | undefined)[]): Promise<Handled> {
    const [first, ...others] = updates;
    const { clock, chats } = this.#parts;
    if (first === undefined || first.from.isBot || !this.#isForBot(updates)) return {};
    const { language } = first.from;
    const { isPrivate } = first;
    const chat = { ...(await chats.open(first.chat, { isPrivate, language })), language };
    if (chat.ignoredUntil > clock.now()) return {};
    const text = updates.map((update) => update.text).find((one) => one !== "") ?? "";
    const handled = await this.#handleMessage(chat, { text, updates: [first, ...others], images });
    return { ...handled, change: { ...handled.change, chat: { language, isGone: false, ...handled.change?.chat } } };
  }

  async #handleMessage(chat: ChannelChat, said: SaidNow): Promise<Handled> {
    const { text, updates } = said;
    const [first] = updates;
    const words = wordsOf(chat.language);
    const command = await this.#command(chat, text, first);
    if (command !== undefined) return command;
    if (!this.#mayUse(chat, first)) return this.#tellToLink(chat);
    if (updates.every(({ isOther }) => isOther)) return say(words.onlyText);
    if (text.length > MAX_INPUT_CHARS) return say(words.tooLong);
    return (await this.#answers.byText(chat, first, text)) ?? this.#start(chat, said);
  }

  /** The text of a message has changed: its run is forked with the new words, into a new session. */
  async edit(update: UpdateOf<"edit">): Promise<Handled> {
    const { platform, chats } = this.#parts;
    const chat = await chats.find(update.chat);
    if (!platform.isRich || !update.isPrivate || !this.#mayUse(chat, update)) return {};
    if (update.text.trim() === "" || update.text.length > MAX_INPUT_CHARS) return {};
    const run = await forkEdited(this.#parts, chat, {
      update,
      cancel: (id) => (this.#deliveries.openRuns(chat.id).includes(id) ? this.#cancel(id) : Promise.resolve()),
    });
    if (run === undefined) return {};
    const { message, text } = update;
    return this.#deliver(chat, { run, replyTo: message }, { n: chat.n + 1, message, text });
  }

  async press(update: UpdateOf<"press">): Promise<Handled> {
    const chat = await this.#parts.chats.find(update.chat);
    await this.#answers.press(this.#mayUse(chat, update) ? chat : undefined, update);
    return chat?.isGone === true ? { change: { chat: { isGone: false } } } : {};
  }

  async stop(id: string): Promise<Handled> {
    const chat = await this.#parts.chats.find(id);
    const runs = chat === undefined ? [] : this.#deliveries.openRuns(chat.id);
    for (const run of runs) await this.#cancel(run);
    return chat === undefined || runs.length > 0 ? {} : say(wordsOf(chat.language).nothingRuns);
  }

  async membership({ isGone }: UpdateOf<"membership">): Promise<Handled> {
    return { change: { chat: { isGone } } };
  }

  async #cancel(run: string): Promise<void> {
    const { host } = this.#parts;
    await host.command(run, { type: "cancel", reason: "stopped in the chat" }).catch((error: unknown) => {
      if (!isSettled(error)) throw error;
    });
  }

  #isForBot(updates: readonly UpdateOf<"message">[]): boolean {
    const { config } = this.#parts;
    return updates.some(({ isPrivate, isForBot }) => isPrivate || (config.groups === "mention" && isForBot));
  }

  /** Carries out a command of the bot; undefined if the text is not one. */
  async #command(chat: ChannelChat, text: string, update: UpdateOf<"message">): Promise<Handled | undefined> {
    const [name = "", code = ""] = text.trim().split(/\s+/, 2);
    const words = wordsOf(chat.language);
    const next = { n: chat.n + 1 };
    switch (name) {
      case "/start":
      case "/link":
        if (code !== "") return this.#link(chat, code);
        return this.#mayUse(chat, update)
          ? say(name === "/start" ? words.welcome : words.help)
          : this.#tellToLink(chat);
      case "/unlink":
        return chat.linked === undefined ? say(words.notLinked) : say(words.unlinked, { ...next, linked: undefined });
      case "/help":
        return say(words.help);
      case "/new":
        return say(words.fresh, next);
      case "/stop":
        return this.stop(chat.id);
      default:
        return undefined;
    }
  }

  async #link(chat: ChannelChat, code: string): Promise<Handled> {
    const { records, clock } = this.#parts;
    const words = wordsOf(chat.language);
    const redeemed = await redeemLinkCode(records, { code, chat: chat.id });
    if (redeemed !== undefined) {
      const { change } = say(words.linked, { linked: redeemed.owner, wrongCodes: 0, n: chat.n + 1 });
      return { change: { ...change, records: [redeemed.record] } };
    }
    const wrongCodes = chat.wrongCodes + 1;
    const isTooMany = wrongCodes >= MAX_WRONG_CODES;
    return say(words.wrongCode, isTooMany ? { wrongCodes: 0, ignoredUntil: clock.now() + IGNORE_MS } : { wrongCodes });
  }

  #mayUse<Chat extends Pick<ChannelChat, "id" | "isPrivate" | "linked">>(
    chat: Chat | undefined,
    update: Asked | undefined,
  ): chat is Chat {
    if (chat === undefined || update === undefined) return false;
    const { access, allow } = this.#parts.config;
    const isOpen = access === "open" && chat.isPrivate;
    return chat.linked !== undefined || isOpen || allow.includes(chat.id) || allow.includes(update.from.id);
  }

  #tellToLink(chat: ChannelChat): Handled {
    const now = this.#parts.clock.now();
    return now - chat.toldAt < HOUR_MS ? {} : say(wordsOf(chat.language).needsLink, { toldAt: now });
  }

  async #start(chat: ChannelChat, { text, updates, images: read }: SaidNow): Promise<Handled> {
    const { host, config, platform } = this.#parts;
    const [{ from, message, key }] = updates;
    const words = wordsOf(chat.language);
    const images = read.filter((image) => image !== undefined);
    const photos = updates.flatMap((update) => update.photos).length;
    const notes = [
      ...(images.length < Math.min(photos, MAX_PICTURES) ? [words.badPicture] : []),
      ...(photos > MAX_PICTURES ? [words.morePictures] : []),
    ].map((note): NewRow => ({ text: note, entities: [] }));
    if (text.trim() === "" && images.length === 0) return { change: { rows: notes } };
    const after = await this.#findReplied(chat, updates[0]);
    const n = after === undefined ? chat.n : chat.n + 1;
    const channel = {
      name: config.name,
      type: platform.type,
      chat: chat.id,
      from: from.id,
      message,
      language: from.language,
      group: !chat.isPrivate,
    };
    let run: string;
    try {
      run = await host.start({
        ...ownerOf(this.#parts, chat),
        crew: config.crew,
        session: `${config.name}-${chat.id}-${n}`,
        input: text,
        options: { channel },
        key: `${config.name}:${key}`,
        ...(images.length === 0 ? {} : { images }),
        ...(after === undefined ? {} : { after }),
      });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return { change: { rows: [...notes, { text: words.failed(error.code, config.name), entities: [] }] } };
    }
    const marked = after === undefined ? {} : { mark: "↳", replyTo: message };
    const grouped = chat.isPrivate ? {} : { from: from.id, replyTo: message };
    return this.#deliver(chat, { run, ...grouped, ...marked }, { n, message, text, notes });
  }

  /** The ended run, not the latest of its session, whose answer a message replies to. */
  async #findReplied(chat: ChannelChat, { replyTo, text }: UpdateOf<"message">): Promise<string | undefined> {
    const { records, platform, host, config } = this.#parts;
    if (replyTo === undefined || !platform.isRich || !chat.isPrivate || text.trim() === "") return undefined;
    const said = await records.find(SAID, `said/${chat.id}/${replyTo}`);
    if (said === undefined || !said.isAnswer || said.run === "") return undefined;
    const { runs } = host.store.database;
    const record = await runs.find(said.run);
    const owner = ownerOf(this.#parts, chat);
    const isOwn = record?.tenant === owner.tenant && record.user === owner.user;
    const [latest] = await runs.list({ ...owner, session: `${config.name}-${chat.id}-${chat.n}`, limit: 1 });
    return isOwn && record.status === "ended" && latest?.id !== said.run ? said.run : undefined;
  }

  async #deliver(
    chat: ChannelChat,
    made: Omit<Delivery, "chat" | "seq" | "isOver">,
    { n, message, text, notes = [] }: { n: number; message: string; text: string; notes?: readonly NewRow[] },
  ): Promise<Handled> {
    const said = { run: made.run, text, isAnswer: false, at: this.#parts.clock.now() };
    const saidRecord = ChannelRecords.said(chat.id, message, said);
    const isKnown = await this.#deliveries.isKnown(made.run, chat.id);
    if (isKnown) return { change: { chat: { n }, rows: notes, records: [saidRecord] } };
    const follow: Delivery = { seq: 0, isOver: false, chat: chat.id, isAsked: true, ...made };
    const records = [ChannelRecords.delivery(follow), saidRecord];
    return { change: { chat: { n }, rows: notes, records }, follow };
  }
}

/** An update of a person. */
type Asked = Readonly<{ from: Person }>;

interface SaidNow {
  readonly text: string;
  readonly updates: readonly [UpdateOf<"message">, ...UpdateOf<"message">[]];
  readonly images: readonly (Image | undefined)[];
}

function isRefused(error: unknown): error is BatonError {
  return error instanceof BatonError && ["invalid", "not_found", "limit"].includes(error.code);
}
