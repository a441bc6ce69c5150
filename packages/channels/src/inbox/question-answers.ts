/**
 * Question answers: what people answer to the questions of runs, by buttons or in words.
 */
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { hasButtons, labelOf, toChoices } from "../outbox/ask.ts";
import type { Deliveries } from "../outbox/deliveries.ts";
import { type BotParts, ownerOf, toChatId } from "../parts.ts";
import type { CallOutcome } from "../platform/bot-client.ts";
import type { UpdateOf } from "../platform/update.ts";
import { type Ask, ASK, type ChannelChat, ChannelRecords } from "../state/channel-records.ts";
import { wordsOf } from "../words.ts";
import { type Handled, say } from "./handled.ts";
import { isSettled } from "./fork-edited.ts";

const MAX_CALLBACK_TEXT = 200;

/** The answers of one channel. */
export class QuestionAnswers {
  readonly #parts: BotParts;
  readonly #deliveries: Deliveries;

  constructor(parts: BotParts, deliveries: Deliveries) {
    this.#parts = parts;
    this.#deliveries = deliveries;
  }

  /** A press of a button. The chat is undefined if the person may not use it. */
  async press(chat: ChannelChat | undefined, update: UpdateOf<"press">): Promise<void> {
    const [ref = "", index = ""] = update.data.split(":");
    const ask = /^[0-9a-f]{32}$/.test(ref) ? await this.#parts.records.find(ASK, `ask/${ref}`) : undefined;
    const choice = ask?.choices[Number(index)];
    const words = wordsOf(update.from.language);
    if (ask === undefined || chat === undefined || choice === undefined || ask.chat !== chat.id)
      return this.#notify(update, words.pressedBefore);
    if (!update.isPrivate && ask.asker !== undefined && ask.asker !== update.from.id)
      return this.#notify(update, words.notYours, { show_alert: true });
    if (!ask.isOpen && ask.by !== update.key) return this.#notify(update, words.pressedBefore);
    const outcome = await this.#answer(chat, ask, { value: toJson(choice.value), key: update.key });
    const isTaken = outcome === "taken";
    await this.#notify(update, isTaken ? words.pressed : words.pressedBefore);
    const told = wordsOf(chat.language);
    const chosen = `✓ ${update.from.name}: ${labelOf(choice.label, told)}`;
    await this.#edit(chat, ask, isTaken ? chosen : told.pressedBefore);
  }

  /** A text while a question is open; undefined if none is. */
  async byText(chat: ChannelChat, update: UpdateOf<"message">, text: string): Promise<Handled | undefined> {
    const { records, platform } = this.#parts;
    const running = new Set(this.#deliveries.openRuns(chat.id));
    const all = await records.list(ASK, { kind: "ask", chat: chat.id });
    const [ask] = all.filter(({ run, isOpen, by }) => running.has(run) && (isOpen || by === update.key));
    if (ask === undefined) return undefined;
    const words = wordsOf(chat.language);
    if (hasButtons(ask, platform)) return say(words.questionOpen);
    const isAsker = chat.isPrivate || ask.asker === undefined || ask.asker === update.from.id;
    const said = text.trim().toLowerCase();
    const choice = ask.choices.find(({ label }, index) =>
      [String(index + 1), label.toLowerCase(), labelOf(label, words).toLowerCase()].includes(said),
    );
    if (!isAsker) return say(words.notYours);
    if (ask.choices.length > 0 && choice === undefined) return say(toChoices(ask, words));
    const value = choice === undefined ? readAnswer(text, ask.answer) : toJson(choice.value);
    const outcome = await this.#answer(chat, ask, { value, key: update.key });
    if (outcome === "refused") return say(`${words.noAnswer}\n${ask.text}\n${toChoices(ask, words)}`.trim());
    return outcome === "taken" ? {} : say(words.pressedBefore);
  }

  /**
   * Gives a run its answer. The key of the update is written first, so that a process that dies and does it again
   * knows its own answer.
   */
  async #answer(
    chat: ChannelChat,
    ask: Ask,
    { value, key }: { readonly value: Json; readonly key: string },
  ): Promise<"taken" | "refused" | "late"> {
    const { host, records, config } = this.#parts;
    const by = { ...ownerOf(this.#parts, chat), key: `channel:${config.name}` };
    const isRepeated = ask.by === key;
    await records.write(ChannelRecords.ask({ ...ask, by: key }));
    try {
      await host.command(ask.run, { type: "answer", question: ask.question, value, as: "user", by });
    } catch (error) {
      if (isInvalid(error)) return "refused";
      if (!isSettled(error)) throw error;
      await records.write(ChannelRecords.ask({ ...ask, by: key, isOpen: false }));
      return isRepeated ? "taken" : "late";
    }
    await records.write(ChannelRecords.ask({ ...ask, by: key, isOpen: false }));
    return "taken";
  }

  async #notify({ press }: UpdateOf<"press">, text: string, more: object = {}): Promise<void> {
    const parameters = { callback_query_id: press, text: text.slice(0, MAX_CALLBACK_TEXT), ...more };
    await this.#parts.client.call("answerCallbackQuery", parameters);
  }

  /** The message of a question loses its buttons and says what was chosen. */
  async #edit(chat: ChannelChat, { message, text }: Ask, chosen: string): Promise<void> {
    if (message === undefined) return;
    const { client, platform } = this.#parts;
    const outcome = await client.call("editMessageText", {
      chat_id: toChatId(chat.target, platform),
      message_id: Number(message),
      text: `${text}\n${chosen}`,
    });
    if (isPassing(outcome)) throw new Error("the message of a question could not be changed");
  }
}

/** Whether the same call may succeed later. */
function isPassing(outcome: CallOutcome): boolean {
  if (outcome.type === "refused") return outcome.code === 429 || outcome.code >= 500;
  return outcome.type !== "done";
}

/** An answer in words, as the JSON that the question wants. */
function readAnswer(text: string, type: string | undefined): Json {
  if (type === undefined || type === "string") return text;
  const parsed = parseJson(text.trim());
  return parsed === undefined ? text : parsed;
}

function toJson(value: unknown): Json {
  return parseJson(JSON.stringify(value)) ?? null;
}

function isInvalid(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "invalid";
}
