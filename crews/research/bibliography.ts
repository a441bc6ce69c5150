/**
 * Bibliography: the bundled, fictional papers, and how they are found.
 *
 * Read from `data/bibliography.json` once and checked; a citation of a paper that is not there is an error.
 */
import { readFileSync } from "node:fs";
import { ToolError } from "@baton/core";
import { z } from "zod";

const Theory = z.object({ id: z.string(), name: z.string(), claim: z.string() });

const Paper = z.object({
  id: z.string(),
  year: z.int(),
  title: z.string(),
  authors: z.array(z.string()).min(1),
  venue: z.string(),
  method: z.string(),
  /** 0 for work without participants. */
  participants: z.int().min(0),
  topics: z.array(z.string()),
  supports: z.array(z.string()),
  challenges: z.array(z.string()),
  finding: z.string(),
  cites: z.array(z.string()),
});

export type Theory = z.infer<typeof Theory>;
export type Paper = z.infer<typeof Paper>;

const Bibliography = z
  .object({ note: z.string(), theories: z.array(Theory), papers: z.array(Paper) })
  .refine(({ papers }) => papers.every(({ cites }) => cites.every((id) => papers.some((paper) => paper.id === id))), {
    message: "a paper cites one that is not in the bibliography",
  });

/** All there is to search. */
export const BIBLIOGRAPHY = Bibliography.parse(
  JSON.parse(readFileSync(new URL("data/bibliography.json", import.meta.url), "utf8")),
);

/** A search: words, and the years to look in. */
interface Query {
  readonly text: string;
  readonly fromYear: number;
  readonly toYear: number;
}

/** A paper and how well it fits. */
interface Match {
  readonly paper: Paper;
  readonly score: number;
}

/** Words too common to tell papers apart. */
const STOP_WORDS = new Set([
  "a",
  "an",
  "and",
  "at",
  "do",
  "does",
  "for",
  "in",
  "is",
  "of",
  "on",
  "or",
  "the",
  "to",
  "with",
]);

/** The papers that hold words of the query, best first; a word in the title or topics weighs more. */
export function searchPapers(query: Query): readonly Match[] {
  const words = toWords(query.text).filter((word) => !STOP_WORDS.has(word));
  return BIBLIOGRAPHY.papers
    .filter(({ year }) => year >= query.fromYear && year <= query.toYear)
    .map((paper) => ({ paper, score: scoreOf(paper, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.paper.year - a.paper.year);
}

/** The paper of an id; a tool error that names a way to find one where there is none. */
export function findPaper(id: string): Paper {
  const paper = BIBLIOGRAPHY.papers.find((candidate) => candidate.id === id.toLowerCase());
  if (paper === undefined) {
    throw new ToolError("validation", `no paper "${id}": use an id such as p01 that SearchAcademicDatabases returned`);
  }
  return paper;
}

/** The papers on a topic, or all of them; a topic without papers is a tool error that lists those there are. */
export function papersOn(topic: string | undefined): readonly Paper[] {
  if (topic === undefined) return BIBLIOGRAPHY.papers;
  const papers = BIBLIOGRAPHY.papers.filter(({ topics }) => topics.includes(topic.toLowerCase()));
  if (papers.length > 0) return papers;
  throw new ToolError("validation", `no papers on "${topic}"; topics are: ${topics().join(", ")}`);
}

/** Every topic of the bibliography. */
export const topics = (): readonly string[] =>
  [...new Set(BIBLIOGRAPHY.papers.flatMap((paper) => paper.topics))].toSorted();

function scoreOf(paper: Paper, words: readonly string[]): number {
  const title = new Set(toWords(paper.title));
  const topicWords = new Set(paper.topics.flatMap(toWords));
  const finding = new Set(toWords(paper.finding));
  const weigh = (word: string) =>
    (title.has(word) ? 3 : 0) + (topicWords.has(word) ? 2 : 0) + (finding.has(word) ? 1 : 0);
  return words.reduce((sum, word) => sum + weigh(word), 0);
}

/** Lower-case words without a plural "s", so that "plant" finds "plants". */
function toWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) =>
    word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
  );
}
