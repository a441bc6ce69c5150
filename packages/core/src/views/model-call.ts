/**
 * Model call: one that is about to be made, and everything the model is given for it.
 *
 * State and tools are those that the log had when the step started.
 */
import type { Agent } from "../definitions/agent.ts";
import type { FinishedCalls } from "../ports/call-log.ts";
import { type BatonError, toFailure } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import type { Lane } from "./lane.ts";
import { type Message, NO_USAGE, type Usage } from "../words/message.ts";
import type { Model, Prompt, ToolSpec } from "../ports/model.ts";
import { toProgramName } from "../ports/program.ts";
import { render } from "./prompt.ts";
import type { JsonSchema } from "../words/schema/schema.ts";
import { type OpenTurn, toConfigured, toContextMessage, toModel, withContext } from "./open-turn.ts";
import { toCodeSpec } from "./code/code-tool.ts";
import type { Role } from "./plan.ts";
import { RUN_CODE } from "../definitions/tool.ts";
import { toOffered } from "./tool-search.ts";
import { type Fit, measure, repeatTrim } from "./window.ts";

/** A model call of a turn. */
export interface ModelCall {
  readonly turn: OpenTurn;
  /** Its position, `3.1`. */
  readonly step: string;
  /** As it is configured now. */
  readonly agent: Agent;
  readonly model: Model;
  readonly system: string;
  /** Empty if tools are switched off. */
  readonly tools: readonly ToolSpec[];
  /** The run's state as the step sees it. */
  readonly values: ReadonlyMap<string, Json>;
  /** The calls that ended before it. */
  readonly past: FinishedCalls;
  readonly outputSchema: JsonSchema | undefined;
  readonly context: Message | undefined;
  readonly notes: EventBodyOf<"note.made">[];
  readonly fit: Fit;
  /** Number of characters of the reply that were read. */
  readChars: number;
  /** Text of the reply so far; kept if the step is interrupted. */
  text: string;
  /** Number of tries that were made before the model's backup took over; 0 if it did not. */
  triesBefore: number;
}

/** Makes a step ready. */
export function toModelCall(lane: Lane, turn: OpenTurn, step: string): ModelCall {
  const { role } = turn;
  const agent = toConfigured(lane, role.agent);
  const model = toModel(lane, agent, step);
  const values = lane.host.values(step);
  const offered = toOffered(agent, values, turn.found);
  const open = offered && new Set([...offered, ...role.clientTools]);
  const isCode = role.tools.has(RUN_CODE);
  const all = open === undefined ? role.toolSpecs : isCode ? toCodeSpecs(role, open) : toSpecs(role, open);
  const isOff = turn.isLast || turn.unsignalled !== undefined || agent.toolChoice === "none";
  const tools = isOff ? [] : all;
  const { output: outputSchema } = agent;
  const context = toContextMessage(lane, turn);
  const past = lane.host.finishedCalls(step);
  const system = render(role.template, values);
  // A step that was recorded is a program's or a model's by what ran it then.
  const made = lane.host.modelOf(step);
  turn.isProgram = made === undefined ? model.isProgram === true : toProgramName(made) !== undefined;
  turn.offered = isCode ? new Set(all.map(({ name }) => name)) : open;
  turn.inCode = isCode ? (open ?? new Set(role.specs.keys())) : undefined;
  repeatTrim(lane, turn, step);
  const fit = measure(lane, turn, { step, model, system, tools, outputSchema, context });
  const reply = { notes: [], text: "", readChars: 0, triesBefore: 0 };
  return { turn, step, agent, model, system, tools, values, past, outputSchema, context, fit, ...reply };
}

const toSpecs = ({ specs }: Role, names: Iterable<string>): readonly ToolSpec[] =>
  Array.from(names).flatMap((name) => specs.get(name) ?? []);

/** Code may call the tools that are open; natively only those of them that are pinned. */
function toCodeSpecs(role: Role, open: ReadonlySet<string>): readonly ToolSpec[] {
  const pinned = role.agent.pinnedTools.filter((name) => open.has(name));
  return [toCodeSpec(role.tools, open), ...toSpecs(role, pinned)];
}

/** Builds the prompt. */
export function toPrompt(lane: Lane, modelCall: ModelCall, attempt: number): Prompt {
  const { turn, agent, system, tools, values, past, outputSchema, triesBefore } = modelCall;
  const { limits, modelStates, identity } = lane.shared;
  const { id, temperature, topP, reasoning, providerOptions } = agent;
  const { tenant, user, session } = identity;
  const crew = lane.path || undefined;
  const state = modelStates.get((crew ?? "") + id);
  const { messages, contextAt } = withContext(turn);
  const maxChars = turn.isProgram ? undefined : toMaxChars(lane, modelCall);
  const isBackup = triesBefore > 0 ? (true as const) : undefined;
  // Written out, and what few calls have is added: spreads would take more time than the rest.
  const prompt: Prompt = {
    run: lane.host.run,
    agent: id,
    system,
    messages,
    tools,
    attempt: attempt - triesBefore,
    attempts: toAttempts(lane, modelCall),
    temperature,
    maxTokens: toMaxTokens(lane, agent).value,
    promptCache: agent.promptCache ?? lane.plan.crew.settings.promptCache,
    cacheKey: { tenant: tenant ?? "", crew: lane.plan.crew.name, agent: id, session: session ?? "" },
    // A program has a copy, so that it cannot change recorded state.
    values: turn.isProgram ? new Map(values) : values,
    results: turn.results,
    get calls() {
      return past.list;
    },
    outputOf: async (call) => (past.find(call)?.ok === true ? lane.host.outputOf(call) : undefined),
  };
  const own = { topP, reasoning, providerOptions, state, limits, outputSchema, contextAt, maxChars, isBackup };
  const choice = tools.length === 0 ? undefined : toChoice(agent, turn);
  return Object.assign(prompt, omitUndefined({ ...own, tenant, user, session, crew }), choice);
}

