/**
 * Served models: the models of all crews that are served, and of crews as they were when a stored run began.
 *
 * Those of today are chosen before the server listens, so that a missing key is an error at once; the others when such
 * a run goes on. If that fails, the run fails and its error says why.
 */
import { BatonError, type Crew, type Script } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
import type { CrewModels, Environment } from "@baton/models";
import { openScript } from "../crew/crew-loader.ts";
import { openModels, Spending } from "../model-choice.ts";
import type { FoundCrew } from "./served-crews.ts";
import type { Config } from "./settings.ts";

/** Gives each agent of each crew its model. */
export class ServedModels implements Pick<CrewModels, "modelOf" | "replaceProgram" | "breakers"> {
  readonly modelOf: CrewModels["modelOf"] = (agent, crew) => this.#models.modelOf(agent, crew);
  readonly replaceProgram: CrewModels["replaceProgram"] = (agent, crew) => this.#models.replaceProgram(agent, crew);
  /** The models of the crews of today that have a breaker; open if that of one crew is. */
  readonly breakers: CrewModels["breakers"] = () => this.#models.breakers();
  /** Which models were chosen and why: a sentence for each that differs, with the crews it is about. */
  readonly reasons: readonly string[];
  readonly #ledger: Spending;
  #models: CrewModels;

  private constructor(crews: readonly FoundCrew[], models: CrewModels, ledger: Spending) {
    this.#models = models;
    this.reasons = toReasons(crews, (crew) => models.reasonsOf(crew));
    this.#ledger = ledger;
  }

  /** Chooses for the crews of today; throws if one of their agents could not be used. */
  static async choose(crews: readonly FoundCrew[], asked: Asked, env: Environment): Promise<ServedModels> {
    const ledger = new Spending();
    return new ServedModels(crews, await openAll(crews, asked, { env, ledger }), ledger);
  }

  /** Chooses for crews that were read again; throws, and stays as it was, if one of their agents could not be used. */
  async chooseAgain(crews: readonly FoundCrew[], asked: Asked, env: Environment): Promise<void> {
    this.#models = await openAll(crews, asked, { env, ledger: this.#ledger });
  }

  /** Counts what they spend here; said before any of them is used. */
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
    "a script is for one crew; name that crew alone, or put the script beside its crew.yaml",
  );
}
