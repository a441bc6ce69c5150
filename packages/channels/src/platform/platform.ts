/**
 * Platform: what is known about one chat platform: its limits, its methods and the shape of its updates.
 */
import type { Update } from "./update.ts";

/** The bot, as its platform knows it. */
export interface BotIdentity {
  readonly id: string;
  /** By which groups mention it, without `@`. */
  readonly username: string;
}

/** A stretch of text with a meaning, in UTF-16 units. */
export interface TextEntity {
  readonly type: "bold" | "italic" | "strikethrough" | "code" | "pre" | "text_link" | "blockquote";
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

/** One chat platform. */
export interface Platform {
  readonly type: "telegram" | "zalo";
  /** The longest text, in UTF-16 units. */
  readonly maxUnits: number;
  /** The longest text under a picture. */
  readonly maxCaptionUnits: number;
  /** Whether texts may have entities, buttons, drafts, edits and files. */
  readonly isRich: boolean;
  /** The header that has the secret of a webhook. */
  readonly secretHeader: string;
  readonly toIdentity: (result: unknown) => BotIdentity;
  /** The parameters of a poll. */
  readonly toPoll: (offset: number) => Readonly<Record<string, unknown>>;
  /** The updates of a poll's result, and where the next poll begins. */
  readonly readPoll: (
    result: unknown,
    bot: BotIdentity,
  ) => { readonly updates: readonly Update[]; readonly next: number | undefined };
  /** The update that a webhook delivers; undefined if it is of no interest. */
  readonly readUpdate: (body: unknown, bot: BotIdentity) => Update | undefined;
  /** The parameters of `setWebhook`. */
  readonly toWebhook: (url: string, secret: string) => Readonly<Record<string, unknown>>;
}
