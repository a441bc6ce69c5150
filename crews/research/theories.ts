/**
 * Theories: what the papers together say for and against an explanation, and what they leave open.
 */
import { ToolError } from "@baton/core";
import { BIBLIOGRAPHY, topics, type Paper, type Theory } from "./bibliography.ts";

const isAbout = (paper: Paper, theory: string): boolean =>
  paper.supports.includes(theory) || paper.challenges.includes(theory);

/** The theory of an id; a tool error that lists the ids where there is none. */
export function findTheory(id: string): Theory {
  const theory = BIBLIOGRAPHY.theories.find((candidate) => candidate.id === id.toLowerCase());
  if (theory !== undefined) return theory;
  const known = BIBLIOGRAPHY.theories.map((candidate) => candidate.id).join(", ");
  throw new ToolError("validation", `no theory "${id}"; theories are: ${known}`);
}

/** Two theories side by side. */
export function compareTheories(first: Theory, second: Theory) {
  const both = BIBLIOGRAPHY.papers.filter((paper) => isAbout(paper, first.id) && isAbout(paper, second.id));
  const decides = both.filter((paper) => paper.supports.includes(first.id) !== paper.supports.includes(second.id));
  return {
    first: evidence(first),
    second: evidence(second),
    papers_about_both: both.map(({ id }) => id),
    papers_that_decide_between_them: decides.map(({ id, supports }) => ({
      id,
      in_favour_of: supports.includes(first.id) ? first.id : second.id,
    })),
  };
}

/** Topics with little or one-sided work, and theories that were never put to the test. */
export function findGaps(papers: readonly Paper[], topic: string | undefined) {
  const asked = topic === undefined ? topics() : [topic.toLowerCase()];
  const perTopic = asked.map((name) => describeTopic(name, papers));
  return {
    thin_topics: perTopic.filter(({ papers: count }) => count <= 2),
    topics_with_one_method: perTopic.filter(({ papers: count, methods }) => count > 1 && methods.length === 1),
    topics_without_experiment: perTopic
      .filter(({ methods }) => !methods.includes("experiment"))
      .map(({ topic: name }) => name),
    theories_never_challenged: BIBLIOGRAPHY.theories
      .filter(({ id }) => papers.some(({ supports }) => supports.includes(id)))
      .filter(({ id }) => !papers.some(({ challenges }) => challenges.includes(id)))
      .map(({ id }) => id),
    latest_experiment:
      Math.max(0, ...papers.filter(({ method }) => method === "experiment").map(({ year }) => year)) || null,
  };
}

/** Findings of papers, grouped by the theory that they support or challenge. */
export function synthesise(papers: readonly Paper[]) {
  const years = papers.map(({ year }) => year);
  const find = ({ id, year, finding }: Paper) => ({ id, year, finding });
  const byTheory = BIBLIOGRAPHY.theories.flatMap((theory) => {
    const supporting = papers.filter(({ supports }) => supports.includes(theory.id)).map(({ id }) => id);
    const challenging = papers.filter(({ challenges }) => challenges.includes(theory.id)).map(({ id }) => id);
    if (supporting.length + challenging.length === 0) return [];
    return [{ theory: theory.id, supporting, challenging, verdict: verdict(supporting.length, challenging.length) }];
  });
  return {
    papers: papers.length,
    years: `${Math.min(...years)}–${Math.max(...years)}`,
    participants: papers.reduce((sum, { participants }) => sum + participants, 0),
    by_theory: byTheory,
    findings: papers.map(find),
  };
}

function evidence({ id, name, claim }: Theory) {
  const supporting = BIBLIOGRAPHY.papers.filter(({ supports }) => supports.includes(id));
  const challenging = BIBLIOGRAPHY.papers.filter(({ challenges }) => challenges.includes(id));
  const people = (papers: readonly Paper[]) => papers.reduce((sum, { participants }) => sum + participants, 0);
  return {
    theory: id,
    name,
    claim,
    supporting: { papers: supporting.map((paper) => paper.id), participants: people(supporting) },
    challenging: { papers: challenging.map((paper) => paper.id), participants: people(challenging) },
    verdict: verdict(supporting.length, challenging.length),
  };
}

function describeTopic(topic: string, papers: readonly Paper[]) {
  const on = papers.filter(({ topics: names }) => names.includes(topic));
  const latest = on.length === 0 ? null : Math.max(...on.map(({ year }) => year));
  return { topic, papers: on.length, methods: [...new Set(on.map(({ method }) => method))], latest };
}

function verdict(supporting: number, challenging: number): "supported" | "contested" | "weakened" | "untested" {
  if (supporting + challenging === 0) return "untested";
  if (challenging === 0) return "supported";
  return challenging > supporting ? "weakened" : "contested";
}
