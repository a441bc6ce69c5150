import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readAnswer } from "../../../testing/fake-source.ts";
import { cutText } from "./cut-text.ts";
import { findSections, pickSection } from "./filing-sections.ts";
import { parseSection } from "./section-name.ts";
import { toHtmlLines } from "./html-lines.ts";

/** Reports that were written for these tests, as filers write them. */
const APPLE = "/Archives/edgar/data/320193";
const annual = findSections(toHtmlLines(readAnswer("sec", `${APPLE}/000032019325000004/aapl-20250927.htm`)), "annual");
const textOf = (item: string) => pickSection(annual, { item })?.text ?? assert.fail(item);

test("every item of an annual report has its own text, not its line in the table of contents", () => {
  assert.deepEqual(
    annual.map(({ item }) => item),
    ["1", "1A", "1B", "1C", "2", "3", "4", "5", "6", "7", "7A", "8", "9", "9A", "15", "16"],
  );
  for (const item of ["1", "1A", "7", "7A", "8"]) {
    const text = textOf(item);
    for (let number = 1; number <= 18; number++) {
      assert.ok(text.includes(`sentence ${number} of item ${item} about`), `${item}: ${number}`);
    }
    const others = annual.filter((section) => section.item !== item).map((section) => section.item);
    for (const other of others) assert.ok(!text.includes(`of item ${other} about`), `${item} has text of ${other}`);
  }
  assert.deepEqual([textOf("1B"), textOf("6"), textOf("16")], ["None.", "", "None."]);
});

test("a sentence that begins with the name of another item ends no section", () => {
  assert.match(textOf("1A"), /\nItem 7\. Management’s Discussion and Analysis describes this too\.\n/);
});

test("what a reader does not see is not part of the text", () => {
  const all = annual.map(({ text }) => text).join("\n");
  assert.doesNotMatch(all, /HIDDEN|COMMENT|SCRIPT|color:red|Pursuant to|Form 10-K \| 7/);
  const lines = toHtmlLines(
    '<p>a</p><p style="Display: none">b<p>c</p></p><div style="visibility:hidden">d</div><p>e&nbsp;&lt;f&gt; 1 < 2</p>',
  );
  assert.deepEqual(lines, ["a", "e <f> 1 < 2"]);
});

test("the cells of a row stand on one line, and a page that is laid out as a table keeps its paragraphs", () => {
  assert.deepEqual(
    toHtmlLines("<table><tr><td><div>Item 1A.</div></td><td><p>Risk</p><p>Factors</p></td></tr></table>"),
    ["Item 1A. Risk Factors"],
  );
  const long = "word ".repeat(100).trim();
  assert.deepEqual(toHtmlLines(`<table><tr><td><p>${long}</p><p>Item 2. Properties</p></td></tr></table>`), [
    long,
    "Item 2. Properties",
  ]);
});

test("a quarterly report has an item 1 in each of its parts", () => {
  const sections = findSections(
    toHtmlLines(readAnswer("sec", `${APPLE}/000032019325000003/aapl-20250628.htm`)),
    "quarterly",
  );
  const text = (asked: string) => {
    const name = parseSection(asked, "quarterly") ?? assert.fail();
    return /of item (\S+) about/.exec(pickSection(sections, name)?.text ?? "")?.[1];
  };
  assert.deepEqual(
    ["item 1", "part ii item 1", "Part I, Item 2", "part II item 2", "1A", "risk factors", "MD&A"].map(text),
    ["I-1", "II-1", "I-2", "II-2", "II-1A", "II-1A", "I-2"],
  );
});

test("the items of a current report end at the signature", () => {
  const sections = findSections(toHtmlLines(readAnswer("sec", `${APPLE}/000119312526019333/d8k.htm`)), "current");
  assert.deepEqual(
    sections.map(({ item, heading }) => [item, heading]),
    [
      ["2.02", "Item 2.02 Results of Operations and Financial Condition."],
      ["9.01", "Item 9.01 Financial Statements and Exhibits."],
    ],
  );
  assert.equal(sections[1]?.text, "(d) Exhibits. 99.1 Press release.");
});

