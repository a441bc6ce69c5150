/**
 * Model choice: chooses the models of a crew.
 *
 * All models are opened before the run starts, so a missing key or script is an error before anything runs.
 */
import { BatonError, type Crew, type Script } from "@baton/core";
import { type Ledger, type Reserved, SystemClock } from "@baton/core/ports";
import type { CrewModels, CrewModelsOptions, CrewSource } from "@baton/models";
import { MODEL_PROVIDERS } from "@baton/models/choice";
import { openCrewModels } from "@baton/models/crew-models";

/** What the choice depends on: the crew, its script, the override and the environment. */
export interface ModelOptions extends Pick<CrewModelsOptions, "env" | "clock"> {
  readonly crew: Crew;
  /** The crew's script, or the one of `--script`. */
  readonly script: Script | undefined;
  /** `--model`, or `script` with `--script`. */
  readonly override: string | undefined;
  /** The sub-crews with their scripts. */
  readonly others?: Pick<CrewSource, "subCrews" | "after">;
}

/** The models of a crew. */
export interface ChosenModels extends Pick<CrewModels, "modelOf" | "replaceProgram"> {
  /** Which models were chosen and why: a sentence for each choice. */
  readonly reasons: readonly string[];
  /** Counts spending in this ledger from now on; before, in memory. */
  readonly spendIn: (ledger: Ledger) => void;
  /** The models with a circuit breaker, and whether it is open. */
  readonly breakers: () => Iterable<readonly [model: string, isOpen: boolean]>;
}

/** The names of model providers, without those that need no provider. */
export const PROVIDER_NAMES = MODEL_PROVIDERS.filter((name) => !["script", "offline", "auto"].includes(name));

/** Chooses a model for every agent; throws if an agent has no usable model. */
export async function chooseModels({ crew, script, others, ...options }: ModelOptions): Promise<ChosenModels> {
  const ledger = new Spending();
  const models = await openModels({ ...options, ledger, crews: [{ ...others, crew, script }] });
  const { modelOf, replaceProgram, breakers } = models;
  const spendIn = (other: Ledger) => ledger.keepIn(other);
  return { modelOf, replaceProgram, breakers, spendIn, reasons: models.reasonsOf(crew) };
}

/** Opens the models of crews; an error also says what works without a provider. */
export async function openModels(options: CrewModelsOptions): Promise<CrewModels> {
  try {
    return await openCrewModels(options);
  } catch (thrown) {
    if (!(thrown instanceof BatonError) || thrown.code !== "invalid") throw thrown;
    throw new BatonError("invalid", `${thrown.message}; ${HINT}`, { cause: thrown });
  }
}

const HINT = "to run without a provider, use --model offline or --script FILE";

/** A ledger that can be replaced: models are chosen before the store is open. */
export class Spending implements Ledger {
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
