/**
 * FMP fault: what went wrong at Financial Modeling Prep, read from both status and text, because either alone can mislead.
 */
import { parseJson } from "@baton/core/util";
import type { FetchAnswer } from "../http/body.ts";

/** As many as there are reactions. */
export type FmpFault =
  | "auth"
  | "rate_limit"
  | "plan_symbol" // this symbol
  | "plan_limit" // so many rows
  | "plan_request" // this parameter
  | "plan_endpoint"
  | "legacy"
  | "bad_path"
  | "other";

const QUOTA = ["limit reach", "rate limit", "too many requests"];
const ENDPOINT = ["restricted endpoint", "exclusive endpoint"];
const PLAN = ["premium", "special endpoint", ...ENDPOINT, "not available under your current", "upgrade your plan"];
const MAX_CHARS = 2_000;

/** Reads the complaint in an answer, with its words; undefined if it is a usable answer. */
export function toFault(answer: FetchAnswer): { readonly fault: FmpFault; readonly text: string } | undefined {
  const text = toComplaint(answer);
  return text === undefined ? undefined : { fault: faultOf(answer.status, text.toLowerCase()), text };
}

/** The words of a complaint. Successful answers complain too, in an object instead of an array. */
function toComplaint({ status, kind, text }: FetchAnswer): string | undefined {
  const start = text.trimStart();
  const json = start.startsWith("{") ? parseJson(text) : undefined;
  const message =
    typeof json === "object" && json !== null && "Error Message" in json ? json["Error Message"] : undefined;
  if (typeof message === "string") return message.slice(0, MAX_CHARS);
  return status === 200 && kind === "json" ? undefined : start.slice(0, MAX_CHARS);
}

/** The quota's text also asks to upgrade the plan, so it comes first. */
function faultOf(status: number, text: string): FmpFault {
  const says = (words: readonly string[]) => words.some((word) => text.includes(word));
  if (status === 429 || says(QUOTA)) return "rate_limit";
  if (status === 401 || says(["invalid api key"])) return "auth";
  if (says(["legacy endpoint"])) return "legacy";
  if (status === 402 || says(PLAN)) return planFaultOf(says);
  return status === 404 ? "bad_path" : "other";
}

function planFaultOf(says: (words: readonly string[]) => boolean): FmpFault {
  if (says(["'limit'"])) return "plan_limit";
  if (says(["'symbol'", "'symbols'"])) return "plan_symbol";
  return says(ENDPOINT) ? "plan_endpoint" : "plan_request";
}
