/**
 * Model choice: the model of each agent of each crew.
 *
 * Models are chosen before the first run of a crew, so a missing key or script is an error before anything runs. A crew as
 * it was when a stored run began gets its models when that run continues.
 */
import { type Agent, BatonError, type Crew, type Model } from "@baton/core";
import { type Ledger, type Reserved, SystemClock } from "@baton/core/ports";
import type { CrewModels, CrewModelsOptions, CrewSource, ListedModel, PlanOf, withLedger } from "@baton/models";
import { ModelTraffic, openCrewModels } from "@baton/models/crew-models";

/** Gives each agent its model. */
export type ModelOf = (agent: Agent, crew: Crew) => Model;

/** A crew that was read or written in code. */
export type KnownSource = CrewSource & { readonly crew: Crew };

/** The options of the choice. */
export interface ModelChoiceOptions extends Pick<CrewModelsOptions, "env" | "clock" | "override" | "allowed" | "load"> {
  /** A model in code, for every agent. It is held to the limits of runs, agents and crews too. */
  readonly fixed?: Model | ModelOf | undefined;
  /** Advice that is added to the error about a model that cannot be used. */
  readonly hint?: string;
}

type Meter = (agent: Agent, crew: Crew) => Model;

/** Warnings that are remembered as said; more are rare, and then one is said again. */
const MAX_TOLD = 1_024;

/** The models of all crews that are known. */
export class ModelChoice implements Pick<CrewModels, "modelOf" | "replaceProgram" | "breakers"> {
  readonly #options: ModelChoiceOptions;
  readonly #ledger = new LateLedger();
  readonly #traffic: ModelTraffic;
  readonly #fixed: Meter | undefined;
  readonly #byCrew = new WeakMap<Crew, CrewModels>();
  /** For a crew as it was when a stored run began. */
  readonly #byName = new Map<string, CrewModels>();
  #latest: CrewModels | undefined;
  #plans: PlanOf | undefined;

  private constructor(options: ModelChoiceOptions, wrap: typeof withLedger | undefined) {
    this.#options = options;
    const traffic = new ModelTraffic(options.clock ?? new SystemClock());
    this.#traffic = traffic;
    const { fixed } = options;
    if (fixed === undefined || wrap === undefined) return;
    const own = typeof fixed === "function" ? fixed : () => fixed;
    const isNews = rememberNews();
    const counting = { ledger: this.#ledger, queue: traffic.queue, planOf: this.#planOf, isNews };
    this.#fixed = (agent, crew) => {
      const model = own(agent, crew);
      const primary = traffic.guard({ model, id: model.name, caller: { agent, crew }, hasBackup: false });
      return wrap({ primary }, { ...counting, agent, crew });
    };
  }

  /** Chooses the models of crews; throws if an agent has no usable model. */
  static async open(crews: readonly KnownSource[], options: ModelChoiceOptions): Promise<ModelChoice> {
    const wrap = options.fixed === undefined ? undefined : (await import("@baton/models")).withLedger;
    const choice = new ModelChoice(options, wrap);
    await choice.add(crews);
    return choice;
  }

  /** Chooses the models of crews that are new; throws and changes nothing if one of their agents has no usable model. */
  async add(crews: readonly KnownSource[]): Promise<void> {
    const unknown = crews.filter(({ crew }) => !this.#byCrew.has(crew));
    if (this.#fixed !== undefined || (unknown.length === 0 && this.#latest !== undefined)) return;
    const models = await this.#choose(unknown);
    this.#latest = models;
    for (const crew of unknown.flatMap((source) => [...membersOf(source.crew)])) {
      this.#byCrew.set(crew, models);
      this.#byName.set(crew.name, models);
    }
  }

  /** Counts spending in this ledger from now on; before, in memory. */
  spendIn(ledger: Ledger): void {
    this.#ledger.keepIn(ledger);
  }

  /** Limits each user by a plan from now on; before, only by the settings of crews. */
  limitUsers(planOf: PlanOf): void {
    this.#plans = planOf;
  }

  readonly #planOf: PlanOf = (owner) => this.#plans?.(owner);

  readonly modelOf: ModelOf = (agent, crew) =>
    this.#fixed === undefined ? this.#modelsOf(crew).modelOf(agent, crew) : this.#fixed(agent, crew);

  readonly replaceProgram: CrewModels["replaceProgram"] = (agent, crew) =>
    this.#fixed === undefined ? this.#modelsOf(crew).replaceProgram(agent, crew) : undefined;

  /** The models with a circuit breaker, each with true if it is open. */
  readonly breakers: CrewModels["breakers"] = () => this.#traffic.breakers();

  /** Lists models for a person who chooses one; those that the crews use are the default. */
  async list(names: readonly string[]): Promise<readonly ListedModel[]> {
    const { listModels } = await import("@baton/models");
    const inUse = new Set([...this.#byName.values()].flatMap((models) => [...models.chosenNames()]));
    return listModels(names, { env: this.#options.env, inUse });
  }

  /** Explains the models of a crew: a sentence for each choice. */
  reasonsOf(crew: Crew): readonly string[] {
    return this.#fixed === undefined ? this.#modelsOf(crew).reasonsOf(crew) : ["chosen in code"];
  }

  /** Explains the models of crews: a sentence for each choice, with the ids of its crews. */
  describe(crews: readonly Readonly<{ id: string; source: KnownSource }>[]): readonly string[] {
    const all = crews.flatMap(({ id, source }) => this.reasonsOf(source.crew).map((reason) => ({ id, reason })));
    return [...Map.groupBy(all, ({ reason }) => reason)].map(
      ([reason, group]) => `model ${reason} (${group.map(({ id }) => id).join(", ")})`,
    );
  }

  #modelsOf(crew: Crew): CrewModels {
    const models = this.#byCrew.get(crew) ?? this.#byName.get(crew.name) ?? this.#latest;
    if (models === undefined) throw new BatonError("internal", `no model was chosen for crew ${crew.name}`);
    return models;
  }

  async #choose(crews: readonly KnownSource[]): Promise<CrewModels> {
    const { fixed: _fixed, hint, ...options } = this.#options;
    try {
      return await openCrewModels({
        ...options,
        crews,
        ledger: this.#ledger,
        planOf: this.#planOf,
        traffic: this.#traffic,
      });
    } catch (thrown) {
      if (hint === undefined || !(thrown instanceof BatonError) || thrown.code !== "invalid") throw thrown;
      throw new BatonError("invalid", `${thrown.message}; ${hint}`, { cause: thrown });
    }
  }
}

/** A ledger that is known later: models are chosen before the store is open. */
class LateLedger implements Ledger {
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

/** Returns a function that is true once for each text. */
function rememberNews(): (what: string) => boolean {
  const told = new Set<string>();
  return (what) => {
    if (told.size >= MAX_TOLD) told.clear();
    return told.size < told.add(what).size;
  };
}

function* membersOf(crew: Crew): Iterable<Crew> {
  yield crew;
  for (const sub of crew.subCrews.values()) yield* membersOf(sub);
  if (crew.after !== undefined) yield* membersOf(crew.after);
}
