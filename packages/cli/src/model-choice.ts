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
  MemoryLedger,
  type Model,
  type Script,
  scriptModel,
  SystemClock,
} from "@baton/core";
import type { Environment, Models as ModelsClass } from "@baton/models";
import { type Choice, chooseModel, MODEL_PROVIDERS } from "@baton/models/choice";

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
  readonly modelOf: (agent: Agent) => Model;
  /** Which model was chosen and why, in a sentence for each that differs. */
  readonly reasons: readonly string[];
  /** Says where spending is counted from now on; in memory before that. */
  readonly spendIn: (ledger: Ledger) => void;
  /** Which models have a breaker, and whether it is open. */
  readonly breakers: () => Iterable<readonly [model: string, isOpen: boolean]>;
}

/** What makes models of names; loaded where a provider is needed. */
export type ModelMaker = typeof ModelsClass;

/** Names of the providers that models can come from; `script` and `offline` are known wherever crews are read. */
export const PROVIDER_NAMES = MODEL_PROVIDERS.filter((name) => name !== "script" && name !== "offline");

/** Chooses for every agent; throws where one of them could not be used. */
export async function chooseModels(options: ModelOptions): Promise<ChosenModels> {
  const choices = chooseAll(options);
  // A crew that plays its script loads no provider.
  return toChosen(choices, options, isScripted(choices) ? undefined : (await import("@baton/models")).Models);
}

/** The same with what makes models at hand. */
export function chooseModelsNow(options: ModelOptions, maker: ModelMaker): ChosenModels {
  const choices = chooseAll(options);
  return toChosen(choices, options, isScripted(choices) ? undefined : maker);
}

function toChosen(choices: readonly Chosen[], options: ModelOptions, maker: ModelMaker | undefined): ChosenModels {
  const spending = new Spending();
  const models = maker === undefined ? undefined : toMaker(options, { maker, ledger: spending });
  const chosen = models === undefined ? toScripted(options) : toModels(choices, options, models);
  return {
    modelOf: ({ id }) => {
      const found = chosen.get(id);
      if (found === undefined) throw new BatonError("internal", `no model was chosen for agent ${id}`);
      return found;
    },
    reasons: toReasons(choices.map(({ agent, choice }) => ({ agent: agent.id, choice }))),
    spendIn: (ledger) => spending.keepIn(ledger),
    breakers: () => models?.breakers() ?? [],
  };
}

/** A ledger that can be moved: models are chosen before there is a store to count in. */
class Spending implements Ledger {
  #ledger: Ledger = new MemoryLedger(new SystemClock());

  keepIn(ledger: Ledger): void {
    this.#ledger = ledger;
  }

  reserve(...call: Parameters<Ledger["reserve"]>): ReturnType<Ledger["reserve"]> {
    return this.#ledger.reserve(...call);
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

function isScripted(choices: readonly Chosen[]): boolean {
  return choices.every(({ choice }) => choice.ref.name === "script");
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

function toScripted({ crew, script }: ModelOptions): ReadonlyMap<string, Model> {
  const model = scriptModel(script ?? new Map());
  return new Map([...crew.agents.keys()].map((id) => [id, model]));
}

function toMaker({ script, env }: ModelOptions, { maker: Models, ledger }: Making): ModelsClass {
  const own = script === undefined ? new Map<string, Model>() : new Map([["script", scriptModel(script)]]);
  return new Models({ env, models: own, ledger });
}

function toModels(
  chosen: readonly Chosen[],
  { crew, override }: ModelOptions,
  models: ModelsClass,
): ReadonlyMap<string, Model> {
  return new Map(
    chosen.map(({ agent, choice }) => {
      // Whoever asks for one model on the spot wants no other, not even as a backup.
      const backup = override === undefined ? agent.backup : undefined;
      const { toolCalls } = agent;
      return [agent.id, models.forAgent({ model: choice.ref, backup, toolCalls, caller: { agent, crew } })];
    }),
  );
}

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
