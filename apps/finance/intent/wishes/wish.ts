/**
 * Wish: something that the user's own words ask to be kept or changed, with the calls that do it.
 */
import type { Listing } from "../../market/port/listing.ts";
import type { ChosenCall } from "../calls/chosen-call.ts";
import type { Intent, QuestionLanguage } from "../intent.ts";
import type { EarlierMessage } from "../situation.ts";
import type { Part } from "./own-words.ts";
import type { Utterance } from "./utterance.ts";

/** What a wish changes. */
export type WishEffect = Intent["effects"][number];

/** A level that an alert waits for, and which side of it the price is on has to be looked up. */
export type OpenLevel = Readonly<{ symbol: string; type: Listing["type"]; value: number }>;

/** A wish, and which part of the message says it. */
export interface ChangeWish extends Part {
  readonly effect: WishEffect;
  readonly calls: readonly ChosenCall[];
  /** What it is about. */
  readonly listings: readonly Listing[];
  /** Levels whose alerts follow when the price is known. */
  readonly levels?: readonly OpenLevel[];
  /** What is missing before anything can be done. */
  readonly lacks?: "symbol" | "condition" | "quantity" | "time";
}

/** A name of the message, and what it means. */
export interface Located extends Part {
  readonly listing: Listing;
}

/** What wishes are read from. */
export interface Heard {
  readonly utterance: Utterance;
  readonly located: readonly Located[];
  readonly language: QuestionLanguage;
  readonly today: string;
  /** Earlier messages, the newest last. */
  readonly history: readonly EarlierMessage[];
  /** What "it" means. */
  readonly referred: () => readonly Listing[];
}

/** The names between two places. */
export function locatedIn(located: readonly Located[], { start, end }: Part): readonly Located[] {
  return located.filter((one) => one.start >= start && one.end <= end);
}
