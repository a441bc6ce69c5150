/**
 * Model choice: which model each agent of a crew gets here, and why; the one place where the command decides.
 *
 * Every model is made before the run starts, so that a missing key or script is said at once and nothing has run.
 */
import {
  type Agent,
  BatonError,
  type Crew,
  type Ledger,
  type Model,
  type ModelRef,
  type Reserved,
  type Script,
  scriptModel,
  SystemClock,
} from "@baton/core";
import type { Environment, ModelRequest, Models as ModelsClass } from "@baton/models";
import { type Choice, chooseModel, MODEL_PROVIDERS } from "@baton/models/choice";
import type { withToolCalls as withToolCallsFunction } from "@baton/models/tool-calls";

/** What the choice depends on. */
export interface ModelOptions {
  readonly crew: Crew;
  /** The crew's own, or the one asked for. */
  readonly script: Script | undefined;
  /** `--model`, or `script` with `--script`. */
  readonly override: string | undefined;
  readonly env: Environment;
}

/** The models of a crew. */
export interface ChosenModels {
  /** The model of an agent of this crew; throws if a command gave the agent a model that cannot be used. */
  readonly modelOf: (agent: Agent, crew: Crew) => Model;
  /** Which model was chosen and why, in a sentence for each that differs. */
  readonly reasons: readonly string[];
  /** Says where spending is counted from now on; in memory before that. */
  readonly spendIn: (ledger: Ledger) => void;
  /** Which models have a breaker, and whether it is open. */
  readonly breakers: () => Iterable<readonly [model: string, isOpen: boolean]>;
}

type WithToolCalls = typeof withToolCallsFunction;

/** What makes models of names; loaded where a provider is needed. */
export type ModelMaker = typeof ModelsClass;

/** Names of the providers that models can come from; `script` and `offline` are known wherever crews are read. */
export const PROVIDER_NAMES = MODEL_PROVIDERS.filter((name) => name !== "script" && name !== "offline");

/** Chooses for every agent; throws where one of them could not be used. */
export async function chooseModels(options: ModelOptions): Promise<ChosenModels> {
  const choices = chooseAll(options);
  if (!isScripted(choices, options)) return toMade(choices, options, (await import("@baton/models")).Models);
  // A crew that plays its script loads no provider, and if it has no tools, nothing of @baton/models.
  const hasTools = choices.some(({ agent }) => agent.tools.length > 0);
  return toPlayed(choices, options, hasTools ? (await import("@baton/models/tool-calls")).withToolCalls : undefined);
}

/** The same with what makes models at hand. */
export function chooseModelsNow(options: ModelOptions, maker: ModelMaker): ChosenModels {
  return toMade(chooseAll(options), options, maker);
}

function toMade(choices: readonly Chosen[], options: ModelOptions, maker: ModelMaker): ChosenModels {
  const ledger = new Spending();
  const models = toMaker(options, { maker, ledger });
  return {
    ...toGiven(choices, toModels(choices, options, models), (request) => models.forAgent(request)),
    spendIn: (other) => ledger.keepIn(other),
    breakers: () => models.breakers(),
  };
}

/** The models of a crew that only plays its script; what a command asks for later is loaded then. */
function toPlayed(
  choices: readonly Chosen[],
  options: ModelOptions,
  withToolCalls: WithToolCalls | undefined,
): ChosenModels {
  const ledger = new Spending();
  const script = scriptModel(options.script ?? new Map());
  const chosen = choices.map(({ agent }) => [agent.id, withToolCalls?.(script, agent.toolCalls) ?? script] as const);
  let models: ModelsClass | undefined;
  const make = async (request: ModelRequest): Promise<Model> => {
    const { Models } = await import("@baton/models");
    models ??= toMaker(options, { maker: Models, ledger });
    return models.forAgent(request);
  };
  return {
    ...toGiven(choices, new Map(chosen), (request) => toLate(request, make)),
    spendIn: (other) => ledger.keepIn(other),
    breakers: () => models?.breakers() ?? [],
  };
}

/** A model that is made with its first call. */
function toLate(request: ModelRequest, make: (request: ModelRequest) => Promise<Model>): Model {
  return {
    name: request.model.name,
    async *stream(prompt, scope) {
      const model = await make(request);
      yield* model.stream(prompt, scope);
    },
  };
}