/** Tries of a model that has a backup. */
const TRIES_WITH_BACKUP = 3;

/** The most tries of the model that is called now. */
export function toAttempts({ plan }: Lane, { model, triesBefore }: ModelCall): number {
  const { modelAttempts } = plan.crew.settings;
  return model.hasBackup === true && triesBefore === 0 ? Math.min(TRIES_WITH_BACKUP, modelAttempts) : modelAttempts;
}

/** The most tokens of a reply's text, and which setting says so. */
function toMaxTokens(
  { plan }: Lane,
  { maxTokens, costLimits }: Agent,
): { readonly value: number; readonly setting: string } {
  const cap = Math.floor(costLimits?.maxTokensPerCall ?? plan.crew.settings.maxTokensPerCall);
  if (maxTokens !== undefined && maxTokens <= cap) return { value: maxTokens, setting: "max_tokens" };
  return { value: cap, setting: "max_tokens_per_call" };
}

const CHARS_PER_TOKEN = 8;
const MIN_REPLY_CHARS = 64 * 1_024;
const MAX_REPLY_CHARS = 4 * 1_024 * 1_024;

/** Returns the number of characters of a reply that are read: more than its tokens can be. A program is not limited. */
export function toMaxChars(lane: Lane, { agent, model }: ModelCall): number {
  if (model.isProgram === true) return Infinity;
  const { value } = toOutputLimit(lane, { agent, model });
  return Math.min(MAX_REPLY_CHARS, Math.max(MIN_REPLY_CHARS, value * CHARS_PER_TOKEN));
}

/** The most tokens that a model may write, reasoning included, and which setting says so. */
export function toOutputLimit(lane: Lane, { agent, model }: Pick<ModelCall, "agent" | "model">) {
  const { value, setting } = toMaxTokens(lane, agent);
  return { value: model.outputTokens?.(value, agent.reasoning) ?? value, setting };
}

const NO_CHOICE: Readonly<Partial<Prompt>> = {};
const FREE_CHOICE: Partial<Prompt> = { isUncalled: true };

/** Builds the prompt's fields about the choice of tools; a choice holds until a tool has run. */
function toChoice(agent: Agent, { hasCalled, hasRun }: OpenTurn): Partial<Prompt> {
  const { toolChoice, parallelToolCalls } = agent;
  if (toolChoice === "auto" && parallelToolCalls) return hasCalled ? NO_CHOICE : FREE_CHOICE;
  const choice = toolChoice === "auto" || toolChoice === "required" ? toolChoice : { tool: toolChoice };
  return {
    ...(parallelToolCalls ? {} : { parallelCalls: false as const }),
    ...(hasCalled ? {} : { isUncalled: true as const }),
    ...(hasRun || choice === "auto" ? {} : { toolChoice: choice }),
  };
}

const PLAIN: Pick<EventBodyOf<"step.started">, "tools"> = Object.freeze({});
const WITH_TOOLS = { tools: true } as const;

/** Facts about a model call that tell readers what its text is. */
export function toKind({
  turn,
  outputSchema,
  tools,
}: ModelCall): Pick<EventBodyOf<"step.started">, "correction" | "output" | "tools"> {
  if (turn.unsignalled !== undefined) return { correction: "signal" };
  const kind = tools.length === 0 ? PLAIN : WITH_TOOLS;
  return outputSchema === undefined ? kind : { output: true, ...kind };
}

/** The end of a step that failed. */
export function toFailed(modelCall: ModelCall, error: BatonError): EventBodyOf<"step.ended"> {
  const { turn, step, text } = modelCall;
  const said = turn.scope.live ? "" : text;
  const empty = { text: said, calls: [], finish: "other", usage: toSpent(modelCall, error) } as const;
  return { type: "step.ended", step, agent: turn.role.agent.id, ...empty, error: toFailure(error) };
}

/** Characters that are read for one token; more may be meant by what a provider has in hand. */
const READ_PER_TOKEN = 4;

/** About what a failed call used: what was read of a reply that was too long is paid. */
function toSpent({ fit, readChars }: ModelCall, { code, cause }: BatonError): Usage {
  if (code !== "output_too_long") return NO_USAGE;
  const isCounted = typeof cause === "object" && cause !== null && "readChars" in cause;
  const inHand = isCounted && typeof cause.readChars === "number" ? cause.readChars : 0;
  return { inputTokens: fit.tokens, outputTokens: Math.ceil(Math.max(readChars, inHand) / READ_PER_TOKEN) };
}
