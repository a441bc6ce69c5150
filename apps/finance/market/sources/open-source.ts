/**
 * Open source: what the sources without a key share: how they are reached, what a status means, what is unofficial.
 */
import { MarketError } from "../port/market-error.ts";
import type { Sourced } from "../port/provenance.ts";
import type { FetchAnswer } from "./http/body.ts";
import type { FetchLimits } from "./http/guarded-fetch.ts";
import type { ReplyVerdict } from "./http/http-source.ts";
import { toRetryAt } from "./http/retry-after.ts";

/** Connection to a service. */
export interface OpenSourceOptions {
  readonly baseUrl?: string;
  readonly limits?: Partial<FetchLimits>;
}

/** User agent for services made for browsers; others get the product's own name. */
export const BROWSER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** A refusal of one request. */
export const refuse = (error: MarketError): ReplyVerdict => ({ kind: "refused", error });

/** Judges a status, the same at every service; a body that complains with status 200 is the source's own matter. */
export function judgeStatus(label: string, answer: FetchAnswer, now: number): ReplyVerdict {
  const { status } = answer;
  if (status === 200) return { kind: "ok" };
  if (status === 429) {
    return { kind: "throttled", message: `${label} asks to slow down`, retryAt: toRetryAt(answer, now) };
  }
  if (status === 418) {
    const message = `${label} has banned this address for a while`;
    return { kind: "throttled", message, retryAt: toRetryAt(answer, now) };
  }
  if (status === 451) return refuse(new MarketError("upstream", `${label} does not serve this region`));
  if (status === 401 || status === 403) return refuse(new MarketError("upstream", `${label} refused the request`));
  return refuse(new MarketError("upstream", `${label} answered with status ${status}`));
}

/** Marks an answer of a service that is not documented or for personal use only. */
export function toUnofficial<T>({ data, provenance }: Sourced<T>): Sourced<T> {
  return { data, provenance: { ...provenance, unofficial: true } };
}

/** Notes on one line; undefined if there are none. */
export function joinNotes(...notes: readonly (string | undefined)[]): string | undefined {
  const said = notes.filter((note) => note !== undefined);
  return said.length === 0 ? undefined : said.join("; ");
}
