/**
 * Wishes: all that a message asks to be kept or changed, in the user's own words.
 */
import type { WishEffect, Heard, ChangeWish } from "./wish.ts";
import { holdingWishes } from "./holding-wishes.ts";
import { memoryWishes } from "./memory-wishes.ts";
import { scheduleWishes } from "./schedule-wishes.ts";
import { watchWishes } from "./watch-wishes.ts";

/** The wishes of a message in the order in which it says them. */
export function readWishes(heard: Heard): readonly ChangeWish[] {
  const schedules = scheduleWishes(heard);
  const others = [...holdingWishes(heard), ...watchWishes(heard)].filter((wish) => !isCovered(wish, schedules));
  const kept = memoryWishes(heard.utterance).filter((wish) => !isCovered(wish, [...schedules, ...others]));
  return [...schedules, ...others, ...kept].toSorted((one, other) => one.start - other.start);
}

/** Which kinds of change wishes ask for; one that lacks something asks for nothing yet. */
export function effectsOf(wishes: readonly ChangeWish[]): readonly WishEffect[] {
  const done = wishes.filter(({ lacks }) => lacks === undefined);
  return [...new Set(done.map(({ effect }) => effect))];
}

function isCovered({ start, end }: ChangeWish, others: readonly ChangeWish[]): boolean {
  return others.some((other) => start < other.end && end > other.start);
}
