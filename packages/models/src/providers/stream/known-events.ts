/**
 * Known events: which events of each provider's stream Baton reads.
 *
 * Providers add events; one that is not here is skipped, because their packages refuse a stream for some of them.
 */
import { isRecord } from "../../json.ts";
import type { EventFilter } from "./event-guard.ts";

const RESPONSES: ReadonlySet<string> = new Set([
  "error",
  "keepalive",
  ...["created", "queued", "in_progress", "completed", "failed", "incomplete"].map((name) => `response.${name}`),
  ...["output_item", "content_part", "reasoning_summary_part"].flatMap((name) => [
    `response.${name}.added`,
    `response.${name}.done`,
  ]),
  ...["output_text", "refusal", "function_call_arguments", "reasoning_summary_text", "reasoning_text"].flatMap(
    (name) => [`response.${name}.delta`, `response.${name}.done`],
  ),
  "response.output_text.annotation.added",
]);

const ANTHROPIC: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);
const ANTHROPIC_BLOCKS: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const ANTHROPIC_DELTAS: ReadonlySet<string> = new Set([
  "text_delta",
  "input_json_delta",
  "thinking_delta",
  "signature_delta",
  "citations_delta",
]);

const typeOf = (value: unknown): string =>
  isRecord(value) && typeof value["type"] === "string" ? value["type"] : "unknown";

/** OpenAI's Responses API. */
export function responsesFilter(): EventFilter {
  return (event) => {
    // Some errors come without a type.
    if (event["error"] !== undefined) return undefined;
    const type = typeOf(event);
    return RESPONSES.has(type) ? undefined : type;
  };
}

/** Anthropic's Messages API; a block of an unknown type is skipped whole. */
export function anthropicFilter(): EventFilter {
  const skipped = new Set<unknown>();
  return (event) => {
    const type = typeOf(event);
    if (!ANTHROPIC.has(type)) return type;
    if (type === "content_block_start") {
      const block = typeOf(event["content_block"]);
      if (ANTHROPIC_BLOCKS.has(block)) return undefined;
      skipped.add(event["index"]);
      return block;
    }
    if (skipped.has(event["index"])) return type;
    if (type !== "content_block_delta") return undefined;
    const delta = typeOf(event["delta"]);
    return ANTHROPIC_DELTAS.has(delta) ? undefined : delta;
  };
}

/** Streams whose events have no type: an event is known if it has one of these fields. */
export function fieldFilter(fields: readonly string[]): () => EventFilter {
  return () => (event) => {
    if (fields.some((field) => event[field] !== undefined)) return undefined;
    return typeof event["object"] === "string" ? event["object"] : typeOf(event);
  };
}
