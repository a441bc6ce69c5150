/**
 * Figures: numbers that can be what they are said to be. A price of 0, a time beyond the calendar and the like are
 * absent, so that nothing is computed from them.
 */
import { z } from "zod";
import { Num, RequiredNum } from "./rows.ts";

const MAX_PRICE = 1e15;
const MAX_AMOUNT = 1e21;
const MAX_SECONDS = 1e11;

const within = (low: number, high: number) =>
  Num.transform((value) => (value === undefined || value < low || value > high ? undefined : value));

/** More than 0, or absent. */
export const Price = within(Number.MIN_VALUE, MAX_PRICE);

/** A price that must be there. */
export const RequiredPrice = RequiredNum.pipe(z.number().positive().max(MAX_PRICE));

/** Shares, coins or money that changed hands, or absent. */
export const Amount = within(0, MAX_AMOUNT);

/** A time in seconds since 1970, or absent. */
export const Seconds = within(-MAX_SECONDS, MAX_SECONDS);

/** A time in seconds since 1970 that must be there. */
export const RequiredSeconds = RequiredNum.pipe(z.number().min(-MAX_SECONDS).max(MAX_SECONDS));
