/**
 * Update: what a platform delivers, in the words that all channels share.
 */
import { z } from "zod";

const PERSON = z.object({ id: z.string(), name: z.string(), isBot: z.boolean(), language: z.enum(["en", "vi"]) });
const PHOTO = z.object({
  /** A file id of Telegram, or an address. */
  ref: z.string(),
  bytes: z.number().optional(),
});
const COMMON = {
  /** Unique in its channel. */
  key: z.string(),
  /** Updates of a chat are handled by it; without it, as they came. */
  order: z.number().optional(),
  chat: z.string(),
  isPrivate: z.boolean(),
};

/** One update, as it is stored. */
export const UPDATE = z.discriminatedUnion("kind", [
  z.object({
    ...COMMON,
    kind: z.literal("message"),
    from: PERSON,
    message: z.string(),
    text: z.string(),
    photos: z.array(PHOTO),
    album: z.string().optional(),
    /** The message that it replies to. */
    replyTo: z.string().optional(),
    /** In a group: it mentions the bot, replies to it or is a command. */
    isForBot: z.boolean(),
    /** It holds something else than text and pictures. */
    isOther: z.boolean(),
  }),
  z.object({ ...COMMON, kind: z.literal("edit"), from: PERSON, message: z.string(), text: z.string() }),
  z.object({ ...COMMON, kind: z.literal("press"), from: PERSON, press: z.string(), data: z.string() }),
  z.object({ ...COMMON, kind: z.literal("stop") }),
  z.object({ ...COMMON, kind: z.literal("membership"), isGone: z.boolean() }),
]);

/** One update. */
export type Update = z.infer<typeof UPDATE>;

/** The update of one kind. */
export type UpdateOf<Kind extends Update["kind"]> = Extract<Update, { readonly kind: Kind }>;

/** A person on a platform. */
export type Person = z.infer<typeof PERSON>;

/** A picture that a person sent. */
export type PhotoRef = z.infer<typeof PHOTO>;
