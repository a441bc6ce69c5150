/**
 * Model choice: the models of a crew that a command runs, and of crews as they were when a stored run began.
 *
 * Every model is made before the run starts, so that a missing key or script is an error before anything has run.
 */
import { BatonError, type Crew, type Script } from "@baton/core";
import { type Ledger, type Reserved, SystemClock } from "@baton/core/ports";
import type { CrewModels, CrewModelsOptions, CrewSource } from "@baton/models";
import { MODEL_PROVIDERS } from "@baton/models/choice";
import { openCrewModels } from "@baton/models/crew-models";

/** What the choice depends on. */
export interface ModelOptions extends Pick<CrewModelsOptions, "env" | "clock"> {
  readonly crew: Crew;
  /** The crew's own, or the one asked for. */
  readonly script: Script | undefined;
  /** `--model`, or `script` with `--script`. */
  readonly override: string | undefined;
  /** What was read of the crews that it contains, whose scripts they play. */
  readonly others?: Pick<CrewSource, "subCrews" | "after">;
}

/** The models of a crew. */
export interface ChosenModels extends Pick<CrewModels, "modelOf" | "replaceProgram"> {
  /** Which model was chosen and why, in a sentence for each that differs. */
  readonly reasons: readonly string[];
  /** Says where spending is counted from now on; in memory before that. */
  readonly spendIn: (ledger: Ledger) => void;
  /** Which models have a breaker, and whether it is open. */
  readonly breakers: () => Iterable<readonly [model: string, isOpen: boolean]>;
}

/** Names of the providers that models can come from; what needs no provider is known wherever crews are read. */
export const PROVIDER_NAMES = MODEL_PROVIDERS.filter((name) => !["script", "offline", "auto"].includes(name));

/** Chooses for every agent; throws if one of them could not be used. */
export async function chooseModels({ crew, script, others, ...options }: ModelOptions): Promise<ChosenModels> {
  const ledger = new Spending();
  const models = await openModels({ ...options, ledger, crews: [{ ...others, crew, script }] });
  const { modelOf, replaceProgram, breakers } = models;
  const spendIn = (other: Ledger) => ledger.keepIn(other);
  return { modelOf, replaceProgram, breakers, spendIn, reasons: models.reasonsOf(crew) };
}

/** The models of crews; an error also says what works without a provider. */
export async function openModels(options: CrewModelsOptions): Promise<CrewModels> {
  try {
    return await openCrewModels(options);
  } catch (thrown) {
    if (!(thrown instanceof BatonError) || thrown.code !== "invalid") throw thrown;
    throw new BatonError("invalid", `${thrown.message}; ${HINT}`, { cause: thrown });
  }
}

const HINT = "without a provider, --model offline and --script FILE work too";

/** A ledger that can be moved: models are chosen before there is a store to count in. */
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
