import assert from "node:assert/strict";
import { test } from "node:test";
import { isIndustry, toIndustries } from "./industries.ts";
import { sectorOf, SECTORS, toSector } from "./sectors.ts";

test("a sector is found by any of its names, in English or Vietnamese, with or without diacritics", () => {
  for (const text of ["tech", "Technology", "TECHNOLOGY sector", "công nghệ", "ngành công nghệ", "cong nghe"]) {
    assert.equal(toSector(text), "Technology", text);
  }
  assert.equal(toSector("Oil & Gas"), "Energy");
  assert.equal(toSector("consumer non-durables"), "Consumer Defensive");
  assert.equal(toSector("bất động sản"), "Real Estate");
  for (const sector of SECTORS) assert.equal(toSector(sector), sector);
});

test("what is not a sector is none", () => {
  for (const text of ["", "sector", "unicorns", "constructor", "__proto__"]) assert.equal(toSector(text), undefined);
});

test("a row belongs to the sector that its source's sector and industry say together", () => {
  const cases = [
    ["Electronic technology", "Semiconductors", "Technology"],
    ["Electronic technology", "Aerospace & defense", "Industrials"],
    ["Finance", "Regional banks", "Financial Services"],
    ["Finance", "Real estate investment trusts", "Real Estate"],
    ["Industrial services", "Oil & gas pipelines", "Energy"],
    ["Health technology", "Biotechnology", "Healthcare"],
    ["Technology", "Software - Application", "Technology"],
  ] as const;
  for (const [sector, industry, expected] of cases) assert.equal(sectorOf({ sector, industry }), expected, industry);
  assert.equal(sectorOf({ sector: "Miscellaneous" }), undefined);
  assert.equal(sectorOf({}), undefined);
});

test("an industry is found by what people call it, and by its own name in any source", () => {
  assert.deepEqual(toIndustries("bán dẫn"), ["Semiconductors"]);
  assert.deepEqual(toIndustries("ngân hàng"), ["Banks - Diversified", "Banks - Regional"], "every bank");
  assert.deepEqual(toIndustries("Water utilities"), ["Water utilities"]);
  assert.ok(isIndustry("bán dẫn", "Semiconductors"));
  assert.ok(isIndustry("banks", "Regional banks"));
  assert.ok(isIndustry("Water utilities", "Water utilities"));
  assert.ok(isIndustry("pharma", "Pharmaceuticals: major"));
  assert.ok(isIndustry("packag", "Containers/Packaging"));
  assert.ok(!isIndustry("banks", "Investment banks/Brokers"));
  assert.ok(!isIndustry("", "Steel"));
  assert.ok(!isIndustry("airlines", "Air freight/Couriers"));
});
