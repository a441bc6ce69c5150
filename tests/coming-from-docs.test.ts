/** docs/coming-from.md: its tables of defaults repeat those of Baton, and every setting that it names exists. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SETTING_NAMES, SETTINGS } from "@baton/core/ports";

const page = readFileSync(join(import.meta.dirname, "..", "docs", "coming-from.md"), "utf8");
const defaults = new Map(
  SETTING_NAMES.map((name) => [SETTINGS[name].yaml, String(SETTINGS[name].value / SETTINGS[name].scale)]),
);

test("the defaults that differ from the reference engine are Baton's, and do differ", () => {
  const rows = rowsUnder("| setting | reference engine | Baton |");
  assert.ok(rows.length >= 3, `${rows.length} rows`);
  for (const [setting = "", reference, baton] of rows) {
    assert.equal(baton, defaults.get(setting), setting);
    assert.notEqual(reference, baton, setting);
  }
});

test("the defaults that both engines have are Baton's", () => {
  const rows = rowsUnder("| setting | both |");
  assert.ok(rows.length >= 5, `${rows.length} rows`);
  for (const [setting = "", both] of rows) assert.equal(both, defaults.get(setting), setting);
});

test("a number behind the name of a setting is its default", () => {
  const shown = Array.from(page.matchAll(/`(max_\w+)` \((\d+)\)/g), ([, name = "", value]) => [name, value] as const);
  assert.ok(shown.length >= 3, `${shown.length} numbers`);
  for (const [name, value] of shown) assert.equal(value, defaults.get(name), name);
});

/** The cells of the table with this head, without the backquotes of names. */
function rowsUnder(head: string): readonly (readonly string[])[] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(head));
  assert.notEqual(start, -1, `there is no table ${head}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}
