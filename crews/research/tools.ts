/**
 * The research crew's tools: search, citations, theories and gaps over a small bundled bibliography.
 *
 * All of them only read, and all answers come from `data/bibliography.json`, which is fictional sample data.
 */
import { defineTool } from "@baton/core";
import { z } from "zod";
import { BIBLIOGRAPHY, findPaper, papersOn, searchPapers } from "./bibliography.ts";
import { citationNetwork, citedBy, rankAuthors } from "./citations.ts";
import { compareTheories, findGaps, findTheory, synthesise } from "./theories.ts";

const Topic = z.string().trim().min(1).max(50).optional().describe("One topic, such as attention; default: all");
const Limit = z.int().min(1).max(10).default(5).describe("How many to return at most");
const Year = z.int().min(1900).max(2100).optional();
const PaperId = z.string().trim().min(1).max(20).describe("A paper's id, such as p01");

const searchAcademicDatabases = defineTool({
  name: "SearchAcademicDatabases",
  description: "Finds papers by words in title, topics and findings. The database is a small fictional sample.",
  effect: "read",
  input: z.object({
    query: z.string().trim().min(2).max(300).describe("Words to look for"),
    from_year: Year.describe("Earliest year"),
    to_year: Year.describe("Latest year"),
    limit: Limit,
  }),
  run: ({ query, from_year, to_year, limit }) => {
    const matches = searchPapers({ text: query, fromYear: from_year ?? 0, toYear: to_year ?? Infinity });
    const papers = matches.slice(0, limit).map(({ paper: { id, title, authors, year, method }, score }) => ({
      id,
      title,
      authors: authors.join(", "),
      year,
      method,
      score,
    }));
    return { note: BIBLIOGRAPHY.note, found: matches.length, papers };
  },
});

const extractPaperMetadata = defineTool({
  name: "ExtractPaperMetadata",
  description: "Everything known of one paper: authors, venue, method, finding, what it cites and what cites it.",
  effect: "read",
  input: z.object({ paper_id: PaperId }),
  run: ({ paper_id }) => {
    const paper = findPaper(paper_id);
    return { ...paper, cited_by: citedBy(paper.id) };
  },
});

const analyzeCitationNetwork = defineTool({
  name: "AnalyzeCitationNetwork",
  description: "The most cited papers, starting points, uncited papers and the longest line of work.",
  effect: "read",
  input: z.object({ topic: Topic, limit: Limit }),
  run: ({ topic, limit }) => citationNetwork(papersOn(topic), limit),
});

const compareTheoriesTool = defineTool({
  name: "CompareTheories",
  description:
    "Evidence for and against two theories (quiet-view, fresh-air, caretaker), and what decides between them.",
  effect: "read",
  input: z.object({
    first: z.string().trim().min(1).max(50).describe("A theory's id"),
    second: z.string().trim().min(1).max(50).describe("Another theory's id"),
  }),
  run: ({ first, second }) => compareTheories(findTheory(first), findTheory(second)),
});

const findKeyAuthors = defineTool({
  name: "FindKeyAuthors",
  description: "Authors ranked by citations, with the number of papers and the h-index.",
  effect: "read",
  input: z.object({ topic: Topic, limit: Limit }),
  run: ({ topic, limit }) => rankAuthors(papersOn(topic), limit),
});

const identifyResearchGaps = defineTool({
  name: "IdentifyResearchGaps",
  description: "Topics with little work, one method or no experiment, and theories nobody has challenged.",
  effect: "read",
  input: z.object({ topic: Topic }),
  run: ({ topic }) => findGaps(papersOn(topic), topic),
});

const synthesizeFindings = defineTool({
  name: "SynthesizeFindings",
  description: "What several papers found together, grouped by the theories they support or challenge.",
  effect: "read",
  input: z.object({ paper_ids: z.array(PaperId).min(2).max(10).describe("Ids of two to ten papers") }),
  run: ({ paper_ids }) => synthesise([...new Set(paper_ids)].map(findPaper)),
});

export default [
  searchAcademicDatabases,
  extractPaperMetadata,
  analyzeCitationNetwork,
  compareTheoriesTool,
  findKeyAuthors,
  identifyResearchGaps,
  synthesizeFindings,
];
