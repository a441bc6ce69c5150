/**
 * Open turn: a turn from its first model call to its answer, and what it has done so far.
 */
import type { Agent } from "../definitions/agent.ts";
import type { Crew } from "../definitions/definition.ts";
import type { CallResult } from "../words/dialogue.ts";
import { BatonError, toBatonError } from "../words/error.ts";
import type { Configuration, EventBodyOf } from "../words/event.ts";
import { keepNewest, toView } from "./history.ts";
import { omitUndefined, isEqualJson } from "../words/json.ts";
import type { Lane } from "./lane.ts";
import type { Message } from "../words/message.ts";
import type { Model, PastCall } from "../ports/model.ts";
import type { Role } from "./plan.ts";
import { toProgramName } from "../ports/program.ts";
import { renderContext } from "./prompt.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { toShownMessage, toShownMessages } from "./speaker.ts";

/** A turn that has not ended yet. */
export interface OpenTurn {
  readonly role: Role;
  readonly position: string;
  readonly scope: Scope;
  /** The history as the agent sees it. */
  view: Message[];
  /** The last message when the turn began: one that opened it, with the context before it, or the agent's own. */
  readonly opener: Message | undefined;
  /** The agent's context, rendered at the first step; `none` if it is empty. */
  context: Message | "none" | undefined;
  /** Number of messages that the view lacks. */
  leftOut: number;
  /** Tokens of each message, as the model counted them. */
  counts: Readonly<{ model: string; tokens: WeakMap<Message, number> }> | undefined;
  /** The latest text of this turn. */
  said: string;
  /** A native call was made; `hasRun`: a tool has run. */
  hasCalled: boolean;
  hasRun: boolean;
  /** A user's message ended a pause of this turn. */
  isResumed: boolean;
  /** Number of model calls it may still make. */
  roundsLeft: number;
  /** The next model call is the last, with tools off. */
  isLast: boolean;
  /** Its model is code. */
  isProgram: boolean;
  /** The model's last reply was empty. */
  isEmpty: boolean;
  /** The run ends with this turn. */
  endsRun: boolean;
  /** The calls of the step before, whole. */
  results: readonly PastCall[];
  /** Names of the tools that the latest step offered; undefined if all were. */
  offered: ReadonlySet<string> | undefined;
  /** Tools that the code of the latest step may call; undefined if the agent writes none. */
  inCode: ReadonlySet<string> | undefined;
  /** Tools that a search has named. */
  readonly found: Set<string>;
  /** The reply that lacks a signal, while the model is asked for it. */
  unsignalled: EventBodyOf<"step.ended"> | undefined;
  /** Number of times the model was asked to correct its output. */
  corrections: number;
  /** Calls of each agent or crew that is a tool. */
  readonly childCalls: Map<string, number>;
  /** Results by equal calls. */
  readonly calls: { readonly call: CallResult; count: number }[];
}

type Start = Pick<OpenTurn, "role" | "position" | "scope">;

/** A turn that begins. */
export function toOpenTurn(lane: Lane, { role, position, scope }: Start): OpenTurn {
  const { id, history: newest } = role.agent;
  const history = newest === undefined ? lane.history : keepNewest(lane.history, lane.before, newest);
  const shown = toShownMessages(history, lane.plan.speakers);
  const view = toView(shown, id, lane.plan.crew.settings.sharedToolResults ? "all" : "replies");
  return {
    role,
    position,
    scope,
    view,
    opener: view.at(-1),
    context: undefined,
    leftOut: 0,
    roundsLeft: 0,
    counts: undefined,
    said: "",
    hasCalled: false,
    hasRun: false,
    isResumed: false,
    isLast: false,
    isProgram: false,
    isEmpty: false,
    endsRun: false,
    results: [],
    offered: undefined,
    inCode: undefined,
    found: new Set(),
    unsignalled: undefined,
    corrections: 0,
    childCalls: new Map(),
    calls: [],
  };
}

/** Adds messages to the lane's history and to what the agent sees of it. */
export function remember(lane: Lane, turn: OpenTurn, messages: readonly Message[]): void {
  for (const message of messages) {
    lane.history.push(message);
    turn.view.push(toShownMessage(message, lane.plan.speakers));
  }
}

/** Messages of a prompt, and where the context stands among them. */
export type PromptMessages = Readonly<{ messages: readonly Message[]; contextAt?: number }>;

