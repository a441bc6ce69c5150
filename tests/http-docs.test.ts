/** docs/http.md: its examples do what it says, and its tables are whole. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { suite, test } from "node:test";
import { type Crew, type Model, scriptModel } from "@baton/core";
import { readCrew, toMermaid } from "@baton/crewfile";
import { MODEL_PROVIDERS } from "@baton/models";
import { KeyRing, type RunningServer, type ServedCrew, SCOPES, startServer } from "@baton/server";
import { MemoryDatabase, Store } from "@baton/store";
import { type Curl, type CurlAnswer, fetchCurl, hasCurl, shellCurl } from "./curl.ts";
import { runSnippet } from "./snippet.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/http.md"), "utf8");

/** In the examples; here it is any free port. */
const ADDRESS = "localhost:8080";

/** The crew whose models take a while in the examples: long enough for somebody to tell it something. */
const SLOW = "research";

/** Stands for what is left out of an answer. */
const ANYTHING = "…";

interface Block {
  readonly language: string;
  readonly line: number;
  readonly text: string;
}

/** A command, or a program, and what the page shows of its answer. */
interface Example extends Block {
  readonly shown: Block | undefined;
}

const blocks = Array.from(
  page.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm),
  ([, language = "", text = ""], at): Block => ({
    language,
    text,
    line: page.slice(0, [...page.matchAll(/^```\w/gm)][at]?.index).split("\n").length,
  }),
);

const examples = blocks.flatMap((block, index): Example[] => {
  const isExample = /^(?:curl|KEY=)/.test(block.text) || block.language === "ts";
  const next = blocks[index + 1];
  return isExample
    ? [{ ...block, shown: next !== undefined && /^(?:http|json|text)$/.test(next.language) ? next : undefined }]
    : [];
});

test("the page has examples of every kind, and shows the answer of each that asks something", () => {
  assert.ok(examples.length > 30);
  const unanswered = examples.filter(({ shown, text }) => shown === undefined && !text.startsWith("KEY="));
  assert.deepEqual(
    unanswered.map(({ line }) => line),
    [],
  );
});

const clients: readonly { readonly name: string; readonly curl: Curl; readonly skip: boolean }[] = [
  { name: "curl", curl: shellCurl, skip: !hasCurl() },
  { name: "fetch, as curl would", curl: fetchCurl, skip: false },
];

for (const { name, curl, skip } of clients) {
  suite(`the examples of docs/http.md, by ${name}`, { skip }, async () => {
    const desk = await Desk.open(curl);
    for (const example of examples) test(`at line ${example.line}`, () => desk.try(example));
    test("all is closed", () => desk.close());
  });
}
