/**
 * Zalo Bot: its limits and the shape of its updates. Delivering confirms: there is no offset.
 */
import { z } from "zod";
import type { Platform } from "./platform.ts";
import type { Update } from "./update.ts";

const POLL_S = "25";
const MESSAGE = z.object({
  from: z.object({ id: z.string(), display_name: z.string().default(""), is_bot: z.boolean().default(false) }),
  chat: z.object({ id: z.string(), chat_type: z.string().default("PRIVATE") }),
  text: z.string().optional(),
  caption: z.string().optional(),
  photo_url: z.string().optional(),
  photo: z.string().optional(),
  message_id: z.string(),
  date: z.number().default(0),
});
const DELIVERY = z.object({ event_name: z.string(), message: MESSAGE });
const ENVELOPE = z.object({ result: DELIVERY }).transform(({ result }) => result);
const ME = z.object({ id: z.string(), account_name: z.string().default("") });

/** The profile of Zalo Bot. */
export const zalo: Platform = {
  type: "zalo",
  maxUnits: 2_000,
  isRich: false,
  secretHeader: "x-bot-api-secret-token",
  toIdentity: (result) => {
    const { id, account_name: username } = ME.parse(result);
    return { id, username };
  },
  toPoll: () => ({ timeout: POLL_S }),
  readPoll: (result) => ({ updates: [result].flat().flatMap((one) => readUpdate(one) ?? []), next: undefined }),
  readUpdate,
  toWebhook: (url, secret) => ({ url, secret_token: secret }),
};

/** Older clients get an update without its envelope. */
function readUpdate(body: unknown): Update | undefined {
  const { data } = z.union([ENVELOPE, DELIVERY]).safeParse(body);
  if (data === undefined) return undefined;
  const { event_name: name, message } = data;
  const { from, chat, message_id: id, date } = message;
  const photo = message.photo_url ?? message.photo;
  const text = message.text ?? message.caption ?? "";
  const isText = name === "message.text.received";
  const isImage = name === "message.image.received" && photo !== undefined;
  return {
    key: id,
    order: date,
    chat: chat.id,
    isPrivate: chat.chat_type !== "GROUP",
    kind: "message",
    from: { id: from.id, name: from.display_name, isBot: from.is_bot, language: "vi" },
    message: id,
    text,
    photos: isImage ? [{ ref: photo }] : [],
    isForBot: chat.chat_type !== "GROUP" || text.startsWith("/") || text.startsWith("@"),
    isOther: !isText && !isImage,
  };
}
