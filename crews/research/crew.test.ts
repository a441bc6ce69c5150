/** A literature review by the script: who works, with which tools, and what comes out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const input = "Do plants at the desk help people to keep their attention?";

test("papers are found, weighed and written up", async () => {
  const { events, outcome } = await play(crew, script, { input });
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["investigator", "analyser", "documenter"],
  );
  assert.deepEqual(
    of(events, "call.started").map(({ agent, tool }) => `${agent} ${tool}`),
    [
      ...Array.from({ length: 3 }, () => "investigator SearchAcademicDatabases"),
      ...Array.from({ length: 4 }, () => "investigator ExtractPaperMetadata"),
      "analyser SynthesizeFindings",
      "analyser CompareTheories",
      "analyser AnalyzeCitationNetwork",
      "analyser IdentifyResearchGaps",
    ],
  );
  assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
  assert.equal(outcome, "done");
});

test("every paper of the review was found by a search", async () => {
  const { events, content } = await play(crew, script, { input });
  const searches = of(events, "call.ended").filter(({ tool }) => tool === "SearchAcademicDatabases");
  const found = JSON.stringify(searches.map(({ output }) => output));
  const cited = new Set(content.match(/\bp\d\d\b/g));
  assert.ok(cited.size >= 6);
  for (const paper of cited) assert.ok(found.includes(`"${paper}"`), `${paper} was never found`);
});
