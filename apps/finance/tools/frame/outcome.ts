/**
 * Outcome: what becomes of an answer that a source could not give.
 *
 * What the model can act on at once (no data, several meanings, a source that is off) is a result. All else is a `ToolError` that says what
 * to do next; adapters have already retried, so none of them is retried by the engine. An abort stays an abort.
 */
import { BatonError, type CallContext, type Json, ToolError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../market/port/listing.ts";
import { type Manager, MarketError } from "../../market/port/market-error.ts";
import { toJson } from "../shared/to-json.ts";
import { toSafeName } from "../shared/untrusted.ts";

const MAX_AVAILABLE = 400;

/** Answer of a tool that has no data: never a guess. */
export interface NoData {
  readonly no_data: true;
  readonly message: string;
  readonly symbol?: string;
  readonly available?: string;
  readonly enable?: string;
  readonly candidates?: readonly Listing[];
}

/** Answer of a tool if a symbol or a name can mean several things. */
export interface Ambiguous {
  readonly ambiguous: true;
  readonly message: string;
  readonly candidates: readonly Listing[];
  readonly managers?: readonly Manager[];
  readonly available?: string;
}

type Calling = Readonly<{ tool: string; context: CallContext }>;

/** Returns the result of `work`; a `MarketError` becomes a result or a `ToolError`. */
export async function toOutcome<T>({ tool, context }: Calling, work: () => Promise<T>): Promise<T | Json> {
  try {
    return await work();
  } catch (thrown) {
    if (!context.scope.live || thrown instanceof BatonError || thrown instanceof ToolError) throw thrown;
    if (thrown instanceof MarketError) return toResult(thrown);
    const message = `${tool} failed because of a defect; the same call will fail again, so go on without it`;
    throw new ToolError("crash", message, { cause: thrown });
  }
}

/** Whether a failure may pass, so that an older answer can stand in. */
export function isPassing(thrown: unknown): boolean {
  const cause = thrown instanceof ToolError ? thrown.cause : undefined;
  return cause instanceof MarketError && (cause.kind === "throttled" || cause.kind === "upstream");
}

function toResult(error: MarketError): Json {
  const { kind, message, details } = error;
  const { symbol, enable, candidates = [], managers } = details;
  const available = details.available === undefined ? undefined : toSafeName(details.available, MAX_AVAILABLE);
  switch (kind) {
    case "no_data": {
      const near = candidates.length === 0 ? {} : { candidates };
      const none: NoData = { no_data: true, message, ...omitUndefined({ symbol, available, enable }), ...near };
      return toJson(none);
    }
    case "ambiguous": {
      const several: Ambiguous = { ambiguous: true, message, candidates, ...omitUndefined({ managers, available }) };
      return toJson(several);
    }
    case "not_configured": {
      const off: NoData = { no_data: true, message, ...omitUndefined({ symbol, available, enable }) };
      return toJson(off);
    }
    case "throttled":
    case "plan":
    case "upstream":
      throw new ToolError("permanent", `${kind}: ${toSentence(message)} ${toAdvice(error)}`, { cause: error });
  }
}

function toAdvice({ kind, details: { retryAt } }: MarketError): string {
  if (kind === "throttled") {
    const when = retryAt === undefined ? "in a minute" : `after ${new Date(retryAt).toISOString()}`;
    return `Ask again ${when}; do not repeat the call before.`;
  }
  if (kind === "plan") return "The key's plan does not include it: use another tool, or a key with a larger plan.";
  return "The source failed, and asking again now does not help: use another tool, or say that the data is not available now.";
}

const toSentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);
