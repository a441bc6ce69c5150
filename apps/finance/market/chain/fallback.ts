/**
 * Fallback: how a note says that other sources were asked first and why they did not answer, and how that is read again.
 *
 * It is the end of a note: `fmp: upstream; from snapshot`.
 */
import type { MarketError } from "../port/market-error.ts";
import type { Provenance } from "../port/provenance.ts";

/** A source that did not answer. */
export interface SourceFailure {
  readonly source: string;
  readonly error: MarketError;
}

const FAILURE =
  /^[\w-]{1,40}: (ambiguous|no_data|throttled|not_configured|plan|upstream)(?: until \S{1,40})?(?:, set [\w=-]{1,60})?$/;
const ANSWERED = "from ";

/** One failure in a few words. */
export function describeFailure({ source, error }: SourceFailure): string {
  const { retryAt, enable } = error.details;
  const until = retryAt === undefined || !isTime(retryAt) ? "" : ` until ${new Date(retryAt).toISOString()}`;
  const what = error.kind === "not_configured" && enable !== undefined ? `, set ${enable}` : "";
  return `${source}: ${error.kind}${until}${what}`;
}

/** The words for an answer of `name` after failures. */
export function toFallbackNote(failures: readonly SourceFailure[], name: string): string {
  return [...failures.map(describeFailure), `${ANSWERED}${name}`].join("; ");
}

/** The part of a note that speaks of a fallback; undefined if there was none. */
export function fallbackOf({ note = "" }: Pick<Provenance, "note">): string | undefined {
  const parts = note.split("; ");
  if (!parts.at(-1)?.startsWith(ANSWERED)) return undefined;
  const start = parts.slice(0, -1).findLastIndex((part) => !FAILURE.test(part)) + 1;
  return start === parts.length - 1 ? undefined : parts.slice(start).join("; ");
}

/** Whether an answer stands in for a source that failed in a way that may pass. */
export function isStandIn(provenance: Pick<Provenance, "note">): boolean {
  if (fallbackOf(provenance) === undefined) return false;
  const failed = (provenance.note ?? "").split("; ").map((part) => FAILURE.exec(part)?.[1]);
  return failed.includes("throttled") || failed.includes("upstream");
}

function isTime(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}
