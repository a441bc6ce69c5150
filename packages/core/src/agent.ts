/**
 * Agent: who does what with which model and tools, as frozen data.
 *
 * Reads: nothing. Read by: crew, prompt, turn.
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
export interface ErrorLimits {
  readonly maxConsecutive?: number;
  readonly maxPerDay?: number;
  readonly blockOnErrorExceed?: boolean;
}

/** A model by name, and where to reach it. */
export interface ModelRef {
  /** `openai/gpt-5-mini`, `script`, `offline` … */
  readonly name: string;
  readonly url?: string;
}

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

/** An agent of a crew: every list there, every default filled in. */
export interface Agent extends AgentDefinition {
  readonly name: string;
  readonly role: string;
  readonly description: string;
  readonly backstory: string;
  readonly toolCalls: "native" | "text";
  readonly temperature: number;
  readonly tools: readonly string[];
  readonly handoffTargets: readonly string[];
  readonly isTerminal: boolean;
}
