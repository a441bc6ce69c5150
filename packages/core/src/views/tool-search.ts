/**
 * Tool search: which of an agent's tools are offered for a step, and the search by which the others are found.
 */
import type { Agent } from "../definitions/agent.ts";
import { toPlainInput } from "../words/schema/json-schema.ts";
import type { Json } from "../words/json.ts";
import { lookInto, lookUp } from "../words/state.ts";
import { defineTool, SEARCH, type Tool } from "../definitions/tool.ts";

const TOP = 10;

const INPUT = {
  type: "object",
  properties: {
    query: { type: "string", description: "What the tool is to do, in a few words." },
    top_k: { type: "integer", minimum: 1, maximum: 50, description: `How many to name at most; default ${TOP}.` },
    exclude_tools: { type: "array", items: { type: "string" }, description: "Tools that are not wanted." },
  },
  required: ["query"],
  additionalProperties: false,
} as const;

/**
 * Returns the names of the tools that an agent is offered, in the order in which its model is told them; undefined if all
 * are. What changes comes last, so that a provider can keep the beginning: first the list as it is written, then tools
 * whose condition holds, then those that a search has found.
 */
export function toOffered(
  { tools, offers, pinnedTools, toolSearch }: Agent,
  values: ReadonlyMap<string, Json>,
  found: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  const isOn = (key: string): boolean => lookUp(values, key) === true;
  const isSearched = typeof toolSearch === "object" ? isOn(toolSearch.if) : toolSearch;
  if (offers.length === 0 && toolSearch === false) return undefined;
  const closed = new Set(offers.filter((offer) => !isOn(offer.if)).map(({ name }) => name));
  const conditional = new Set(offers.map(({ name }) => name));
  const listed = isSearched ? [...pinnedTools, SEARCH] : tools;
  const open = [
    ...listed.filter((name) => !conditional.has(name)),
    ...listed.filter((name) => conditional.has(name)),
    ...(isSearched ? found : []),
  ];
  return new Set(open.filter((name) => !closed.has(name)));
}

/** The tools that a result of a search names. */
export function toFound(output: Json | undefined): readonly string[] {
  const list = output === undefined ? undefined : lookInto(output, "tools");
  if (!Array.isArray(list)) return [];
  const items: readonly Json[] = list;
  return items.map((item) => lookInto(item, "name")).filter((name) => typeof name === "string");
}

/** A search by words over these tools, for crews that bring none of their own. */
export function toSearchTool(tools: readonly Tool[]): Tool {
  return defineTool({
    name: SEARCH,
    description: "Finds tools by what they do. The tools it names can be used from the next reply on.",
    effect: "read",
    input: toPlainInput(INPUT),
    run: (args) => {
      const query = lookInto(args, "query");
      const top = lookInto(args, "top_k");
      const without = lookInto(args, "exclude_tools");
      const excluded: readonly Json[] = Array.isArray(without) ? without : [];
      const candidates = tools.filter(({ name }) => !excluded.includes(name));
      return {
        tools: rank(candidates, typeof query === "string" ? query : "").slice(0, typeof top === "number" ? top : TOP),
      };
    },
  });
}

/** Tools that share words with the query, those that share most first; a word of the name counts three times. */
function rank(tools: readonly Tool[], query: string): readonly Json[] {
  const wanted = new Set(toWords(query));
  const scored = tools.map(({ name, description }) => {
    const inName = toWords(name).filter((word) => wanted.has(word)).length;
    const inText = new Set(toWords(description)).intersection(wanted).size;
    return { name, description, score: inName * 3 + inText };
  });
  const found = scored.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score);
  return found.map(({ name, description }) => ({ name, description }));
}

/** The words of a text; `getStockPrice` has three. */
function toWords(text: string): readonly string[] {
  const apart = text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2");
  return apart.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}
