/**
 * Redaction: crews and models of a server, whose models and tools tell no secrets.
 *
 * What a provider or a service says may repeat the key it was called with, and would be in the log of the run and in
 * every stream of it.
 */
import type { Crew, Tool } from "@baton/core";
import { defineHide, defineRedact } from "./redact.ts";
import type { ServerOptions } from "../options.ts";
import { toRedactedModel } from "./redacted-model.ts";
import { toRedactedTool } from "./redacted-tool.ts";

/** Crews and models without secrets in their output. */
export interface Redaction {
  /** The same crew, with the crews inside it and the one that runs after it; the same each time. */
  readonly toRedacted: (crew: Crew) => Crew;
  /** Calls `model` with the crew that the caller gave. */
  readonly model: ServerOptions["model"];
}

/** Crews and models that tell no secrets; `wrapTool` is put around each tool, once. */
export function defineRedaction(
  { model, secrets }: Pick<ServerOptions, "model" | "secrets">,
  wrapTool: (tool: Tool) => Tool = (tool) => tool,
): Redaction {
  const redaction = { redact: defineRedact(secrets), hide: defineHide(secrets) };
  /** The original of each redacted crew. */
  const given = new WeakMap<Crew, Crew>();
  const redacted = new WeakMap<Crew, Crew>();
  /** A tool that several crews have stays one tool: how many of its calls may run at once counts for all of them. */
  const wrapped = new WeakMap<Tool, Tool>();
  const wrap = (tool: Tool): Tool => {
    const known = wrapped.get(tool) ?? wrapTool(toRedactedTool(tool, redaction));
    wrapped.set(tool, known);
    return known;
  };
  const make = (crew: Crew): Crew => {
    const { after } = crew;
    return Object.freeze<Crew>({
      ...crew,
      tools: new Map(Array.from(crew.tools, ([name, tool]) => [name, wrap(tool)])),
      subCrews: new Map(Array.from(crew.subCrews, ([name, sub]) => [name, toRedacted(sub)])),
      ...(after === undefined ? {} : { after: toRedacted(after) }),
    });
  };
  const toRedacted = (crew: Crew): Crew => {
    // A crew that is redacted already, such as one of another server of the program.
    if (given.has(crew)) return crew;
    const made = redacted.get(crew) ?? make(crew);
    redacted.set(crew, made);
    given.set(made, crew);
    return made;
  };
  return {
    toRedacted,
    model: (agent, crew) => toRedactedModel(model(agent, given.get(crew) ?? crew), redaction.redact),
  };
}
