import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import { SourceFile } from "./source-file.ts";
import { parseTree } from "./yaml-tree.ts";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const KB = 1_024;

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
};

function parse(text: string): SourceFile {
  const source = new SourceFile("crew.yaml", text);
  parseTree(source);
  return source;
}

suite("a hostile file", () => {
  for (const [name, piece] of Object.entries(HOSTILE)) {
    test(`${name}: ten times the file is no more than about ten times the work`, () => {
      assertLinear(25 * KB, (size) => {
        const text = piece.repeat(size / piece.length);
        return () => parse(text);
      });
    });
  }

  test("keys grow no faster than the file, up to the cap and beyond", () => {
    const toMap = (keys: number): string => Array.from({ length: keys }, (_, index) => `key${index}: 1\n`).join("");
    assertLinear(100, (keys) => () => parse(toMap(keys)));
    assert.deepEqual(parse(toMap(1_000)).findings, []);
    assert.equal(parse(toMap(1_001)).findings[0]?.code, "too_many_keys");
  });

  test("a map of too many keys on one line is refused as well", () => {
    const text = `{${Array.from({ length: 1_001 }, (_, index) => `k${index}`).join(", ")}}`;
    assert.equal(parse(text).findings[0]?.code, "too_many_keys");
  });

  test("thirty-two lists in each other are fine, thirty-three are not", () => {
    const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    assert.deepEqual(parse(nest(32)).findings, []);
    assert.equal(parse(nest(33)).findings[0]?.code, "too_deep");
    const steps = Array.from({ length: 40 }, (_, depth) => `${" ".repeat(depth)}k:`).join("\n");
    assert.equal(parse(steps).findings[0]?.code, "too_deep");
  });

  test("fifty aliases are fine, fifty-one are not", () => {
    const toList = (count: number): string => `- &a 1\n${"- *a\n".repeat(count)}`;
    assert.deepEqual(parse(toList(50)).findings, []);
    assert.equal(parse(toList(51)).findings[0]?.code, "too_many_aliases");
  });

  test("a file of more than 256 KB is not read at all", async () => {
    await using folder = await writeFolder({ "crew.yaml": `# ${"x".repeat(256 * KB)}` });
    const { findings, texts } = await readCrew(folder.path, { providers: [] });
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["too_large"],
    );
    assert.deepEqual([...texts.values()], [""]);
  });

  test("a prompt of 200 KB is fine", () => {
    const source = parse(`system_prompt: |\n${"  All work and no play, [NOT] a signal: it's text.\n".repeat(4_000)}`);
    assert.deepEqual(source.findings, []);
  });
});
