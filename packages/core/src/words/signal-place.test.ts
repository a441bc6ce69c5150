/** Where a signal counts in a reply: not in a quotation, and with `end` only at the end or alone on its line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { feed, finish, startHold, toWatch } from "../handle/signal-hold.ts";
import { compileSignals } from "./signal.ts";

const SIGNALS = ["[X]", "[Y]"];
const anywhere = compileSignals(SIGNALS);
const end = compileSignals(SIGNALS, "end");

/** Text, the place of [X] in it, and whether it counts anywhere and with `end`. */
const CASES: readonly (readonly [text: string, place: string, anywhere: boolean, end: boolean])[] = [
  ["Let me route to [ x ] please", "inside", true, false],
  ["Done. [X]", "end", true, true],
  ["Done [X].  \n", "end", true, true],
  ["Done (**[X]**)!", "end", true, true],
  ["Done [X] [Y]", "end", true, true],
  ["[X]\nand more", "line", true, true],
  ["a\n  **[X]**  \nb", "line", true, true],
  ["a\n`[X]`\nb", "line", true, true],
  ['a\n"[X]"\nb', "line", true, true],
  ["a\n```[X]```\nb", "line", true, true],
  ['The tag "[X]" is internal', "quoted", false, false],
  ["The tag '[X]' is internal", "quoted", false, false],
  ["The tag “[X]” is internal", "quoted", false, false],
  ["The tag «[X]» is internal", "quoted", false, false],
  ["The tag `[X]` is internal", "quoted", false, false],
  ['He wrote "[X]"', "quoted", false, false],
  ['"[X] there', "inside", true, false],
  ["> you said [X]\nno", "quoted", false, false],
  ["> [X]", "quoted", false, false],
  ["```\n[X]\n```\nno", "quoted", false, false],
  ["~~~md\n[X]\n~~~", "quoted", false, false],
  ["````\n```\n[X]\n````", "quoted", false, false],
  ["```\n[X]", "quoted", false, false],
  ["```[X]\ncode\n```", "quoted", false, false],
  ["```\ncode\n```\n[X]\nno", "line", true, true],
  ["[X]. And more.", "inside", true, false],
  ["[X] [1]", "inside", true, false],
];

for (const [text, place, isAnywhere, isEnd] of CASES) {
  test(`${JSON.stringify(text)}: ${place}`, () => {
    const [found] = anywhere.find(text);
    assert.deepEqual([found?.place, found?.counts], [place, isAnywhere]);
    assert.deepEqual(end.find(text).map(({ counts }) => counts)[0], isEnd);
    assert.equal(anywhere.strip(text).toLowerCase().replace(/\s/g, "").includes("[x]"), !isAnywhere);
    assert.equal(end.strip(text).toLowerCase().replace(/\s/g, "").includes("[x]"), !isEnd);
  });
}

test("an occurrence that counts goes before one that does not", () => {
  const [found] = anywhere.find('"[X]" is a tag. [x]');
  assert.deepEqual([found?.counts, found?.match, found?.place], [true, "case", "end"]);
});

test("a stream, however it is cut, shows what is left of the whole text, and nothing of a signal that counts", () => {
  const part = fc.constantFrom(
    "[X]",
    "[ x ]",
    "[Y]",
    '"',
    "`",
    "```",
    "\n",
    "> ",
    " ",
    ".",
    "a",
    "*",
    "[",
    "]",
    "[Xa",
    "~~~",
  );
  const pieces = fc.array(
    fc.array(part, { maxLength: 4 }).map((some) => some.join("")),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(pieces, fc.constantFrom("anywhere" as const, "end" as const), (cuts, position) => {
      const watch = toWatch(SIGNALS, position);
      let hold = startHold(watch);
      let shown = "";
      for (const piece of cuts) {
        const [next, more] = feed(hold, piece);
        hold = next;
        shown += more;
      }
      assert.equal(shown + finish(hold), watch.matcher.strip(cuts.join("")));
    }),
    { numRuns: 3_000 },
  );
});

test("with `end` text behind an undecided signal is kept back until it is decided", () => {
  const [hold, shown] = feed(startHold(toWatch(SIGNALS, "end")), "Go to [X]. ");
  assert.equal(shown, "Go to");
  const [, more] = feed(hold, "Not yet");
  assert.equal(shown + more, "Go to [X]. Not yet");
  assert.equal(finish(hold), ". ");
});
