/**
 * Build crew models: builds the models that were chosen for one crew.
 *
 * A crew that only plays its script loads no provider, and if it has no tools, nothing of this package but this; what a
 * command asks for later is loaded with its first call.
 */
import { type Model, scriptModel } from "@baton/core";
import type { Ledger } from "@baton/core/ports";
import type { PlanOf } from "../money/user-accounts.ts";
import type { Environment } from "./provider-keys.ts";
import type { ModelRequest, ModelRegistry } from "./model-registry.ts";
import type { ScriptedCrew } from "./scripted-crew.ts";
import type { ModelTraffic } from "../wrappers/model-traffic.ts";
import type { withToolCalls } from "../wrappers/text-calls/with-tool-calls.ts";

/** The class that builds models from their names. */
export type RegistryClass = typeof ModelRegistry;

/** Options for building models. */
export interface BuildOptions {
  readonly env: Environment;
  readonly ledger?: Ledger;
  readonly planOf?: PlanOf | undefined;
  /** Breakers and queues, shared by all crews of an application. */
  readonly traffic?: ModelTraffic | undefined;
}

/** Makes models for the agents of one crew. */
export interface CrewModelBuilder {
  readonly make: (request: ModelRequest) => Model;
}

/** Makes every model when it is asked for; throws if it is not available. */
export function buildNow(placed: ScriptedCrew, options: BuildOptions, Maker: RegistryClass): CrewModelBuilder {
  const models = new Maker({ ...options, models: toOwnModels(placed) });
  return { make: (request) => models.forAgent(request) };
}

/** Makes models that play the script; any other is made with its first call. */
export function buildOnFirstCall(
  placed: ScriptedCrew,
  options: BuildOptions,
  readCalls: typeof withToolCalls | undefined,
): CrewModelBuilder {
  const script = toScriptModel(placed);
  let making: CrewModelBuilder | undefined;
  const load = async (): Promise<CrewModelBuilder> => {
    const { ModelRegistry: Maker } = await import("./model-registry.ts");
    return (making ??= buildNow(placed, options, Maker));
  };
  return {
    make: (request) => {
      const { model, backup, toolCalls = "auto" } = request;
      if (model.name !== "script" || backup !== undefined) return toLate(request, load);
      return readCalls?.(script, toolCalls) ?? script;
    },
  };
}

/** A model that is made with its first call. */
function toLate(request: ModelRequest, load: () => Promise<CrewModelBuilder>): Model {
  return {
    name: request.model.name,
    async *stream(prompt, scope) {
      const { make } = await load();
      yield* make(request).stream(prompt, scope);
    },
  };
}

/** The models that a crew brings itself. */
function toOwnModels(placed: ScriptedCrew): ReadonlyMap<string, Model> {
  const programs = [...placed.crew.programs].map(([name, program]) => ({ ...program, name: `code/${name}` }));
  return new Map([...programs, toScriptModel(placed)].map((model) => [model.name, model]));
}

const toScriptModel = ({ script }: ScriptedCrew): Model => scriptModel(script ?? new Map());
