import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, inSlice } from "@baton/core/testing";
import { SourceFile } from "./source-file.ts";
import { parseTree } from "./yaml-tree.ts";

const KB = 1_024;
/** Longest time that one text may hold the event loop. */
const MAX_MS = 50;
const TRIES = 5;

/** Texts that a parser may spend more than linear time on, made as long as wanted. */
const HOSTILE: Readonly<Record<string, string>> = {
  "open lists": "[",
  "open maps": "{",
  "lists in maps": "[{",
  "maps in lists": "- a: ",
  "explicit keys": "? ",
  "explicit keys, one a line": "?\n",
  "nested items": "- ",
  "items, one a line": "-\n",
  anchors: "&a ",
  "anchors in a list": "- &a\n",
  aliases: "*a ",
  merges: "<<: *a\n",
  "flow keys": "k: 1, ",
  colons: ": ",
  "compact maps": "a: ",
  tags: "! ",
  documents: "---\n",
  directives: "%a\n",
  "closing brackets": "]",
  "closed lists": "[],",
  commas: ",",
  "block headers": "|\n",
  folds: "> ",
  tabs: "\t",
  "tabs as indentation": "a:\n\tb\n",
  "line ends": "\n",
  "carriage returns": "\r",
  spaces: " ",
  comments: "# a\n",
  quotes: "'",
  "double quotes": '"',
  backslashes: "\\",
  letters: "x",
  "letters, one a line": "x\n",
  digits: "1",
  "pictures beyond the basic plane": "😀",
  reserved: "@`",
  keys: "a:\n",
  "tags without a space": "!!a",
  "anchors without a space": "&a",
  "ends of documents": "...",
  "commas in a list": "[,",
  "empty texts in a list": "[a, '' '' ",
};

const parse = (text: string) => parseTree(new SourceFile("crew.yaml", text));

function cpuMs(text: string): number {
  const before = process.threadCpuUsage();
  parse(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

for (const [name, piece] of inSlice(Object.entries(HOSTILE))) {
  test(`${name}: ten times the file is no more than about ten times the work`, () => {
    assertLinear(25 * KB, (size) => {
      const text = piece.repeat(size / piece.length);
      return () => parse(text);
    });
  });

  for (const opening of ["", "[", "{", "a:\n  "]) {
    test(`${JSON.stringify(opening)} and ${name}: no length holds the event loop for more than 50 ms`, () => {
      for (const chars of [2_000, 10_000, 20_000, 250_000]) {
        const text = opening + piece.repeat(chars / piece.length);
        const least = Math.min(...Array.from({ length: TRIES }, () => cpuMs(text)));
        assert.ok(least < MAX_MS, `${chars} characters: ${least.toFixed(0)} ms`);
      }
    });
  }
}
