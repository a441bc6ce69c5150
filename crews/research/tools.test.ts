/** Results of the research tools for the bundled bibliography. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { callTool, refusedPaths, toolOf } from "@baton/core/testing";
import { BIBLIOGRAPHY } from "./bibliography.ts";
import { hIndex } from "./citations.ts";
import tools from "./tools.ts";

const call = (name: string, args: Json = {}) => callTool(toolOf(tools, name), args);

test("the bibliography says that it is fictional, and so does every search", async () => {
  assert.match(BIBLIOGRAPHY.note, /fictional/i);
  assert.partialDeepStrictEqual(await call("SearchAcademicDatabases", { query: "plants" }), {
    note: BIBLIOGRAPHY.note,
  });
});

test("a paper with all words in its title comes first, singular or plural", async () => {
  const found = await call("SearchAcademicDatabases", { query: "a plastic plants", limit: 1 });
  assert.partialDeepStrictEqual(found, { papers: [{ id: "p07" }] });
});

test("a search keeps to the years it is given", async () => {
  const found = await call("SearchAcademicDatabases", { query: "plants", from_year: 2024 });
  assert.partialDeepStrictEqual(found, { found: 1, papers: [{ id: "p20", year: 2024 }] });
});

test("a paper is shown with what cites it", async () => {
  assert.partialDeepStrictEqual(await call("ExtractPaperMetadata", { paper_id: "P15" }), {
    id: "p15",
    cites: ["p01", "p07", "p13"],
    cited_by: ["p17"],
  });
});

test("unknown papers, theories and topics are refused with what there is", async () => {
  await assert.rejects(call("ExtractPaperMetadata", { paper_id: "p99" }), { kind: "validation", message: /p99/ });
  await assert.rejects(call("CompareTheories", { first: "luck", second: "caretaker" }), { message: /quiet-view/ });
  await assert.rejects(call("FindKeyAuthors", { topic: "whales" }), { message: /attention/ });
});

test("the citation network of the view papers is counted within them", async () => {
  const network = await call("AnalyzeCitationNetwork", { topic: "view", limit: 1 });
  assert.deepEqual(network, {
    papers: 8,
    citations: 17,
    most_cited: [{ id: "p01", title: "A leaf in sight: desk plants and sustained attention", year: 2004, cited_by: 6 }],
    starting_points: ["p01"],
    not_cited_yet: ["p17"],
    longest_chain: ["p01", "p03", "p06", "p13", "p15", "p17"],
  });
});

test("the h-index is the number of papers with at least as many citations", () => {
  assert.equal(hIndex([10, 8, 5, 4, 3]), 4);
  assert.equal(hIndex([0, 0]), 0);
  assert.equal(hIndex([]), 0);
});

test("authors are ranked by the citations of their papers", async () => {
  assert.deepEqual(await call("FindKeyAuthors", { limit: 1 }), [
    { author: "A. Fernwood", papers: 4, citations: 18, h_index: 3, years: "2004–2020" },
  ]);
});

test("a comparison names the papers that decide between two theories", async () => {
  assert.partialDeepStrictEqual(await call("CompareTheories", { first: "quiet-view", second: "caretaker" }), {
    papers_that_decide_between_them: [
      { id: "p07", in_favour_of: "quiet-view" },
      { id: "p11", in_favour_of: "caretaker" },
      { id: "p19", in_favour_of: "caretaker" },
    ],
  });
});

test("gaps are topics with few papers, one method or no experiment", async () => {
  assert.partialDeepStrictEqual(await call("IdentifyResearchGaps"), {
    thin_topics: [{ topic: "creativity" }, { topic: "noise" }, { topic: "remote-work" }],
    topics_with_one_method: [{ topic: "remote-work" }],
    topics_without_experiment: ["mood", "noise", "remote-work"],
    latest_experiment: 2021,
  });
});

test("findings are synthesised by theory, each paper once", async () => {
  assert.partialDeepStrictEqual(await call("SynthesizeFindings", { paper_ids: ["p02", "p04", "p02"] }), {
    papers: 2,
    years: "2006–2009",
    participants: 76,
    by_theory: [{ theory: "fresh-air", supporting: ["p02"], challenging: ["p04"], verdict: "contested" }],
  });
  assert.deepEqual(await refusedPaths(toolOf(tools, "SynthesizeFindings"), { paper_ids: ["p01"] }), ["paper_ids"]);
});
