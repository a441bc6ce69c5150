/**
 * Retry-After: when a server wants to be asked again.
 */
import type { FetchAnswer } from "./body.ts";

const DEFAULT_S = 60;
const MAX_S = 4 * 86_400;

/** In ms since 1970; after a minute if the server does not say, at most after four days. */
export function toRetryAt({ header }: Pick<FetchAnswer, "header">, now: number): number {
  return toRetryAtSeconds(header("retry-after"), now);
}

/** The same for a number of seconds or a date that was found elsewhere. */
export function toRetryAtSeconds(value: string | number | undefined, now: number): number {
  const seconds = value === undefined || value === "" ? Number.NaN : Number(value);
  if (Number.isFinite(seconds)) return now + Math.min(Math.max(seconds, 1), MAX_S) * 1_000;
  const date = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return now + DEFAULT_S * 1_000;
  return Math.min(Math.max(date, now + 1_000), now + MAX_S * 1_000);
}
