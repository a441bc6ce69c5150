import { test } from "node:test";
import { calculate } from "./calculate/calculate.ts";
import { assemble, toBlock } from "./context/assemble.ts";
import { scanFactId } from "./facts/fact-id.ts";
import { toDigest } from "./facts/digest.ts";
import type { Fact } from "./facts/fact.ts";
import { valueAt } from "./facts/with-facts.ts";
import { ground } from "./grounding/ground.ts";
import type { GroundingEvidence } from "./grounding/grounding.ts";
import { stripLinks } from "./grounding/strip-links.ts";
import { findLinks } from "./grounding/link.ts";
import { scanNumbers } from "./grounding/number-scan.ts";
import { ReferenceStream } from "./grounding/reference-stream.ts";
import { isOwn } from "./permission/own-words.ts";
import { parsePlan, referencesOf } from "./plan/plan.ts";
import { openToolIndex } from "./search/tool-index.ts";
import { assertBounded } from "./testing/hostile-texts.ts";

const FACTS = Array.from({ length: 200 }, (_, n): Fact => {
  const [symbol = "", unit = "ratio"] = ([["AAPL", "percent"], ["GE"], ["MSFT", "points"]] as const)[n % 3] ?? [];
  const origin = { as_of: "2024-11-22T16:00:00-05:00", kind: "live", source: "test" } as const;
  return {
    id: `f1.1.1.${n + 1}`,
    call: "1.1.1",
    path: "x",
    value: n / 2,
    unit,
    symbol,
    metric: `RSI(${n})`,
    ...origin,
  };
});
const EVIDENCE: GroundingEvidence = {
  facts: FACTS,
  said: [],
  language: "en",
  names: new Map([["AAPL", ["Apple", "Apple 500"]]]),
  wordsOf: () => ["relative strength"],
  thresholds: new Map([["rsi", [70, 30, 1]]]),
};
const FIND_TOOLS = openToolIndex(
  Array.from({ length: 70 }, (_, n) => ({
    name: `getThing${n}`,
    description: `Gets thing ${n}`,
    phrases: ["like tea"],
  })),
);

function streamReferences(text: string): string {
  const stream = new ReferenceStream(() => "1", "?");
  return Array.from({ length: text.length / 7 }, (_, n) => stream.push(text.slice(n * 7, n * 7 + 7))).join("");
}

/** Everything outside memory and chat that reads a text of a user, a model or a tool. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  scanNumbers: (text) => [scanNumbers(text, "en"), scanNumbers(text, "vi")],
  groundAnswer: (text) => ground({ text, spans: [], missing: [] }, EVIDENCE),
  groundQuestion: (text) =>
    ground({ text: "RSI is 7 in 2024.", spans: [], missing: [] }, { ...EVIDENCE, said: [text] }),
  findLinks,
  stripLinks: (text) => stripLinks({ text, spans: [], missing: [] }),
  streamReferences,
  parsePlan: (text) => parsePlan({ title: text, tasks: [{ id: "a", title: "b", tool: text, args: { a: text } }] }),
  referencesOf: (text) => referencesOf({ a: text, b: `$a.${text}` }),
  calculate: (text) => calculate(text, () => undefined),
  calculateFacts: (text) => calculate(text.slice(0, 2_000), () => FACTS[0]),
  isOwnText: (text) => isOwn(text, `x${text.slice(1)}`),
  isOwnNumber: (text) => isOwn(5, text),
  findTools: (text) => FIND_TOOLS(text),
  valueAt: (text) => valueAt({ a: 1 }, text),
  scanFactId: (text) => [scanFactId(text, 0), scanFactId(`f1${text}`, 0)],
  toDigest: (text) => toDigest([], { head: text, quoted: text.split("\n"), tail: [text] }),
  assemble: (text) => assemble([{ id: "a", source: "b", text: toBlock("A", text), priority: 1 }], 100),
};

for (const [name, read] of Object.entries(READERS)) {
  test(`no text of 10,000 characters holds the event loop: ${name}`, () => assertBounded(read));
}
