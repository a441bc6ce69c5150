/**
 * Tool search: the tool by which a model finds other tools by what they do.
 *
 * Its result `{tools: [{name, description}]}` is what an agent with `tool_search` is offered from its next reply on.
 */
import { defineTool, type Json, type Tool } from "@baton/core";
import { checkJson } from "@baton/core/util";
import {
  type FindTools,
  openToolIndex,
  type RankedTool,
  type SearchableTool,
  type ToolSearchOptions,
} from "./tool-index.ts";

const NAME = "tool_search";
const TOP = 10;
const MAX_TOP = 20;

const INPUT = {
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: 1_000,
      description: "What the tool is to do, in a few words, in any language.",
    },
    top_k: {
      type: "integer",
      minimum: 1,
      maximum: MAX_TOP,
      default: TOP,
      description: `How many tools to name at most; default ${TOP}.`,
    },
    exclude_tools: {
      type: "array",
      items: { type: "string" },
      maxItems: 500,
      description: "Names of tools that are not wanted, such as those you have already.",
    },
  },
  required: ["query"],
  additionalProperties: false,
} as const;

/** The tools that fit a need best, the best first. */
export function searchTools(
  catalogue: readonly SearchableTool[],
  query: string,
  options: ToolSearchOptions = {},
): readonly RankedTool[] {
  return openToolIndex(catalogue)(query, options);
}

/** The tool `tool_search` over a catalogue. */
export function defineToolSearch(catalogue: readonly SearchableTool[]): Tool {
  const find: FindTools = openToolIndex(catalogue.filter(({ name }) => name !== NAME));
  return defineTool({
    name: NAME,
    description: "Finds tools by what they do. The tools it names can be used from the next reply on.",
    effect: "read",
    input: {
      jsonSchema: INPUT,
      validate: (args) => {
        const issues = checkJson(INPUT, args);
        return issues.length === 0 ? { ok: true, value: args } : { ok: false, issues };
      },
    },
    run: (args) => {
      const fields = new Map<string, Json>(typeof args === "object" && args !== null ? Object.entries(args) : []);
      const query = fields.get("query");
      const top = fields.get("top_k");
      const without = fields.get("exclude_tools");
      const names: readonly Json[] = Array.isArray(without) ? without : [];
      const exclude = names.filter((name) => typeof name === "string");
      const topK = typeof top === "number" ? top : TOP;
      const found = find(typeof query === "string" ? query : "", { topK, exclude });
      return { tools: found.map(({ name, description }) => ({ name, description })) };
    },
  });
}
