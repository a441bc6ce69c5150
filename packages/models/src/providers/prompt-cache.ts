/**
 * Prompt cache: marks what a provider should keep of a prompt for the next call.
 *
 * Anthropic is told the places: the system text, which covers the tools; the last message before the context; the last
 * message. OpenAI is told a key, the same for prompts that begin alike. Google and Ollama cache by themselves.
 */
import { createHash } from "node:crypto";
import type { Prompt } from "@baton/core";
import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";

/** Anthropic keeps nothing that is shorter. */
const MIN_TOKENS = 1_024;
const CHARS_PER_TOKEN = 4;

/** Options of OpenAI's requests that are about the cache. */
export function toOpenAiCache(
  { promptCache, cacheKey }: Prompt,
  model: string,
): {
  readonly promptCacheKey?: string;
  readonly promptCacheRetention?: "24h";
  readonly promptCacheOptions?: { readonly ttl: "12h" };
} {
  if (promptCache === "off" || cacheKey === undefined) return {};
  const { tenant, crew, agent, session } = cacheKey;
  // As JSON, so that no two lists of names become one text; as a hash, because names may be long and private.
  const promptCacheKey = createHash("sha256")
    .update(JSON.stringify([tenant, crew, agent, session]))
    .digest("base64url");
  if (promptCache !== "long") return { promptCacheKey };
  // Newer models refuse the retention, and name another time.
  return model.includes("/gpt-6")
    ? { promptCacheKey, promptCacheOptions: { ttl: "12h" } }
    : { promptCacheKey, promptCacheRetention: "24h" };
}

/** A part of a prompt that may carry a mark. */
type Markable = { providerOptions?: SharedV4ProviderOptions };

/** The prompt with Anthropic's marks; `before` is the number of turns and parts that stand before the context. */
export function markForAnthropic(turns: LanguageModelV4Prompt, prompt: Prompt, before: PromptPlace | undefined): void {
  if (prompt.promptCache === "off") return;
  const cacheControl =
    prompt.promptCache === "long" ? { type: "ephemeral", ttl: "1h" } : ({ type: "ephemeral" } as const);
  const toolChars = prompt.tools.length === 0 ? 0 : JSON.stringify(prompt.tools).length;
  let chars = toolChars;
  const places = new Set<Markable>();
  turns.forEach((turn, index) => {
    if (turn.role === "system") {
      chars += turn.content.length;
      if (chars >= MIN_TOKENS * CHARS_PER_TOKEN) places.add(turn);
      return;
    }
    turn.content.forEach((part, at) => {
      chars += JSON.stringify(part).length;
      if (chars < MIN_TOKENS * CHARS_PER_TOKEN || part.type === "reasoning") return;
      const isBefore = before?.turn === index && before.part === at;
      const isLast = index === turns.length - 1 && at === turn.content.length - 1;
      if (isBefore || isLast) places.add(part);
    });
  });
  for (const place of places) {
    const { anthropic = {}, ...others } = place.providerOptions ?? {};
    place.providerOptions = { ...others, anthropic: { ...anthropic, cacheControl } };
  }
}

/** A part of a prompt: its turn, and its place in that turn. */
export type PromptPlace = Readonly<{ turn: number; part: number }>;

/** The last part of turns that can be marked. */
export function lastPlaceOf(turns: readonly LanguageModelV4Message[]): PromptPlace | undefined {
  const turn = turns.length - 1;
  const last = turns[turn];
  if (last === undefined || last.role === "system") return undefined;
  const part = last.content.findLastIndex(({ type }) => type !== "reasoning");
  return part === -1 ? undefined : { turn, part };
}
