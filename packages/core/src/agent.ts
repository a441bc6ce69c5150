/**
 * Agent: who does what with which model and tools, as frozen data.
 *
 * Reads: nothing. Read by: definition, crew, and the verbs.
 */

/** Caps on what one agent may spend; enforced by the ledger. */
export interface CostLimits {
  readonly maxTokensPerCall?: number;
  readonly maxTokensPerDay?: number;
  readonly maxCostPerDayUsd?: number;
  readonly alertThreshold?: number;
  readonly blockOnCostExceed?: boolean;
  readonly inputTokenPricePerMillion?: number;
  readonly outputTokenPricePerMillion?: number;
}

/** Caps on how often one agent may fail; enforced by the ledger. */
export type ErrorLimits = Readonly<{ maxConsecutive?: number; maxPerDay?: number; blockOnErrorExceed?: boolean }>;

/** A model by name (`openai/gpt-5-mini`, `script`, `offline` …), and where to reach it. */
export type ModelRef = Readonly<{ name: string; url?: string }>;

/** An agent as people write it. */
export interface AgentDefinition {
  readonly id: string;
  readonly name?: string;
  readonly role?: string;
  readonly description?: string;
  readonly backstory?: string;
  readonly systemPrompt?: string;
  readonly model?: ModelRef;
  readonly backup?: ModelRef;
  /** How its model asks for tools. */
  readonly toolCalls?: "native" | "text";
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  /** Names of tools of the crew. */
  readonly tools?: readonly string[];
  readonly handoffTargets?: readonly string[];
  readonly isTerminal?: boolean;
  readonly costLimits?: CostLimits;
  readonly errorLimits?: ErrorLimits;
}

/** What an agent is where its definition says nothing; without a name it goes by its id. */
export const AGENT_DEFAULTS = {
  role: "",
  description: "",
  backstory: "",
  toolCalls: "native",
  temperature: 0.7,
  tools: [],
  handoffTargets: [],
  isTerminal: false,
} as const satisfies Partial<AgentDefinition>;

/** An agent of a crew: every list there, every default filled in. */
export type Agent = AgentDefinition & Required<Pick<AgentDefinition, "name" | keyof typeof AGENT_DEFAULTS>>;
