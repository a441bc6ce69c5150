/**
 * Crew models: the model of every agent of every crew of an application, with the reasons.
 *
 * All are made before the first run, so that a missing key or script is an error at once. Crews inside others and those
 * that run after others are included; for a crew as it was when a stored run began, they are made when that run continues.
 */
import { type Agent, BatonError, type Crew, type Model, scriptModel } from "@baton/core";
import { toProgramName } from "@baton/core/engine";
import { type Clock, type ModelRef, SystemClock } from "@baton/core/ports";
import { type ChosenModel, chooseModel, needsLocalModels } from "./choose-model.ts";
import {
  type AgentChoice,
  chooseForCrew,
  chooseNamed,
  crewNeedsLocalModels,
  type CrewChoiceOptions,
} from "./choose-for-crew.ts";
import { buildOnFirstCall, buildNow, type CrewModelBuilder, type BuildOptions } from "./build-crew-models.ts";
import { findLocalModels } from "./local-models.ts";
import type { ModelRequest } from "./model-registry.ts";
import { ModelTraffic } from "../wrappers/model-traffic.ts";
import { type CrewSource, type ScriptedCrew, listScriptedCrews } from "./scripted-crew.ts";

export { ModelTraffic };

/** Options for choosing and building the models of crews. */
export interface CrewModelsOptions extends Omit<CrewChoiceOptions, "local">, BuildOptions {
  /** The crews that users may start. */
  readonly crews: readonly CrewSource[];
  /** Further models that a run may ask for by name. */
  readonly allowed?: readonly string[];
  /** For the time that a local Ollama has to answer. */
  readonly clock?: Clock;
  /** Loads all that makes models; by default, crews that only play scripts load it when a command asks for a model. */
  readonly load?: "now" | "if needed";
}

/** Chooses and makes the models of all crews; throws if one of them cannot be used. */
export async function openCrewModels(options: CrewModelsOptions): Promise<CrewModels> {
  const placed = options.crews.flatMap((source) => [...listScriptedCrews(source)]);
  const { env, override } = options;
  const choosing: CrewChoiceOptions = { env, override, local: await findLocal(options, placed) };
  await checkAllowed(options, choosing);
  const choices = placed.flatMap((one) => chooseForCrew(one, choosing));
  const traffic = options.traffic ?? new ModelTraffic(options.clock ?? new SystemClock());
  return new CrewModels({ placed, choosing, traffic, making: await toMaking({ ...options, traffic }, choices) });
}

interface Opened {
  readonly placed: readonly ScriptedCrew[];
  readonly choosing: CrewChoiceOptions;
  readonly traffic: ModelTraffic;
  readonly making: (placed: ScriptedCrew) => CrewModelBuilder;
}

/** The models of one crew's agents. */
interface Given {
  readonly choices: readonly AgentChoice[];
  readonly models: ReadonlyMap<string, Model>;
  readonly making: CrewModelBuilder;
}

/** Gives each agent its model. */
export class CrewModels {
  readonly #opened: Opened;
  readonly #given = new WeakMap<Crew, Given>();

  constructor(opened: Opened) {
    this.#opened = opened;
    for (const placed of opened.placed) this.#give(placed);
  }

