/**
 * To call: a message as the call that sends it, and as the messages that repeat it.
 */
import { type BotParts, toChatId } from "../parts.ts";
import type { CallParameters } from "../platform/bot-client.ts";
import type { Platform } from "../platform/platform.ts";
import { type ChannelChat, MEDIA, type OutboxRow } from "../state/channel-records.ts";
import { type ChatLanguage, wordsOf } from "../words.ts";
import { splitAt } from "./split-text.ts";

/** A method and its parameters. */
export interface BotCall {
  readonly method: string;
  readonly parameters: CallParameters;
}

/** The call that sends a row; undefined if its picture is not there any more. */
export async function toCall(
  { platform, records, config }: BotParts,
  { target }: ChannelChat,
  row: OutboxRow,
): Promise<BotCall | undefined> {
  const { text, entities, replyTo, media, buttons } = row;
  const chat_id = toChatId(target, platform);
  const reply =
    replyTo === undefined
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } };
  if (media !== undefined) {
    const found = await records.find(MEDIA, `media/${media}`);
    if (found === undefined) return undefined;
    const caption = text === "" ? {} : { caption: text };
    const photo = platform.isRich
      ? new Blob([Buffer.from(found.png, "base64")], { type: "image/png" })
      : `${config.public_url ?? ""}/api/channels/${config.name}/media/${media}`;
    return { method: "sendPhoto", parameters: { chat_id, photo, ...caption, ...(platform.isRich ? reply : {}) } };
  }
  if (!platform.isRich) return { method: "sendMessage", parameters: { chat_id, text } };
  const keyboard = buttons?.map(({ text: label, data }) => [{ text: label, callback_data: data }]);
  const parameters = {
    chat_id,
    text,
    ...(entities.length > 0 ? { entities } : {}),
    link_preview_options: { is_disabled: true },
    ...(keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard } }),
    ...reply,
  };
  return { method: "sendMessage", parameters };
}

/** The longest text of a row. */
export function maxUnitsOf({ media }: OutboxRow, { maxUnits, maxCaptionUnits }: Platform): number {
  return media === undefined ? maxUnits : maxCaptionUnits;
}

/** The row with the mark of a repeat; what then has no room is a second row, with the same mark. */
export function toRepeated(
  row: OutboxRow,
  { language, maxUnits }: { readonly language: ChatLanguage; readonly maxUnits: number },
): readonly OutboxRow[] {
  const mark = `↻ ${wordsOf(language).again}\n`;
  if (row.text.startsWith(mark.trimEnd())) return [row];
  const [first, rest] = splitAt(row, maxUnits - mark.length);
  const marked = (part: typeof first) => ({
    text: `${mark}${part.text}`.trimEnd(),
    entities: part.entities.map((entity) => ({ ...entity, offset: entity.offset + mark.length })),
  });
  const whole: OutboxRow = { ...row, ...marked(first) };
  if (rest === undefined) return [whole];
  // Buttons and pictures belong to one message: here to the first.
  const { media: _, buttons: __, ask: ___, ...plain } = row;
  return [whole, { ...plain, ...marked(rest), n: row.n + 0.5 }];
}