/** The models that were chosen; an agent to whom a command gave another model gets that one, whatever was chosen. */
function toGiven(
  choices: readonly Chosen[],
  chosen: ReadonlyMap<string, Model>,
  make: (request: ModelRequest) => Model,
): Pick<ChosenModels, "modelOf" | "reasons"> {
  return {
    modelOf: (agent, crew) => {
      const own = chosen.get(agent.id);
      if (own === undefined) throw new BatonError("internal", `no model was chosen for agent ${agent.id}`);
      const { model } = agent;
      if (model === undefined || model === crew.agents.get(agent.id)?.model) return own;
      return make(toReplacement(agent, model, crew));
    },
    reasons: toReasons(choices.map(({ agent, choice }) => ({ agent: agent.id, choice }))),
  };
}

/** What is asked for in the place of an agent's own model: the prices that the agent names are not those of it. */
function toReplacement(agent: Agent, model: ModelRef, crew: Crew): ModelRequest {
  const { inputTokenPricePerMillion: _, outputTokenPricePerMillion: __, ...costLimits } = agent.costLimits ?? {};
  const { toolCalls, backup } = agent;
  return { model, backup, toolCalls, caller: { agent: { ...agent, costLimits }, crew } };
}

/** A ledger that can be moved: models are chosen before there is a store to count in. */
class Spending implements Ledger {
  #ledger: Ledger | undefined;

  keepIn(ledger: Ledger): void {
    this.#ledger = ledger;
  }

  async reserve(...call: Parameters<Ledger["reserve"]>): Promise<Reserved> {
    if (this.#ledger !== undefined) return this.#ledger.reserve(...call);
    const { MemoryLedger } = await import("@baton/store");
    return (this.#ledger ??= new MemoryLedger(new SystemClock())).reserve(...call);
  }
}

interface Chosen {
  readonly agent: Agent;
  readonly choice: Choice;
}

interface Making {
  readonly maker: ModelMaker;
  readonly ledger: Ledger;
}

function chooseAll(options: ModelOptions): readonly Chosen[] {
  return [...options.crew.agents.values()].map((agent) => ({ agent, choice: choose(agent, options) }));
}

function isScripted(choices: readonly Chosen[], options: ModelOptions): boolean {
  return choices.every(({ agent, choice }) => choice.ref.name === "script" && toBackup(agent, options) === undefined);
}

/** Who asks for one model on the spot wants no other, not even as a backup. */
function toBackup({ backup }: Agent, { override }: ModelOptions): ModelRef | undefined {
  return override === undefined ? backup : undefined;
}

function choose(agent: Agent, { crew, script, override, env }: ModelOptions): Choice {
  const choice = chooseModel({
    ...(override === undefined ? {} : { override: { name: override } }),
    ...(agent.model === undefined ? {} : { agent: agent.model }),
    ...(crew.model === undefined ? {} : { crew: crew.model }),
    env,
    hasScript: script !== undefined,
  });
  if (choice.ref.name === "script" && script === undefined) throw missingScript(agent, choice);
  return choice;
}

function toMaker({ script, env }: ModelOptions, { maker: Models, ledger }: Making): ModelsClass {
  const own = script === undefined ? new Map<string, Model>() : new Map([["script", scriptModel(script)]]);
  return new Models({ env, models: own, ledger });
}

function toModels(chosen: readonly Chosen[], options: ModelOptions, models: ModelsClass): ReadonlyMap<string, Model> {
  const { crew } = options;
  const make = ({ agent, choice }: Chosen): Model => {
    const { toolCalls } = agent;
    return models.forAgent({
      model: choice.ref,
      backup: toBackup(agent, options),
      toolCalls,
      caller: { agent, crew },
    });
  };
  try {
    return new Map(chosen.map((one) => [one.agent.id, make(one)]));
  } catch (thrown) {
    if (!(thrown instanceof BatonError) || thrown.code !== "invalid") throw thrown;
    throw new BatonError("invalid", `${thrown.message}; ${HINT}`, { cause: thrown });
  }
}

const HINT = "without a provider, --model offline and --script FILE work too";

function missingScript({ id }: Agent, { why }: Choice): BatonError {
  const problem = `agent ${id} answers from a script (${why}), and the crew has none`;
  return new BatonError(
    "invalid",
    `${problem}; write script.yaml beside crew.yaml, or use --script FILE or --model NAME`,
  );
}

function toReasons(choices: readonly { readonly agent: string; readonly choice: Choice }[]): readonly string[] {
  const byReason = Map.groupBy(choices, ({ choice: { ref, why } }) => `${ref.name}: ${why}`);
  const reasons = [...byReason];
  if (reasons.length === 1) return reasons.map(([reason]) => reason);
  return reasons.map(([reason, group]) => `${reason} (${group.map(({ agent }) => agent).join(", ")})`);
}