  /** The model of an agent, or the one that a command or the caller of its run gave it; throws if it is not available. */
  readonly modelOf = (agent: Agent, crew: Crew): Model => {
    const { models, making } = this.#givenTo(crew);
    const { model } = agent;
    if (model !== undefined && model !== crew.agents.get(agent.id)?.model) {
      const { ref } = chooseNamed(this.#place(crew), model, this.#opened.choosing);
      return make(toReplacement(agent, ref, crew), crew, making);
    }
    const own = models.get(agent.id);
    if (own === undefined) throw new BatonError("internal", `no model was chosen for agent ${agent.id}`);
    return own;
  };

  /** Returns the script that replaces a program, if `script` was asked for and the script names the program's agent. */
  readonly replaceProgram = (agent: Agent, crew: Crew): Model | undefined => {
    const { script } = this.#place(crew);
    if (this.#opened.choosing.override !== "script" || script?.has(agent.id) !== true) return undefined;
    return scriptModel(script);
  };

  /** Explains the models of a crew's agents and of the crews inside it: one sentence for each distinct choice. */
  reasonsOf(crew: Crew): readonly string[] {
    const reasons = [...Map.groupBy(this.#chosenFor(crew, ""), ({ choice: { ref, why } }) => `${ref.name}: ${why}`)];
    if (reasons.length === 1) return reasons.map(([reason]) => reason);
    return reasons.map(([reason, group]) => `${reason} (${group.map(({ agent }) => agent).join(", ")})`);
  }

  /** The names of the models that agents have if nothing else is chosen. */
  chosenNames(): ReadonlySet<string> {
    const all = this.#opened.placed.flatMap(({ crew }) => [...this.#chosenFor(crew, "")]);
    return new Set(all.map(({ choice }) => choice.ref.name));
  }

  /** The models that have a breaker, each with true if it is open. */
  readonly breakers = (): ReadonlyMap<string, boolean> => this.#opened.traffic.breakers();

  *#chosenFor(crew: Crew, path: string): Iterable<{ readonly agent: string; readonly choice: ChosenModel }> {
    for (const { agent, choice } of this.#givenTo(crew).choices) yield { agent: path + agent.id, choice };
    for (const [name, sub] of crew.subCrews) yield* this.#chosenFor(sub, `${path}${name}/`);
  }

  #givenTo(crew: Crew): Given {
    return this.#given.get(crew) ?? this.#give(this.#place(crew));
  }

  /** A crew as it was plays the script that the crew of its name has now. */
  #place(crew: Crew): ScriptedCrew {
    const { placed } = this.#opened;
    const now = placed.find((one) => one.crew === crew) ?? placed.find((one) => one.crew.name === crew.name);
    return { script: now?.script, role: now?.role ?? "main", crew };
  }

  #give(placed: ScriptedCrew): Given {
    const { crew } = placed;
    const choices = chooseForCrew(placed, this.#opened.choosing);
    const making = this.#opened.making(placed);
    const models = choices.map(({ agent, choice: { ref }, backup }) => {
      const request = { model: ref, backup, toolCalls: agent.toolCalls, caller: { agent, crew } };
      return [agent.id, make(request, crew, making)] as const;
    });
    const given = { choices, making, models: new Map(models) };
    this.#given.set(crew, given);
    return given;
  }
}

/** A program of the crew as it is, any other model as its maker makes it. */
function make(request: ModelRequest, crew: Crew, making: CrewModelBuilder): Model {
  const { name } = request.model;
  const program = toProgramName(name);
  if (program === undefined) return making.make(request);
  const code = crew.programs.get(program);
  if (code === undefined) throw new BatonError("invalid", `there is no program "${program}"`);
  return { ...code, name };
}

/** A model that replaces an agent's own: the prices that the agent names do not apply to it. */
function toReplacement(agent: Agent, model: ModelRef, crew: Crew): ModelRequest {
  const { inputTokenPricePerMillion: _, outputTokenPricePerMillion: __, ...costLimits } = agent.costLimits ?? {};
  const { toolCalls, backup } = agent;
  return { model, backup, toolCalls, caller: { agent: { ...agent, costLimits }, crew } };
}

/** Asks a local Ollama, once, if a choice depends on it. */
async function findLocal({ env, override, allowed = [], clock }: CrewModelsOptions, placed: readonly ScriptedCrew[]) {
  const isNeeded =
    placed.some((one) => crewNeedsLocalModels(one, { env, override })) ||
    allowed.some((name) => needsLocalModels(toNamed(name, env)));
  return isNeeded ? findLocalModels(env, clock) : undefined;
}

const toNamed = (name: string, env: CrewChoiceOptions["env"]) => ({ override: { name }, env, hasScript: false });

/** Throws if a model that a run may ask for does not exist. One whose key is missing is listed as not available. */
async function checkAllowed({ allowed = [], env }: CrewModelsOptions, { local }: CrewChoiceOptions): Promise<void> {
  // A crew's script and programs are its own, so they are looked for when a run asks for them.
  const names = allowed.filter((name) => name !== "script" && toProgramName(name) === undefined);
  if (names.length === 0) return;
  const { ModelRegistry: Maker } = await import("./model-registry.ts");
  const models = new Maker({ env });
  for (const name of names) {
    const { ref } = chooseModel({ ...toNamed(name, env), local });
    if (models.missingFor(ref) === undefined) models.resolve(ref);
  }
}

async function toMaking(
  { env, ledger, planOf, traffic, load = "if needed" }: CrewModelsOptions,
  choices: readonly AgentChoice[],
): Promise<Opened["making"]> {
  const options = { env, planOf, traffic, ...(ledger === undefined ? {} : { ledger }) };
  if (load === "now" || !choices.every(isPlayed)) {
    const { ModelRegistry: Maker } = await import("./model-registry.ts");
    return (placed) => buildNow(placed, options, Maker);
  }
  const hasTools = choices.some(({ agent }) => agent.tools.length > 0);
  const readCalls = hasTools ? (await import("../wrappers/text-calls/with-tool-calls.ts")).withToolCalls : undefined;
  return (placed) => buildOnFirstCall(placed, options, readCalls);
}

function isPlayed({ choice: { ref }, backup }: AgentChoice): boolean {
  return backup === undefined && (ref.name === "script" || toProgramName(ref.name) !== undefined);
}
