/**
 * Served models: the models of all crews that are served, and of crews as they were when a stored run began.
 *
 * Those of today are chosen before the server listens, so that a missing key is said at once; the others when such a
 * run goes on, and where that cannot be, that run fails and says why.
 */
import { type Agent, BatonError, type Crew, type Ledger, type Model, type Script } from "@baton/core";
import type { Environment } from "@baton/models";
import { openScript } from "../crew-source.ts";
import { type ChosenModels, chooseModelsNow, type ModelMaker } from "../model-choice.ts";
import type { FoundCrew } from "./served-crews.ts";
import type { Config } from "./settings.ts";

interface Choosing {
  readonly maker: ModelMaker;
  /** By the name of the crew. */
  readonly scripts: ReadonlyMap<string, Script | undefined>;
  readonly override: string | undefined;
  readonly env: Environment;
}

/** Gives each agent of each crew its model. */
export class ServedModels {
  readonly #choosing: Choosing;
  readonly #chosen = new WeakMap<Crew, ChosenModels>();
  /** Of the crews of today, by the id of each. */
  readonly #today: ReadonlyMap<string, ChosenModels>;
  #ledger: Ledger | undefined;

  private constructor(crews: readonly FoundCrew[], choosing: Choosing) {
    this.#choosing = choosing;
    this.#today = new Map(crews.map(({ id, file: { crew } }) => [id, this.#choose(crew)]));
  }

  /** Chooses for the crews of today; throws where one of their agents could not be used. */
  static async choose(
    crews: readonly FoundCrew[],
    { script, model, models = [] }: Pick<Config, "script" | "model" | "models">,
    env: Environment,
  ): Promise<ServedModels> {
    const { Models } = await import("@baton/models");
    const maker = new Models({ env });
    // A crew's script is its own, so it is looked for when a run asks for it.
    for (const name of models) if (name !== "script") maker.resolve({ name });
    const scripts = await toScripts(crews, script);
    const override = script === undefined ? model : "script";
    return new ServedModels(crews, { maker: Models, scripts, override, env });
  }

  /** Which models were chosen and why: a sentence for each that differs, with the crews it is about. */
  get reasons(): readonly string[] {
    const all = [...this.#today].flatMap(([id, { reasons }]) => reasons.map((reason) => ({ id, reason })));
    return [...Map.groupBy(all, ({ reason }) => reason)].map(
      ([reason, group]) => `model ${reason} (${group.map(({ id }) => id).join(", ")})`,
    );
  }

  /** The models of the crews of today that have a breaker; open where one crew's is. */
  readonly breakers = (): ReadonlyMap<string, boolean> => {
    const all = [...this.#today.values()].flatMap(({ breakers }) => [...breakers()]);
    return new Map(
      [...Map.groupBy(all, ([model]) => model)].map(([model, group]) => [model, group.some(([, isOpen]) => isOpen)]),
    );
  };

  /** Counts what they spend here; said before any of them is used. */
  spendIn(ledger: Ledger): void {
    this.#ledger = ledger;
  }

  /** The model of an agent, or the one that a command gave it; throws if it cannot be had. */
  readonly modelOf = (agent: Agent, crew: Crew): Model => {
    const chosen = this.#chosen.get(crew) ?? this.#choose(crew);
    if (this.#ledger !== undefined) chosen.spendIn(this.#ledger);
    return chosen.modelOf(agent, crew);
  };

  #choose(crew: Crew): ChosenModels {
    const { maker, scripts, override, env } = this.#choosing;
    const chosen = chooseModelsNow({ crew, script: scripts.get(crew.name), override, env }, maker);
    this.#chosen.set(crew, chosen);
    return chosen;
  }
}

async function toScripts(crews: readonly FoundCrew[], path: string | undefined) {
  const [first, second] = crews;
  if (path === undefined || first === undefined) {
    return new Map(crews.map(({ file: { crew, script } }) => [crew.name, script]));
  }
  if (second === undefined) return new Map([[first.file.crew.name, await openScript(path, first.file.crew)]]);
  throw new BatonError(
    "invalid",
    "a script is for one crew; name that crew alone, or put the script beside its crew.yaml",
  );
}
