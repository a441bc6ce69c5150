/**
 * Telegram: its limits and the shape of its updates.
 */
import { z } from "zod";
import type { BotIdentity, Platform } from "./platform.ts";
import type { Person, PhotoRef, Update } from "./update.ts";

const ALLOWED = [
  "message",
  "edited_message",
  "callback_query",
  "stopped_message_generation",
  "my_chat_member",
] as const;
const POLL_S = 25;
const POLL_LIMIT = 100;
const MAX_PHOTO_BYTES = 5 * 1_024 * 1_024;

const ID = z.union([z.int(), z.string()]).transform(String);
const USER = z.object({
  id: ID,
  is_bot: z.boolean().default(false),
  first_name: z.string().default(""),
  username: z.string().optional(),
  language_code: z.string().optional(),
});
const CHAT = z.object({ id: ID, type: z.string() });
const ENTITY = z.object({ type: z.string(), offset: z.int(), length: z.int() });
const FILE = z.object({ file_id: z.string(), file_size: z.number().optional() });
const MESSAGE = z.object({
  message_id: ID,
  from: USER.optional(),
  chat: CHAT,
  text: z.string().optional(),
  caption: z.string().optional(),
  entities: z.array(ENTITY).default([]),
  caption_entities: z.array(ENTITY).default([]),
  photo: z.array(FILE).default([]),
  document: FILE.extend({ mime_type: z.string().optional() }).optional(),
  media_group_id: z.string().optional(),
  reply_to_message: z.object({ message_id: ID, from: USER.optional() }).optional(),
});
const RAW_UPDATE = z.object({
  update_id: z.int(),
  message: MESSAGE.optional(),
  edited_message: MESSAGE.optional(),
  callback_query: z
    .object({
      id: z.string(),
      from: USER,
      message: z.object({ message_id: ID, chat: CHAT }).optional(),
      data: z.string().default(""),
    })
    .optional(),
  stopped_message_generation: z.object({ chat: CHAT }).optional(),
  my_chat_member: z.object({ chat: CHAT, new_chat_member: z.object({ status: z.string() }) }).optional(),
});
const ME = z.object({ id: ID, username: z.string().default("") });

/** The profile of Telegram. */
export const telegram: Platform = {
  type: "telegram",
  maxUnits: 4_096,
  maxCaptionUnits: 1_024,
  isRich: true,
  secretHeader: "x-telegram-bot-api-secret-token",
  toIdentity: (result) => ME.parse(result),
  toPoll: (offset) => ({ offset, limit: POLL_LIMIT, timeout: POLL_S, allowed_updates: ALLOWED }),
  readPoll: (result, bot) => {
    const raw = z.array(z.unknown()).parse(result);
    const ids = raw.flatMap((one) => z.object({ update_id: z.int() }).safeParse(one).data?.update_id ?? []);
    const updates = raw.flatMap((one) => readUpdate(one, bot) ?? []);
    return { updates, next: ids.length === 0 ? undefined : Math.max(...ids) + 1 };
  },
  readUpdate,
  toWebhook: (url, secret) => ({ url, secret_token: secret, allowed_updates: ALLOWED }),
};

function readUpdate(body: unknown, bot: BotIdentity): Update | undefined {
  const { data } = RAW_UPDATE.safeParse(body);
  if (data === undefined) return undefined;
  const { update_id, message, edited_message: edited, callback_query: press, my_chat_member: member } = data;
  const common = (chat: z.output<typeof CHAT>) => ({
    key: String(update_id),
    order: update_id,
    chat: chat.id,
    isPrivate: chat.type === "private",
  });
  if (message !== undefined) return readMessage(message, { common: common(message.chat), bot });
  if (edited !== undefined)
    return {
      ...common(edited.chat),
      kind: "edit",
      from: toPerson(edited.from),
      message: edited.message_id,
      text: edited.text ?? edited.caption ?? "",
    };
  if (press?.message !== undefined)
    return {
      ...common(press.message.chat),
      kind: "press",
      from: toPerson(press.from),
      press: press.id,
      data: press.data,
    };
  const stopped = data.stopped_message_generation;
  if (stopped !== undefined) return { ...common(stopped.chat), kind: "stop" };
  if (member === undefined) return undefined;
  const isGone = ["kicked", "left"].includes(member.new_chat_member.status);
  return { ...common(member.chat), kind: "membership", isGone };
}

interface Reading {
  readonly common: Pick<Update, "key" | "order" | "chat" | "isPrivate">;
  readonly bot: BotIdentity;
}

function readMessage(message: z.output<typeof MESSAGE>, { common, bot }: Reading): Update {
  const photos = toPhotos(message);
  const said = message.text ?? message.caption ?? "";
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  const mention = findMention(said, entities, bot);
  const text =
    mention === undefined
      ? said
      : `${said.slice(0, mention.offset)}${said.slice(mention.offset + mention.length)}`.trim();
  const isReply = message.reply_to_message?.from?.id === bot.id;
  return {
    ...common,
    kind: "message",
    from: toPerson(message.from),
    message: message.message_id,
    text: withoutName(text, bot),
    photos,
    ...(message.media_group_id === undefined ? {} : { album: message.media_group_id }),
    ...(message.reply_to_message === undefined ? {} : { replyTo: message.reply_to_message.message_id }),
    isForBot: mention !== undefined || isReply || isOwnCommand(text, bot),
    isOther: photos.length === 0 && message.text === undefined,
  };
}

/** Sizes are in ascending order; the largest that is not too large is taken. */
function toPhotos({ photo, document }: z.output<typeof MESSAGE>): PhotoRef[] {
  const sizes = photo.filter(({ file_size: size = 0 }) => size <= MAX_PHOTO_BYTES);
  // One that is too large is refused by name when it is read.
  const file = sizes.at(-1) ?? photo[0] ?? (document?.mime_type?.startsWith("image/") === true ? document : undefined);
  if (file === undefined) return [];
  return [{ ref: file.file_id, ...(file.file_size === undefined ? {} : { bytes: file.file_size }) }];
}

function findMention(text: string, entities: readonly z.output<typeof ENTITY>[], { username }: BotIdentity) {
  return entities.find(
    ({ type, offset, length }) =>
      type === "mention" && text.slice(offset, offset + length).toLowerCase() === `@${username.toLowerCase()}`,
  );
}

/** `/stop@ThisBot` is `/stop`. */
function withoutName(text: string, { username }: BotIdentity): string {
  const [first = ""] = text.split(/\s/, 1);
  const [command = "", name] = first.split("@");
  if (!first.startsWith("/") || name?.toLowerCase() !== username.toLowerCase()) return text;
  return `${command}${text.slice(first.length)}`;
}

function isOwnCommand(text: string, { username }: BotIdentity): boolean {
  const [first = ""] = text.split(/\s/, 1);
  const [, name] = first.split("@");
  return first.startsWith("/") && (name === undefined || name.toLowerCase() === username.toLowerCase());
}

function toPerson(user: z.output<typeof USER> | undefined): Person {
  const { id = "", first_name: name = "", is_bot: isBot = false, language_code: code = "" } = user ?? {};
  return { id, name, isBot, language: code.toLowerCase().startsWith("vi") ? "vi" : "en" };
}
