import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import { SourceFile } from "./source-file.ts";
import { parseTree } from "./yaml-tree.ts";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const KB = 1_024;

function parse(text: string): SourceFile {
  const source = new SourceFile("crew.yaml", text);
  parseTree(source);
  return source;
}

suite("a hostile file", () => {
  test("a hundred anchors and tags are fine, a hundred and one are not", () => {
    const toList = (count: number): string => "- &a 1\n".repeat(count);
    assert.deepEqual(parse(toList(100)).findings, []);
    assert.equal(parse(toList(101)).findings[0]?.code, "too_many_tags");
  });

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
