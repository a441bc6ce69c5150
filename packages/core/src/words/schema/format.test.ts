import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMAT_NAMES, isOfFormat } from "./format.ts";

const TEXTS: readonly (readonly [format: string, fitting: readonly string[], others: readonly string[]])[] = [
  ["date", ["2024-02-29", "2000-12-31"], ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-1-1", ""]],
  [
    "date-time",
    ["2024-02-29T23:59:60Z", "2024-01-01t00:00:00.123+07:00"],
    ["2024-02-30T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T24:00:00Z"],
  ],
  ["time", ["08:30:06Z", "23:59:59.5-01:30"], ["8:30:06Z", "08:30Z", "08:60:00Z", "08:30:06"]],
  ["email", ["a.b+c@example.co.uk"], ["a@b", "a..b@c.de", ".a@c.de", "a@-c.de", "@c.de", "a b@c.de", "a@c..de"]],
  [
    "uri",
    ["https://example.com/a?b=%20#c", "urn:isbn:1", "mailto:a@b.c"],
    ["example.com", "/a", "http://a b", "a:%zz"],
  ],
  ["uuid", ["123e4567-E89B-12d3-a456-426614174000"], ["123e4567e89b12d3a456426614174000", "x"]],
];

test("texts of each format fit it, and others do not", () => {
  assert.deepEqual(
    TEXTS.map(([format]) => format),
    FORMAT_NAMES,
  );
  for (const [format, fitting, others] of TEXTS) {
    for (const text of fitting) assert.ok(isOfFormat(text, format), `${format} ${text}`);
    for (const text of others) assert.ok(!isOfFormat(text, format), `${format} ${text}`);
  }
  assert.ok(isOfFormat("anything", "hostname"), "a format that is not checked");
});

test("a long text is refused at once", () => {
  const started = process.cpuUsage().user;
  for (const format of FORMAT_NAMES)
    for (const part of ["a", "a.", "1", "a@", "%", ":"]) assert.ok(!isOfFormat(part.repeat(1_000_000), format));
  assert.ok(process.cpuUsage().user - started < 500_000);
});
