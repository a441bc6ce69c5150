/**
 * HTTP example: what a page of the documentation sends, with the answer that it shows, and whether an answer is that.
 */
import assert from "node:assert/strict";
import type { CurlAnswer } from "./curl.ts";

/** In an answer: something that is left out. */
const ANYTHING = "…";

interface Block {
  readonly language: string;
  readonly line: number;
  readonly text: string;
}

/** What a reader would run, and what the page shows of the answer. */
export interface Example extends Block {
  readonly shown: string | undefined;
}

/** What a page can run, each with the answer that is the next block. */
export function toExamples(markdown: string): readonly Example[] {
  const blocks = toBlocks(markdown);
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    const isAnswer = next !== undefined && ["http", "json", "text"].includes(next.language);
    const isExample = block.language === "ts" || /^(?:curl|KEY=)/.test(block.text);
    return isExample ? [{ ...block, shown: isAnswer ? next.text : undefined }] : [];
  });
}

function toBlocks(markdown: string): readonly Block[] {
  const fences = markdown.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms);
  return Array.from(fences, ({ 1: language = "", 2: text = "", index }) => {
    return { language, text, line: markdown.slice(0, index).split("\n").length };
  });
}

/** Without a head, what is shown is the body of an answer with status 200. */
export function assertAnswer(answer: CurlAnswer, shown: string, where: string): void {
  const { statusLine, headers, body, isHeadShown } = answer;
  assert.equal(isHeadShown, shown.startsWith("HTTP/"), `${where}: a head is shown where there is -i`);
  if (!isHeadShown) {
    assert.equal(statusLine, "HTTP/1.1 200 OK", `${where}: ${body}`);
    assertShown(body, shown, where);
    return;
  }
  const [head = "", rest = ""] = shown.split(/\n\n(.*)/s);
  const [status = "", ...fields] = head.trimEnd().split("\n");
  assert.equal(statusLine, status, `${where}: ${body}`);
  for (const field of fields) {
    const [name = "", value = ""] = field.split(/: (.*)/);
    assertShown(headers.get(name) ?? `no ${name}`, value, where);
  }
  assertShown(body, rest, where);
}

/** The text begins, goes on and ends with the parts that are shown. */
export function assertShown(text: string, shown: string, where: string): void {
  const parts = shown.trim().split(ANYTHING);
  const told = text.trim();
  const [first = "", ...others] = parts;
  const last = others.pop();
  let at = told.startsWith(first) ? first.length : -1;
  for (const part of others) {
    const found = at === -1 ? -1 : told.indexOf(part, at);
    at = found === -1 ? -1 : found + part.length;
  }
  const isShown = last === undefined ? told === first : at !== -1 && told.slice(at).endsWith(last);
  if (!isShown) assert.equal(told, shown.trim(), where);
}
