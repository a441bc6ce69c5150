/**
 * Choose for crew: decides which model each agent of a crew gets in this environment, and why.
 *
 * Programs are not chosen for: core runs them as they are.
 */
import { type Agent, BatonError, type Crew } from "@baton/core";
import { toProgramName } from "@baton/core/engine";
import type { ModelRef } from "@baton/core/ports";
import { type ChosenModel, chooseModel, type ChooseModelOptions, needsLocalModels } from "./choose-model.ts";
import type { Environment } from "./provider-keys.ts";
import type { LocalModels } from "./local-models.ts";
import type { ScriptedCrew } from "./scripted-crew.ts";

/** The inputs of the choice, besides the crew itself. */
export interface CrewChoiceOptions {
  readonly env: Environment;
  /** An override: the model of every agent but programs. */
  readonly override?: string | undefined;
  /** Models of an Ollama that answers. */
  readonly local?: LocalModels | undefined;
}

/** The model chosen for one agent, and its backup. */
export interface AgentChoice {
  readonly agent: Agent;
  readonly choice: ChosenModel;
  readonly backup: ModelRef | undefined;
}

/** Chooses a model for every agent of a crew; throws if an agent needs a script that the crew does not have. */
export function chooseForCrew(placed: ScriptedCrew, choosing: CrewChoiceOptions): readonly AgentChoice[] {
  return [...agentsOf(placed.crew)].map((agent) => {
    const choice = chooseModel(toOptions(placed, agent, choosing));
    const isAsked = placed.role !== "main" && choosing.override === "script";
    if (choice.ref.name === "script" && placed.script === undefined && !isAsked) throw missingScript(agent, choice);
    return { agent, choice, backup: toBackup(placed, agent, choosing) };
  });
}

/** The model that a name means for an agent of this crew. */
export function chooseNamed(placed: ScriptedCrew, name: ModelRef, { env, local }: CrewChoiceOptions): ChosenModel {
  return chooseModel({ ...toOptions(placed, {}, { env, local }), override: name });
}

/** Whether a choice for this crew depends on the models of a local Ollama. */
export function crewNeedsLocalModels(placed: ScriptedCrew, choosing: CrewChoiceOptions): boolean {
  return [...agentsOf(placed.crew)].some((agent) => {
    const options = toOptions(placed, agent, choosing);
    const { backup } = agent;
    const hasBackup = backup !== undefined && choosing.override === undefined;
    return needsLocalModels(options) || (hasBackup && needsLocalModels({ ...options, override: backup }));
  });
}

/** The agents that are not programs. */
function* agentsOf(crew: Crew): Iterable<Agent> {
  for (const agent of crew.agents.values()) {
    if (toProgramName((agent.model ?? crew.model)?.name ?? "") === undefined) yield agent;
  }
}

/** With an override no other model is used, not even as a backup. */
function toBackup(placed: ScriptedCrew, { backup }: Agent, choosing: CrewChoiceOptions): ModelRef | undefined {
  if (backup === undefined || choosing.override !== undefined) return undefined;
  return chooseNamed(placed, backup, choosing).ref;
}

function toOptions(
  { crew, script, role }: ScriptedCrew,
  { model }: Pick<Agent, "model">,
  { override, env, local }: CrewChoiceOptions,
): ChooseModelOptions {
  // What runs after a crew that plays a script must call no provider either, also if it has no script.
  const asked = override === "script" && role === "after" && script === undefined ? "offline" : override;
  return {
    ...(asked === undefined ? {} : { override: { name: asked } }),
    ...(model === undefined ? {} : { agent: model }),
    ...(crew.model === undefined ? {} : { crew: crew.model }),
    env,
    local,
    hasScript: script !== undefined,
    hasProgram: crew.programs.has("offline"),
  };
}

function missingScript({ id }: Agent, { why }: ChosenModel): BatonError {
  const problem = `agent ${id} answers from a script (${why}), and the crew has none`;
  return new BatonError("invalid", `${problem}; write script.yaml beside crew.yaml`);
}
