/**
 * Crew models: which model each agent of an application has.
 *
 * Chosen for a crew before its first run, so that a missing key is an error at once. If no provider's key is set, the
 * offline model answers, and that is said once. A model in code is held to the limits of runs, agents and crews too.
 */
import { type Agent, BatonError, type Crew, type Model } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
import { type CrewModels, type CrewSource, openCrewModels, withLedger } from "@baton/models";
import type { BatonOptions, ModelOf } from "./options.ts";

const OFFLINE = "offline:";
/** Warnings that are remembered as said; more are rare, and then one is said again. */
const MAX_TOLD = 1_024;

/** What models are chosen by. */
interface Around extends Pick<BatonOptions, "model"> {
  readonly env: NonNullable<BatonOptions["env"]>;
  readonly ledger: Ledger;
  /** Told what the user should know. */
  readonly say: (text: string) => void;
}

/** The models of all crews that are known. */
export class ChosenModels {
  readonly #around: Around;
  readonly #fixed: ModelOf | undefined;
  readonly #byCrew = new WeakMap<Crew, CrewModels>();
  /** For a crew as it was when a stored run began. */
  readonly #byName = new Map<string, CrewModels>();
  readonly #reasons = new Set<string>();
  readonly #told = new Set<string>();

  constructor(around: Around) {
    this.#around = around;
    this.#fixed = toFixed(around.model);
  }

  /** Chooses the models of a crew and of those that belong to it; throws if one of them cannot be used. */
  async add(source: CrewSource & { readonly crew: Crew }): Promise<void> {
    const { crew } = source;
    if (this.#fixed !== undefined || this.#byCrew.has(crew)) return;
    const { env, ledger, model } = this.#around;
    const override = typeof model === "string" ? model : undefined;
    const models = await openCrewModels({ crews: [source], env, ledger, override });
    for (const one of membersOf(crew)) {
      this.#byCrew.set(one, models);
      this.#byName.set(one.name, models);
    }
    for (const reason of models.reasonsOf(crew)) this.#tell(reason);
  }

  readonly modelOf: ModelOf = (agent: Agent, crew: Crew): Model => {
    if (this.#fixed !== undefined) {
      const { ledger } = this.#around;
      return withLedger({ primary: this.#fixed(agent, crew) }, { ledger, agent, crew, isNews: this.#isNews });
    }
    const models = this.#byCrew.get(crew) ?? this.#byName.get(crew.name);
    if (models === undefined) throw new BatonError("internal", `no model was chosen for crew ${crew.name}`);
    return models.modelOf(agent, crew);
  };

  /** Which model answers, and why. */
  get reasons(): readonly string[] {
    return this.#fixed === undefined ? [...this.#reasons] : ["chosen in code"];
  }

  readonly #isNews = (what: string): boolean => {
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    return this.#told.size < this.#told.add(what).size;
  };

  #tell(reason: string): void {
    const isNew = !this.#reasons.has(reason);
    this.#reasons.add(reason);
    if (!isNew || this.#around.model !== undefined || !reason.startsWith(OFFLINE)) return;
    this.#around.say("no provider's key is set, so the offline model answers; set OPENAI_API_KEY for a real one");
  }
}

function toFixed(model: BatonOptions["model"]): ModelOf | undefined {
  if (model === undefined || typeof model === "string") return undefined;
  return typeof model === "function" ? model : () => model;
}

function* membersOf(crew: Crew): Iterable<Crew> {
  yield crew;
  for (const sub of crew.subCrews.values()) yield* membersOf(sub);
  if (crew.after !== undefined) yield* membersOf(crew.after);
}
