/**
 * Redacted options: what a server is started with, with models and tools that tell no secrets.
 *
 * What a provider or a service says may repeat the key it was called with, and would be in the log of the run and in
 * every stream of it.
 */
import type { Crew, Tool } from "@baton/core";
import { defineHide, defineRedact } from "./redact.ts";
import type { ServerOptions } from "../options.ts";
import { toRedactedModel } from "./redacted-model.ts";
import { toRedactedTool } from "./redacted-tool.ts";

/** The same options; nothing of their secrets comes out of a run. `wrapTool` is put around each tool, once. */
export function toRedactedOptions(
  options: ServerOptions,
  wrapTool: (tool: Tool) => Tool = (tool) => tool,
): ServerOptions {
  const { crews, model, secrets } = options;
  const redaction = { redact: defineRedact(secrets), hide: defineHide(secrets) };
  /** Whoever gives models knows the crews it gave. */
  const given = new Map<Crew, Crew>();
  /** A tool that several crews have stays one tool: how many of its calls may run at once counts for all of them. */
  const wrapped = new Map<Tool, Tool>();
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
  return {
    ...options,
    crews: crews.map((one) => ({ ...one, crew: toRedacted(one.crew) })),
    model: (agent, crew) => toRedactedModel(model(agent, given.get(crew) ?? crew), redaction.redact),
  };
}
