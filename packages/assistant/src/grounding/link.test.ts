import assert from "node:assert/strict";
import { test } from "node:test";
import { findLinks } from "./link.ts";

const linksOf = (text: string): readonly string[] => findLinks(text).map(({ start, end }) => text.slice(start, end));

test("addresses are found however they are written", () => {
  const cases: readonly (readonly [text: string, ...links: readonly string[]])[] = [
    ["See https://evil.example/a?b=1, or HTTP://evil.example.", "https://evil.example/a?b=1", "HTTP://evil.example"],
    ["[log in](https://evil.example)", "https://evil.example"],
    ["<www.evil.example>", "www.evil.example"],
    ["go to evil.example/pump now", "evil.example/pump"],
    ["[x](javascript:alert(1))", "javascript:alert"],
    ["write to mailto:a@evil.example", "mailto:a@evil.example"],
    ["x=https://a.example|https://b.example", "https://a.example", "https://b.example"],
  ];
  for (const [text, ...links] of cases) assert.deepEqual(linksOf(text), links, text);
});

test("names with points and words with slashes are not addresses", () => {
  for (const text of [
    "Amazon.com and Booking.com rose",
    "P/E, and/or, 24/7, Q3/Q4",
    "BRK.B 1.5/2.5 U.S./E.U.",
    "://",
    "",
  ]) {
    assert.deepEqual(linksOf(text), [], text);
  }
});

test("a very long text is read in one pass", () => {
  assert.deepEqual(linksOf("a.".repeat(200_000)), []);
  assert.equal(linksOf("https://a ".repeat(20_000)).length, 20_000);
});
