/**
 * Zalo Bot: its limits and the shape of its updates. Delivering confirms: there is no offset.
 */
import { z } from "zod";
import type { BotIdentity, Platform } from "./platform.ts";
import type { Update } from "./update.ts";

const POLL_S = "25";
const MESSAGE = z.object({
  from: z.object({ id: z.string(), display_name: z.string().default(""), is_bot: z.boolean().default(false) }),
  chat: z.object({ id: z.string(), chat_type: z.string().default("PRIVATE") }),
  text: z.string().optional(),
  caption: z.string().optional(),
  photo_url: z.string().optional(),
  photo: z.string().optional(),
  message_id: z.string().min(1),
});
const DELIVERY = z.object({ event_name: z.string(), message: MESSAGE });
const ENVELOPE = z.object({ result: DELIVERY }).transform(({ result }) => result);
const ME = z.object({ id: z.string(), account_name: z.string().default("") });

/** The profile of Zalo Bot. */
export const zalo: Platform = {
  type: "zalo",
  maxUnits: 2_000,
  maxCaptionUnits: 2_000,
  isRich: false,
  secretHeader: "x-bot-api-secret-token",
  toIdentity: (result) => {
    const { id, account_name: username } = ME.parse(result);
    return { id, username };
  },
  toPoll: () => ({ timeout: POLL_S }),
  readPoll: (result, bot) => ({
    updates: [result].flat().flatMap((one) => readUpdate(one, bot) ?? []),
    next: undefined,
  }),
  readUpdate,
  toWebhook: (url, secret) => ({ url, secret_token: secret }),
};

/** Older clients get an update without its envelope. */
function readUpdate(body: unknown, { username }: BotIdentity): Update | undefined {
  const { data } = z.union([ENVELOPE, DELIVERY]).safeParse(body);
  if (data === undefined) return undefined;
  const { event_name: name, message } = data;
  const { from, chat, message_id: id } = message;
  const photo = message.photo_url ?? message.photo;
  const said = message.text ?? message.caption ?? "";
  const mention = username === "" ? -1 : said.toLowerCase().indexOf(`@${username.toLowerCase()}`);
  const text = mention < 0 ? said : `${said.slice(0, mention)}${said.slice(mention + username.length + 1)}`.trim();
  const isText = name === "message.text.received";
  const isImage = name === "message.image.received" && photo !== undefined;
  return {
    key: id,
    chat: chat.id,
    isPrivate: chat.chat_type !== "GROUP",
    kind: "message",
    from: { id: from.id, name: from.display_name, isBot: from.is_bot, language: "vi" },
    message: id,
    text,
    photos: isImage ? [{ ref: photo }] : [],
    isForBot: mention >= 0 || text.startsWith("/"),
    isOther: !isText && !isImage,
  };
}
