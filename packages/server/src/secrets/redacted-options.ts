/**
 * Redacted options: what a server is started with, with models and tools that tell no secrets.
 *
 * What a provider or a service says may repeat the key it was called with, and would be in the log of the run and in
 * every stream of it.
 */
import type { Crew, Tool } from "@baton/core";
import { defineHide, defineRedact } from "./redact.ts";
import type { ServedCrew, ServerOptions } from "../options.ts";
import { toRedactedModel } from "./redacted-model.ts";
import { toRedactedTool } from "./redacted-tool.ts";

/** The same options; nothing of their secrets comes out of a run. `wrapTool` is put around each tool, once. */
export function toRedactedOptions(options: ServerOptions, wrapTool?: (tool: Tool) => Tool): ServerOptions {
  return defineRedaction(options, wrapTool).options;
}

/** Options and crews that tell no secrets. */
interface Redaction {
  readonly options: ServerOptions;
  /** The same for crews that are read later. */
  readonly toRedactedCrews: (crews: readonly ServedCrew[]) => readonly ServedCrew[];
}

/** The same as `toRedactedOptions`, for a server whose crews may be read again. */
export function defineRedaction(options: ServerOptions, wrapTool: (tool: Tool) => Tool = (tool) => tool): Redaction {
  const { crews, model, secrets } = options;
  const redaction = { redact: defineRedact(secrets), hide: defineHide(secrets) };
  /** The original of each redacted crew: `model` is called with the crew that the caller gave. */
  const given = new WeakMap<Crew, Crew>();
  /** A tool that several crews have stays one tool: how many of its calls may run at once counts for all of them. */
  const wrapped = new WeakMap<Tool, Tool>();
  const wrap = (tool: Tool): Tool => {
    const known = wrapped.get(tool) ?? wrapTool(toRedactedTool(tool, redaction));
    wrapped.set(tool, known);
    return known;
  };
  /** With the crews inside it, and the one that runs after it. */
  const toRedacted = (crew: Crew): Crew => {
    const { after } = crew;
    const redacted = Object.freeze<Crew>({
      ...crew,
      tools: new Map(Array.from(crew.tools, ([name, tool]) => [name, wrap(tool)])),
      subCrews: new Map(Array.from(crew.subCrews, ([name, sub]) => [name, toRedacted(sub)])),
      ...(after === undefined ? {} : { after: toRedacted(after) }),
    });
    given.set(redacted, crew);
    return redacted;
  };
  const toRedactedCrews = (all: readonly ServedCrew[]) => all.map((one) => ({ ...one, crew: toRedacted(one.crew) }));
  const toModel: ServerOptions["model"] = (agent, crew) =>
    toRedactedModel(model(agent, given.get(crew) ?? crew), redaction.redact);
  return { options: { ...options, crews: toRedactedCrews(crews), model: toModel }, toRedactedCrews };
}
