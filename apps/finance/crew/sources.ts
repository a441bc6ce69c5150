/**
 * Sources: where an answer's facts come from, by what its calls gave back: articles each for themselves, all else by
 * its provenance.
 */
import type { EndedCall, SourceItem } from "@baton/assistant/chat";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";

type Source = Omit<SourceItem, "n" | "call">;

const OUTPUT = z.object({
  provenance: z.object({ source: z.string(), as_of: z.string(), kind: z.string(), url: z.string().optional() }),
  data: z.looseObject({
    symbol: z.string().optional().catch(undefined),
    /** The statement that a tool of several gave. */
    statement: z.string().optional().catch(undefined),
    /** Companies that are compared. */
    companies: z
      .array(z.looseObject({ symbol: z.string() }))
      .optional()
      .catch(undefined),
  }),
});

const ARTICLE = z.object({
  title: z.string(),
  source: z.string().optional(),
  url: z.string().optional(),
  published_at: z.string().optional(),
});
const ARTICLES = z.object({
  data: z.union([
    z.object({ items: z.array(ARTICLE) }).transform(({ items }) => items),
    z.object({ results: z.array(ARTICLE) }).transform(({ results }) => results),
  ]),
});

/** The sources of one call; a result without data has none. */
export function toSources({ tool, output }: EndedCall): readonly Source[] {
  const { data: found } = OUTPUT.safeParse(output);
  if (found === undefined) return [];
  const { provenance, data } = found;
  const { source, as_of, kind, url } = provenance;
  const articles = ARTICLES.safeParse(output).data?.data;
  if (articles !== undefined) {
    return articles.map((one) => ({
      title: one.title,
      source: one.source ?? hostOf(one.url) ?? source,
      as_of: one.published_at ?? as_of,
      kind,
      ...omitUndefined({ url: one.url }),
    }));
  }
  const symbols = data.companies?.map(({ symbol }) => symbol) ?? (data.symbol === undefined ? [] : [data.symbol]);
  const title = STATEMENTS.get(data.statement ?? "") ?? toName(tool);
  return [
    {
      title: [title, ...(symbols.length === 0 ? [] : [symbols.join(", ")])].join(": "),
      source,
      as_of,
      kind,
      ...omitUndefined({ url }),
    },
  ];
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.hostname;
}

const VERB = /^(?:get|calculate)(?=[A-Z])/;

const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ["balance", "Balance sheet"],
  ["cash_flow", "Cash flow"],
  ["all", "Statements"],
]);

/** The name of a tool as a title: "Technical indicators". */
function toName(tool: string): string {
  return tool
    .replace(VERB, "")
    .split(/(?<=[a-z])(?=[A-Z])/)
    .map((word, index) => (index === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : toLower(word)))
    .join(" ");
}

/** Abbreviations stay as they are. */
const toLower = (word: string): string => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase());
