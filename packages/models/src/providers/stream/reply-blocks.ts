/**
 * Blocks: the order and the provider's own data of the parts of one reply, as JSON.
 *
 * Providers that reason want their reasoning blocks and signatures back, in place and unchanged. They travel in the
 * history as `provider.data`; text is kept as its length, since the message holds the text itself.
 */
import type { Json } from "@baton/core";
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { parseJson } from "@baton/core/util";
import { isJsonArray, isRecord } from "../../json.ts";

/** One part of a reply, in the order the model wrote them. */
export type ReplyBlock =
  | { readonly kind: "reasoning"; readonly text: string; readonly options?: SharedV4ProviderOptions }
  | { readonly kind: "text"; readonly length: number; readonly options?: SharedV4ProviderOptions }
  | { readonly kind: "call"; readonly options?: SharedV4ProviderOptions };

/** The blocks of a message's `provider.data`; empty if it is something else. */
export function parseBlocks(data: Json): readonly ReplyBlock[] {
  if (!isJsonArray(data)) return [];
  const blocks = data.map((item) => parseBlock(item));
  return blocks.every((block) => block !== undefined) ? blocks : [];
}

function parseBlock(item: Json): ReplyBlock | undefined {
  if (!isRecord(item)) return undefined;
  const { kind, text, length, options } = item;
  const kept = isOptions(options) ? { options } : {};
  if (kind === "reasoning" && typeof text === "string") return { kind, text, ...kept };
  if (kind === "text" && typeof length === "number") return { kind, length, ...kept };
  return kind === "call" ? { kind, ...kept } : undefined;
}

/** The blocks as data for the history; undefined if nothing would be lost without them. */
export function toBlockData(blocks: readonly ReplyBlock[]): Json | undefined {
  if (!blocks.some((block) => block.kind === "reasoning" || block.options !== undefined)) return undefined;
  return parseJson(JSON.stringify(blocks));
}

/** Whether a value can be a provider's own data of a part: an object by provider of objects. */
export function isOptions(value: unknown): value is SharedV4ProviderOptions {
  return isRecord(value) && Object.values(value).every((own) => isRecord(own));
}
