/**
 * Agent: who does what with which model and tools, as frozen data.
 */
import type { Json } from "../words/json.ts";
import type { PromptCache } from "./limits.ts";
import type { JsonSchema, OutputSchema, PlainInput } from "../words/schema/schema.ts";

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

/** The way a model asks for tools. */
export type ToolCalls = "auto" | "native" | "text" | "code";

/** A tool that is offered only while a value of the run's state is true; a dot goes into an object. */
export type ToolOffer = Readonly<{ name: string; if: string }>;

/** Options of an agent or a crew as a tool. */
interface ChildOptions {
  /** Name of the tool; by default the id. */
  readonly as?: string;
  /** By default the description, else the role, of the agent. */
  readonly description?: string;
  /** Calls in one turn; default 8. */
  readonly maxCalls?: number;
  /** Time of one call; by default what the run has left. */
  readonly timeoutMs?: number;
}

/** An agent of the crew that another agent calls as a tool. */
export interface AgentTool extends ChildOptions {
  readonly agent: string;
}

/** A sub-crew that an agent calls as a tool. */
export interface CrewTool extends ChildOptions {
  readonly crew: string;
}

/** An agent or sub-crew that is a tool of an agent, under the name of that tool. */
export type ChildTool = (AgentTool | CrewTool) & { readonly as: string };

/** For whom an agent writes: what is for the crew belongs to the run, not to the session, and is not the answer. */
export type Audience = "user" | "crew";

/** Amount of reasoning that is asked of a model; one that does not reason is sent nothing. */
export type Reasoning = "none" | "low" | "medium" | "high";

/** Fields of a provider's request, by the provider's name, as its HTTP API names them. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Instructions that an agent can load while it works: their name, and when to load them. */
export type SkillSummary = Readonly<{ name: string; description: string }>;

/** An agent as people write it. */
export interface AgentDefinition {
  readonly id: string;
  readonly name?: string;
  readonly role?: string;
  readonly description?: string;
  readonly backstory?: string;
  readonly systemPrompt?: string;
  /** Template of a message that stands before the one that opened the turn; rendered when the turn begins. */
  readonly context?: string;
  readonly model?: ModelRef;
  readonly backup?: ModelRef;
  /** The way its model asks for tools; `auto`: natively, and a reply of a turn without native calls is also read for text calls; `code`: by `run_code`, in code. */
  readonly toolCalls?: ToolCalls;
  /** `required` and a tool's name hold until a tool has run in the turn. */
  readonly toolChoice?: string;
  /** False: at most one call a reply is asked for, and the calls of a reply run one after the other. */
  readonly parallelToolCalls?: boolean;
  /** Model calls of one turn; the crew's `maxSteps` if it says nothing. */
  readonly maxSteps?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  /** The provider's own default if it says nothing. */
  readonly reasoning?: Reasoning;
  /** Merged into the provider's request, over what Baton sets. */
  readonly providerOptions?: ProviderOptions;
  /** As the crew's settings say, if it says nothing. */
  readonly promptCache?: PromptCache;
  /** Tools of a request that it is offered: all, or those that are named. */
  readonly clientTools?: boolean | readonly string[];
  /** Names of tools of the crew, some perhaps with a condition; agents and sub-crews that it calls as tools. */
  readonly tools?: readonly (string | ToolOffer | AgentTool | CrewTool)[];
  /** Those of the tools that are agents or sub-crews, if `tools` has their names. */
  readonly children?: readonly ChildTool[];
  /** Those of the tools that have a condition, if `tools` names them without it. */
  readonly offers?: readonly ToolOffer[];
  /** Tools that are offered even while `toolSearch` hides the others. */
  readonly pinnedTools?: readonly string[];
  /** Only pinned tools and `tool_search` are offered, and then those that a search has named. */
  readonly toolSearch?: boolean | { readonly if: string };
  /** Skills that its system prompt lists at its end. */
  readonly skills?: readonly SkillSummary[];
  /** Arguments that it takes as a tool; by default `{input: string}`. */
  readonly input?: OutputSchema;
  /** The last reply of a turn is one JSON value that fits this. */
  readonly output?: OutputSchema;
  /** Of the conversation before the run only so many messages, the newest. */
  readonly history?: number;
  readonly audience?: Audience;
  readonly handoffTargets?: readonly string[];
  readonly isTerminal?: boolean;
  readonly costLimits?: CostLimits;
  readonly errorLimits?: ErrorLimits;
}

/** The defaults of an agent; without a name it goes by its id. */
export const AGENT_DEFAULTS = {
  role: "",
  description: "",
  backstory: "",
  toolCalls: "auto",
  toolChoice: "auto",
  parallelToolCalls: true,
  temperature: 0.7,
  tools: [],
  handoffTargets: [],
  isTerminal: false,
  pinnedTools: [],
  toolSearch: false,
  audience: "user",
} as const satisfies Partial<AgentDefinition>;

type Filled = Required<Pick<AgentDefinition, "name" | keyof typeof AGENT_DEFAULTS>>;

/** Fields that are made of a definition, not copied from it. */
type Made = "children" | "input" | "offers" | "output" | "tools";

/** An agent of a crew: every list there, every default filled in. */
export type Agent = Omit<AgentDefinition, keyof Filled | Made> &
  Omit<Filled, Made> &
  Readonly<{
    tools: readonly string[];
    /** Those of the tools that have a condition. */
    offers: readonly ToolOffer[];
    /** Those of the tools that are agents or sub-crews. */
    children: readonly ChildTool[];
    input?: JsonSchema;
    output?: JsonSchema;
    /** Both parse as the schema that was given does; absent if that is a JSON Schema. */
    parseInput?: PlainInput["validate"];
    parseOutput?: PlainInput["validate"];
  }>;
