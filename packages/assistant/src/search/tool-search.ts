/**
 * Tool search: the tool by which a model finds other tools by what they do.
 *
 * Its result `{tools: [{name, description}]}` is what an agent with `tool_search` is offered from its next reply on.
 */
import { defineTool, type Tool } from "@baton/core";
import { z } from "zod";
import { openToolIndex, type SearchableTool } from "./tool-index.ts";

const NAME = "tool_search";
const TOP = 10;
const MAX_TOP = 20;

const INPUT = z.strictObject({
  query: z.string().min(1).max(1_000).describe("What the tool is to do, in a few words, in any language."),
  top_k: z.int().min(1).max(MAX_TOP).default(TOP).describe(`How many tools to name at most; default ${TOP}.`),
  exclude_tools: z
    .array(z.string())
    .max(500)
    .optional()
    .describe("Names of tools that are not wanted, such as those you have already."),
});

/** The tool `tool_search` over a catalogue. */
export function defineToolSearch(catalogue: readonly SearchableTool[]): Tool {
  const find = openToolIndex(catalogue.filter(({ name }) => name !== NAME));
  return defineTool({
    name: NAME,
    description: "Finds tools by what they do. The tools it names can be used from the next reply on.",
    effect: "read",
    input: INPUT,
    run: ({ query, top_k: topK, exclude_tools: exclude = [] }) => ({
      tools: find(query, { topK, exclude }).map(({ name, description }) => ({ name, description })),
    }),
  });
}
