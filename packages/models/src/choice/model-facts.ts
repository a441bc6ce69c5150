/**
 * Model facts: which models reason, how, and the most they can write, by the beginning of their names.
 *
 * For a model that no rule knows nothing is said, rather than a guess. The longest beginning comes first.
 */

/** The way in which a model is asked to reason. */
type ReasoningKind =
  /** A word: `low`, `medium`, `high`. */
  | "effort"
  /** A number of tokens. */
  | "budget"
  /** On or off. */
  | "switch"
  /** On or off, or a word. */
  | "level";

/** Facts about a model. */
export interface ModelFacts {
  /** Absent if it does not reason. */
  readonly reasoning?: ReasoningKind;
  /** The most tokens it can write, reasoning included. */
  readonly maxOutput?: number;
  /** Whether it reads pictures. */
  readonly images: boolean;
}

type Rule = readonly [start: string, facts: ModelFacts];

const byEffort = (maxOutput: number): ModelFacts => ({ reasoning: "effort", maxOutput, images: true });
const byBudget = (maxOutput: number): ModelFacts => ({ reasoning: "budget", maxOutput, images: true });
const plain = (maxOutput: number): ModelFacts => ({ maxOutput, images: true });
const THINKER: ModelFacts = { reasoning: "switch", images: false };
const SEEING_THINKER: ModelFacts = { reasoning: "switch", images: true };
const TEXT_ONLY: ModelFacts = { images: false };

const OPENAI: readonly Rule[] = [
  ["gpt-5-chat", plain(16_384)],
  ["gpt-5.1-chat", plain(16_384)],
  ["gpt-5.2-chat", plain(16_384)],
  ["gpt-5.3-chat", plain(16_384)],
  ["gpt-5", byEffort(128_000)],
  ["gpt-6", byEffort(128_000)],
  ["gpt-4.1", plain(32_768)],
  ["gpt-4o", plain(16_384)],
  ["gpt-4-turbo", plain(4_096)],
  ["gpt-4", { maxOutput: 8_192, images: false }],
  ["gpt-3.5", { maxOutput: 4_096, images: false }],
  ["o1", byEffort(100_000)],
  ["o3", byEffort(100_000)],
  ["o4", byEffort(100_000)],
];

const ANTHROPIC: readonly Rule[] = [
  ["claude-3-7-sonnet", byBudget(64_000)],
  ["claude-3-5", plain(8_192)],
  ["claude-3", plain(4_096)],
  ["claude-2", { maxOutput: 4_096, images: false }],
  ["claude-instant", { maxOutput: 4_096, images: false }],
  ["claude-haiku-4-5", byBudget(64_000)],
  ["claude-sonnet-4-5", byBudget(64_000)],
  ["claude-opus-4-5", byBudget(64_000)],
  ["claude-sonnet-4-6", byEffort(128_000)],
  ["claude-opus-4-6", byEffort(128_000)],
  ["claude-opus-4-7", byEffort(128_000)],
  ["claude-opus-4-8", byEffort(128_000)],
  ["claude-sonnet-4", byBudget(64_000)],
  ["claude-opus-4", byBudget(32_000)],
  ["claude-", byEffort(128_000)],
];

const GOOGLE: readonly Rule[] = [
  ["gemini-2.5", byBudget(65_536)],
  ["gemini-3", byEffort(65_536)],
  ["gemini-", plain(8_192)],
];

const OLLAMA: readonly Rule[] = [
  ["gpt-oss", { reasoning: "level", images: false }],
  ["qwen3-vl", SEEING_THINKER],
  ["qwen3-coder", TEXT_ONLY],
  ["qwen3", THINKER],
  ["deepseek-r1", THINKER],
  ["deepseek-v3.1", THINKER],
  ["magistral", THINKER],
  ["cogito", THINKER],
  ["glm-4", THINKER],
  ["gemma3", { images: true }],
  ["gemma4", SEEING_THINKER],
  ["llava", { images: true }],
  ["llama3.2-vision", { images: true }],
  ["llama4", { images: true }],
  ["qwen2.5vl", { images: true }],
];

/** Most such servers take pictures if their model does. */
const COMPATIBLE: readonly Rule[] = [["", { images: true }]];

const RULES: ReadonlyMap<string, readonly Rule[]> = new Map([
  ["openai", OPENAI],
  ["openai-chat", OPENAI],
  ["anthropic", ANTHROPIC],
  ["google", GOOGLE],
  ["ollama", OLLAMA],
  ["openai-compatible", COMPATIBLE],
]);

/** The facts about a model, by its name `provider/model`. */
export function modelFactsOf(model: string): ModelFacts {
  const slash = model.indexOf("/");
  const name = model.slice(slash + 1);
  const rules = RULES.get(model.slice(0, Math.max(slash, 0))) ?? [];
  // A model that was trained further is named `ft:gpt-4o-mini:…`.
  const own = name.startsWith("ft:") ? name.slice(3) : name;
  return rules.find(([start]) => own.startsWith(start))?.[1] ?? TEXT_ONLY;
}

/** Tokens for reasoning beside the text of a reply, by what is asked for. */
const ROOM = { none: 4_000, low: 4_000, medium: 16_000, high: 32_000 } as const;

/** The most tokens that a call may write, reasoning included, if its text may have `maxTokens`. */
export function outputTokensOf(model: string, maxTokens: number, effort: keyof typeof ROOM = "medium"): number {
  const { reasoning, maxOutput = Infinity } = modelFactsOf(model);
  return Math.min(maxOutput, reasoning === undefined ? maxTokens : maxTokens + ROOM[effort]);
}