test("headings are found as filers write them", () => {
  const body = "Long text of the section. ".repeat(20);
  const headings = [
    "ITEM 1. BUSINESS",
    "Item 1A: Risk Factors",
    "Item 1B — Unresolved Staff Comments",
    "Items 2 and 3. Properties",
    "Part II, Item 7. MD&A",
    "ITEM 7A",
    "Item 8Financial Statements",
  ];
  const sections = findSections(
    headings.flatMap((heading) => [heading, body]),
    "annual",
  );
  assert.deepEqual(
    sections.map(({ item }) => item),
    ["1", "1A", "1B", "2", "7", "7A", "8"],
  );
  assert.equal(pickSection(sections, { item: "3" })?.item, "2");
  for (const line of [
    "Item 1A of this report",
    "Items of value",
    "Item 7, see below and so on".toLowerCase(),
    `Item 1. ${body}`,
  ]) {
    assert.deepEqual(findSections([line, body], "annual"), [], line);
  }
});

test("the text counts though the table of contents names more items than there are headings in it", () => {
  const body = "Long text of the section. ".repeat(20);
  const contents = ["1", "1A", "2", "3", "7", "7A", "8"].map((item) => `Item ${item}. Title 5`);
  const sections = findSections([...contents, "Item 1A. Title", body, "Item 7. Title", body], "annual");
  assert.deepEqual(
    sections.filter(({ text }) => text !== "").map(({ item, text }) => [item, text]),
    [
      ["1A", body],
      ["7", body],
    ],
  );
});

test("sections are asked for by number or name", () => {
  const names = [
    "1A",
    "item 1a",
    "Item 7.",
    "10-K item 7A",
    "risk factors",
    "Management’s discussion",
    "nonsense",
    "",
    "1Z",
    "item",
  ];
  assert.deepEqual(
    names.map((name) => parseSection(name, "annual")?.item),
    ["1A", "1A", "7", "7A", "1A", "7", undefined, undefined, undefined, undefined],
  );
  assert.equal(parseSection("8-K item 2.02", "current")?.item, "2.02");
});

test("a cut text ends with a sentence, not after an abbreviation, and never is longer than it may be", () => {
  const text = "We sell in the U.S. Government and to Acme Inc. Stores. It costs $1.5 million. And so on and on";
  assert.equal(cutText(text, 60), "We sell in the U.S. Government and to Acme Inc. Stores.");
  assert.equal(cutText(text, 80), "We sell in the U.S. Government and to Acme Inc. Stores. It costs $1.5 million.");
  assert.equal(cutText("It is one. It is Acme Inc. Stores and more", 30), "It is one.");
  assert.equal(cutText("first line\nsecond line goes on", 20), "first line");
  assert.equal(cutText("words without any end", 15), "words without");
  assert.equal(cutText("short", 5), "short");
  // Must not look back over the whole text at each of its stops.
  assert.equal(cutText("a. ".repeat(1_000_000), 2_999_999).length, 2_999_996);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (any, max) => {
      const cut = cutText(any, max);
      assert.ok(cut.length <= max && cut.length <= any.length);
    }),
  );
});

test("no page makes the reader fail", () => {
  const pieces = fc.constantFrom(
    "<",
    ">",
    "<p>",
    "</p>",
    "<td>",
    "</td>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "&amp;",
    "&#x110000;",
    "&",
    ";",
    "Item 1A.",
    "PART I",
    '<div style="display:none">',
    "</div>",
    " text ",
    "<ix:header>",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const lines = toHtmlLines(parts.join(""));
      for (const kind of ["annual", "quarterly", "current"] as const) findSections(lines, kind);
      assert.ok(lines.every((line) => line === line.trim() && line !== "" && !line.includes("\n")));
    }),
  );
});
