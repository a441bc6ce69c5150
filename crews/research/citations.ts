/**
 * Citations: who cites whom, and what that says of papers and authors.
 *
 * Counts only citations inside the bibliography.
 */
import { BIBLIOGRAPHY, type Paper } from "./bibliography.ts";

/** The papers and citations of one author. */
interface AuthorRank {
  readonly author: string;
  readonly papers: number;
  readonly citations: number;
  readonly h_index: number;
  readonly years: string;
}

/** Ids of the papers that cite a paper. */
export const citedBy = (id: string): readonly string[] =>
  BIBLIOGRAPHY.papers.filter(({ cites }) => cites.includes(id)).map((paper) => paper.id);

/** The network of citations among some papers. */
export function citationNetwork(papers: readonly Paper[], limit: number) {
  const ids = new Set(papers.map(({ id }) => id));
  const within = (paper: Paper) => paper.cites.filter((id) => ids.has(id));
  const ranked = papers
    .map((paper) => ({
      id: paper.id,
      title: paper.title,
      year: paper.year,
      cited_by: citedBy(paper.id).filter((id) => ids.has(id)).length,
    }))
    .toSorted((a, b) => b.cited_by - a.cited_by || a.year - b.year);
  return {
    papers: papers.length,
    citations: papers.reduce((sum, paper) => sum + within(paper).length, 0),
    most_cited: ranked.slice(0, limit),
    starting_points: papers.filter((paper) => within(paper).length === 0).map(({ id }) => id),
    not_cited_yet: ranked.filter(({ cited_by }) => cited_by === 0).map(({ id }) => id),
    longest_chain: longestChain(papers),
  };
}

/** Authors by the citations their papers received. */
export function rankAuthors(papers: readonly Paper[], limit: number): readonly AuthorRank[] {
  const names = [...new Set(papers.flatMap(({ authors }) => authors))];
  return names
    .map((author) =>
      rankAuthor(
        author,
        papers.filter(({ authors }) => authors.includes(author)),
      ),
    )
    .toSorted((a, b) => b.citations - a.citations || b.papers - a.papers || a.author.localeCompare(b.author))
    .slice(0, limit);
}

/** The largest h such that h papers have at least h citations each. */
export function hIndex(citations: readonly number[]): number {
  return citations.toSorted((a, b) => b - a).filter((count, index) => count > index).length;
}

function rankAuthor(author: string, papers: readonly Paper[]): AuthorRank {
  const citations = papers.map(({ id }) => citedBy(id).length);
  const years = papers.map(({ year }) => year);
  return {
    author,
    papers: papers.length,
    citations: citations.reduce((sum, count) => sum + count, 0),
    h_index: hIndex(citations),
    years: `${Math.min(...years)}–${Math.max(...years)}`,
  };
}

/** The longest line of papers of which each cites the one before it. */
function longestChain(papers: readonly Paper[]): readonly string[] {
  const chains = new Map<string, readonly string[]>();
  let longest: readonly string[] = [];
  // Papers cite only older ones, so by year every cited paper's chain is known.
  for (const paper of papers.toSorted((a, b) => a.year - b.year || a.id.localeCompare(b.id))) {
    let before: readonly string[] = [];
    for (const id of paper.cites) {
      const chain = chains.get(id) ?? [];
      if (chain.length > before.length) before = chain;
    }
    const chain = [...before, paper.id];
    chains.set(paper.id, chain);
    if (chain.length > longest.length) longest = chain;
  }
  return longest;
}
