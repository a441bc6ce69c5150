/**
 * Searched tools: a model that begins with the search for tools and the clock alone, if the request says so
 * (`tool_search_mode: true`); what a search has named is offered after it.
 */
import type { Json, Model, Prompt } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { META_TOOLS } from "../tools/catalogue.ts";
import { runState } from "./run-state.ts";

const SEARCH = "tool_search";

/** The model, which is shown fewer tools at first. */
export function withSearchedTools(model: Model): Model {
  return {
    ...model,
    stream: (prompt, scope) => {
      const isAsked = lookInto(runState.get(prompt, "options"), "tool_search_mode") === true;
      return model.stream(isAsked ? { ...prompt, tools: toShown(prompt) } : prompt, scope);
    },
  };
}

function toShown({ tools, results }: Prompt): Prompt["tools"] {
  const found = new Set(results.flatMap(({ tool, output }) => (tool === SEARCH ? namesIn(output) : [])));
  return tools.filter(({ name }) => META_TOOLS.has(name) || found.has(name));
}

function namesIn(output: Json | undefined): readonly Json[] {
  const list = output === undefined ? undefined : lookInto(output, "tools");
  const items: readonly Json[] = Array.isArray(list) ? list : [];
  return items.flatMap((item) => lookInto(item, "name") ?? []);
}