/** Renders the agent's context, once a turn: every step of the turn is given the same bytes. */
export function toContextMessage({ host }: Lane, turn: OpenTurn): Message | undefined {
  const { context } = turn.role;
  if (context === undefined) return undefined;
  turn.context ??= renderContext(context, host.values(`${turn.position}.1`)) ?? "none";
  return turn.context === "none" ? undefined : turn.context;
}

/** The view with the context before the message that opened the turn, or at its place if that was left out. */
export function withContext({ view, opener, context }: OpenTurn): PromptMessages {
  if (context === undefined || context === "none") return { messages: view.slice() };
  const found = opener === undefined ? 0 : view.lastIndexOf(opener);
  const place = found === -1 ? Math.min(AFTER_NOTE, view.length) : found;
  const contextAt = found >= 0 && opener !== undefined && opener.role !== "user" ? place + 1 : place;
  return { messages: view.toSpliced(contextAt, 0, context), contextAt };
}

/** The place behind the first message and the note of what was left out. */
const AFTER_NOTE = 2;

/** Counts how often this call, with this result, has been made in the turn, this time included. */
export function countRepeats(turn: OpenTurn, call: CallResult): number {
  const known = turn.calls.find((one) => isSameCall(one.call, call));
  if (known === undefined) turn.calls.push({ call, count: 1 });
  return known === undefined ? 1 : ++known.count;
}

/** The results of a reply without those that repeat an earlier one of the same reply. */
export function distinctCalls(results: readonly CallResult[]): readonly CallResult[] {
  return results.filter((result, at) => results.findIndex((other) => isSameCall(other, result)) === at);
}

function isSameCall(one: CallResult, other: CallResult): boolean {
  return (
    one.request.tool === other.request.tool &&
    one.error?.message === other.error?.message &&
    isEqualJson(one.request.args, other.request.args) &&
    isEqualJson(one.output, other.output)
  );
}

/** The agent with the latest configuration; programs cannot be configured. */
export function toConfigured({ shared: { configured, userModel }, path, plan }: Lane, agent: Agent): Agent {
  const name = path + agent.id;
  const own = configured.filter((command) => command.agent === undefined || command.agent === name);
  const isAsked = userModel !== undefined && isForUser(agent, plan.crew);
  if ((own.length === 0 && !isAsked) || programOf(agent, plan.crew) !== undefined) return agent;
  const first: Configuration = isAsked ? { model: userModel } : {};
  const { model, temperature, maxTokens } = own.reduce<Configuration>((sum, one) => ({ ...sum, ...one }), first);
  const changes = omitUndefined({ temperature, maxTokens });
  if (model === undefined) return { ...agent, ...changes };
  // Another model is asked for on purpose: no backup takes its place.
  const { backup: _, ...rest } = agent;
  return { ...rest, ...changes, model: { name: model } };
}

/** The large default model: an agent that names no model has this one. */
const LARGE = "auto/large";

/** Whether the caller's choice of a model is meant for this agent. */
function isForUser({ audience, model }: Agent, crew: Crew): boolean {
  return audience === "user" || (model ?? crew.model)?.name === LARGE || (model ?? crew.model) === undefined;
}

function programOf({ model }: Agent, crew: Crew): string | undefined {
  return toProgramName((model ?? crew.model)?.name ?? "");
}

/** The name of a model that is not available. */
const NO_MODEL = "none";

/** The agent's model; one that is not available fails when it is called. */
export function toModel(lane: Lane, agent: Agent, step: string): Model {
  const { crew } = lane.plan;
  const { shared } = lane;
  const program = programOf(agent, crew);
  try {
    if (program === undefined) return guard(lane, wrap(shared.model(agent, crew), agent, crew), { agent, step });
    const code = shared.replaceProgram?.(agent, crew) ?? crew.programs.get(program);
    if (code === undefined) throw new BatonError("model", `there is no program "${program}" any more`);
    return guard(lane, wrap({ ...code, name: `code/${program}` }, agent, crew), { agent, step });
  } catch (thrown) {
    const why = toBatonError(thrown, "model");
    const error = why.code === "limit" ? why : new BatonError("model", why.message, { cause: thrown });
    return {
      name: NO_MODEL,
      stream() {
        throw error;
      },
    };
  }
}

/** The model under the rules of all crews around it about what is said to it and what it says. */
function guard(
  { host, plan: { policies } }: Lane,
  model: Model,
  { agent, step }: { agent: Agent; step: string },
): Model {
  if (policies.length === 0) return model;
  return host.guards(policies, step).reduce((inner, own) => own.wrapModel(inner, agent), model);
}

const wrap = (model: Model, agent: Agent, { wrapModel }: Crew): Model => wrapModel?.(model, agent) ?? model;
