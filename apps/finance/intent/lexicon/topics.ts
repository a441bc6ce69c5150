/**
 * Topics: what people can ask for, and the words that ask for it, in English and Vietnamese.
 *
 * Phrases are compared without diacritics; at each word the longest counts, so "price target" is not "price". `#` is a
 * number, `@` something listed. A phrase after `~` is weak: it counts only if the question has no stronger topic.
 */
import type { Lexicon } from "../topics/phrase-index.ts";
import { BEYOND } from "./beyond-topics.ts";
import { FUNDAMENTALS } from "./fundamental-topics.ts";
import { MARKETS } from "./market-topics.ts";
import { OTHERS } from "./other-topics.ts";
import { PRICES, TECHNICALS } from "./price-topics.ts";
import type { Topic } from "./topic.ts";

export type { Topic } from "./topic.ts";

/** Every topic with its phrases. */
export const TOPICS: Lexicon<Topic> = [...PRICES, ...TECHNICALS, ...FUNDAMENTALS, ...MARKETS, ...BEYOND, ...OTHERS];
