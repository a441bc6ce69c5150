/**
 * Served models: the models of all served crews, and of older versions of crews that stored runs started with.
 *
 * The models of current crews are chosen before the server listens, so a missing key is a startup error. The models of
 * older versions are chosen when such a run is resumed; if that fails, the run fails.
 */
import { BatonError, type Crew, type Script } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
import type { CrewModels, Environment } from "@baton/models";
import { openScript } from "../crew/crew-loader.ts";
import { openModels, Spending } from "../crew/model-choice.ts";
import type { FoundCrew } from "./served-crews.ts";
import type { Config } from "./settings.ts";

/** Gives each agent of each crew its model. */
export class ServedModels implements Pick<CrewModels, "modelOf" | "replaceProgram" | "breakers"> {
  readonly modelOf: CrewModels["modelOf"] = (agent, crew) => this.#models.modelOf(agent, crew);
  readonly replaceProgram: CrewModels["replaceProgram"] = (agent, crew) => this.#models.replaceProgram(agent, crew);
  /** The models with a circuit breaker; open if it is open for one crew. */
  readonly breakers: CrewModels["breakers"] = () => this.#models.breakers();
  /** Which models were chosen and why: a sentence for each choice, with its crews. */
  readonly reasons: readonly string[];
  readonly #ledger: Spending;
  #models: CrewModels;

  private constructor(crews: readonly FoundCrew[], models: CrewModels, ledger: Spending) {
    this.#models = models;
    this.reasons = toReasons(crews, (crew) => models.reasonsOf(crew));
    this.#ledger = ledger;
  }

  /** Chooses models for the current crews; throws if an agent has no usable model. */
  static async choose(crews: readonly FoundCrew[], asked: Asked, env: Environment): Promise<ServedModels> {
    const ledger = new Spending();
    return new ServedModels(crews, await openAll(crews, asked, { env, ledger }), ledger);
  }

  /** Chooses models for reloaded crews; throws and changes nothing if an agent has no usable model. */
  async chooseAgain(crews: readonly FoundCrew[], asked: Asked, env: Environment): Promise<void> {
    this.#models = await openAll(crews, asked, { env, ledger: this.#ledger });
  }

  /** Counts spending in this ledger; must be called before the first model call. */
  spendIn(ledger: Ledger): void {
    this.#ledger.keepIn(ledger);
  }
}

type Asked = Pick<Config, "script" | "model" | "models">;

async function openAll(
  crews: readonly FoundCrew[],
  { script, model, models = [] }: Asked,
  around: { readonly env: Environment; readonly ledger: Spending },
): Promise<CrewModels> {
  const asked = script === undefined ? undefined : await openOnly(crews, script);
  return openModels({
    crews: crews.map(({ file }) => (asked === undefined ? file : { ...file, script: asked })),
    override: script === undefined ? model : "script",
    allowed: models,
    ...around,
    load: "now",
  });
}

function toReasons(crews: readonly FoundCrew[], reasonsOf: (crew: Crew) => readonly string[]): readonly string[] {
  const all = crews.flatMap(({ id, file: { crew } }) => reasonsOf(crew).map((reason) => ({ id, reason })));
  return [...Map.groupBy(all, ({ reason }) => reason)].map(
    ([reason, group]) => `model ${reason} (${group.map(({ id }) => id).join(", ")})`,
  );
}

async function openOnly([first, second]: readonly FoundCrew[], path: string): Promise<Script | undefined> {
  if (first === undefined) return undefined;
  if (second === undefined) return openScript(path, first.file.crew, first.file);
  throw new BatonError(
    "invalid",
    "script works with one crew only; serve that crew alone, or put the script beside its crew.yaml",
  );
}
