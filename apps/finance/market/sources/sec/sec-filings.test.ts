import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake, type Question } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import type { InsiderTrade } from "../../port/filings.ts";
import type { Sourced } from "../../port/provenance.ts";
import type { Reply, Seen } from "../../testing/fake-server.ts";

const stock = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
});
const AAPL = stock("AAPL");

test("filings are rows of parallel arrays, in which an empty text shifts nothing", async () => {
  const recent = {
    accessionNumber: ["0000320193-24-000003", "0000320193-24-000002", "0000320193-24-000001"],
    filingDate: ["2024-03-01", "2024-02-01", "2024-01-01"],
    reportDate: ["", "2024-01-31", ""],
    form: ["8-K", "10-K", "8-K"],
    items: ["2.02,9.01", "", "5.02"],
    primaryDocument: ["c.htm", "", "../../a.htm"],
    primaryDocDescription: ["", "ANNUAL REPORT", ""],
  };
  const body = JSON.stringify({ cik: "320193", name: "Apple Inc.", filings: { recent } });
  await using sec = await askFake("sec", {
    answer: ({ path }) => (path.includes("/submissions/") ? { body } : undefined),
  });
  const query = { listing: AAPL, forms: [], limit: 10 };
  const { data } = await sec.ask((source, scope) => source.filings?.(query, scope));
  assert.deepEqual(
    data.map(({ form, reportDay, items, title, url }) => [form, reportDay, items, title, url?.split("/").at(-1)]),
    [
      ["8-K", undefined, ["2.02", "9.01"], undefined, "c.htm"],
      ["10-K", "2024-01-31", undefined, "ANNUAL REPORT", undefined],
      ["8-K", undefined, ["5.02"], undefined, undefined],
    ],
  );
});

test("filings are found by form with their amendments, by day, and in older lists if they are needed", async () => {
  await using sec = await askFake("sec");
  const ask = async (rest: Readonly<{ forms: readonly string[]; from?: string; to?: string; limit: number }>) =>
    (await sec.ask((source, scope) => source.filings?.({ listing: AAPL, ...rest }, scope))).data;
  const recent = await ask({ forms: ["10-K"], limit: 2 });
  assert.deepEqual(
    recent.map(({ form, filed }) => [form, filed]),
    [
      ["10-K", "2025-10-30"],
      ["10-K", "2024-10-31"],
    ],
  );
  assert.equal(sec.requests.filter(({ path }) => path.includes("-submissions-")).length, 0);
  const amended = await ask({ forms: ["10-k"], from: "2022-10-01", to: "2023-03-01", limit: 9 });
  assert.deepEqual(
    amended.map(({ form }) => form),
    ["10-K/A", "10-K"],
  );
  assert.equal(sec.requests.filter(({ path }) => path.includes("-submissions-")).length, 1);
  await assert.rejects(ask({ forms: ["S-1"], limit: 1 }), { kind: "no_data", message: /did not file S-1/ });
});

test("a section of a report is read by accession, up to a sentence", async () => {
  await using sec = await askFake("sec");
  const query = { accession: "0000320193-25-000004", section: "item 1A", maxChars: 500 };
  const { data, provenance } = await sec.ask((source, scope) => source.filingSection?.(query, scope));
  assert.deepEqual([data.form, data.section, data.heading, data.isCut], ["10-K", "1A", "ITEM 1A. RISK FACTORS", true]);
  assert.match(data.text, /^Apple Inc\. says sentence 1 of item 1A about U\.S\. markets & others.* and the rest\.$/s);
  assert.ok(data.text.length <= 500 && data.totalChars > 2_000);
  assert.match(provenance.url ?? "", /\/Archives\/edgar\/data\/320193\/000032019325000004\/aapl-20250927\.htm$/);
  const whole = await sec.ask((source, scope) => source.filingSection?.({ ...query, maxChars: 90_000 }, scope));
  assert.deepEqual([whole.data.isCut, whole.data.text.length], [false, data.totalChars]);
  await sec.fails((source, scope) => source.filingSection?.({ ...query, section: "item 99" }, scope), {
    kind: "no_data",
    details: { available: "sections 1, 1A, 1B, 1C, 2, 3, 4, 5, 6, 7, 7A, 8, 9, 9A, 15, 16" },
  });
});

test("a filing that an agent sent is found once it was listed, or with its company", async () => {
  const list = { listing: AAPL, forms: ["8-K"], limit: 1 };
  await using sec = await askFake("sec");
  const [filing] = (await sec.ask((source, scope) => source.filings?.(list, scope))).data;
  const query = { accession: filing?.accession ?? "", section: "2.02", maxChars: 1_000 };
  assert.match(query.accession, /^0001193125-/);
  const listed = await sec.ask((source, scope) => source.filingSection?.(query, scope));
  assert.match(listed.data.text, /announced its results/);
  await using fresh = await askFake("sec");
  await fresh.fails((source, scope) => source.filingSection?.(query, scope), { kind: "no_data", message: /list the/ });
  const named = await fresh.ask((source, scope) => source.filingSection?.({ ...query, listing: AAPL }, scope));
  assert.equal(named.data.text, listed.data.text);
  await fresh.fails((source, scope) => source.filingSection?.({ ...query, accession: "../../x" }, scope), {
    kind: "no_data",
    message: /not an accession number/,
  });
});

test("a page in place of a report is an upstream error", async () => {
  const page = { headers: { "content-type": "text/html" } };
  for (const body of [
    "<html><title>Maintenance</title><p>Item 1A. Risk Factors</p></html>",
    "<html><head><title>SEC.gov | File Unavailable</title></head><p>Securities and Exchange Commission</p></html>",
  ]) {
    await using sec = await askFake("sec", {
      answer: ({ path }) => (path.endsWith(".htm") ? { ...page, body } : undefined),
    });
    const query = { accession: "0000320193-25-000004", section: "1A", maxChars: 500 };
    await sec.fails((source, scope) => source.filingSection?.(query, scope), {
      kind: "upstream",
      message: /not the report/,
    });
  }
});

test("a search gives filings with their companies, narrowed by form, day and company", async () => {
  await using sec = await askFake("sec");
  const query = { query: '"climate risk"', forms: ["10-K"], listings: [stock("GOOG"), stock("GOOGL")], limit: 1 };
  const { data } = await sec.ask((source, scope) => source.filingSearch?.({ ...query, from: "2023-01-01" }, scope));
  assert.deepEqual(
    data.hits.map(({ company, cik, form }) => [company, cik, form]),
    [["Alphabet Inc.", "0001652044", "10-K"]],
  );
  const sent = Object.fromEntries(sec.requests.at(-1)?.query ?? []);
  assert.deepEqual(
    [sent["q"], sent["forms"], sent["ciks"], sent["dateRange"], sent["startdt"], sent["enddt"]],
    ['"climate risk"', "10-K", "0001652044", "custom", "2023-01-01", "2026-03-05"],
  );
  await sec.fails((source, scope) => source.filingSearch?.({ ...query, query: "nothing" }, scope), {
    kind: "no_data",
  });
});

test("a search counts ten thousand filings at most, and says so", async () => {
  const found = { display_names: ["Apple Inc."], ciks: ["0000320193"], form: "10-K", file_date: "2025-10-30" };
  const hit = { _id: "0000320193-25-000004:a.htm", _source: { ...found, adsh: "0000320193-25-000004" } };
  const totalOf = (value: number, relation: string) => ({ hits: { total: { value, relation }, hits: [hit] } });
  await using few = await askFake("sec", { body: totalOf(9_999, "eq") });
  await using many = await askFake("sec", { body: totalOf(10_000, "gte") });
  const query = { query: "risk", forms: [], listings: [], limit: 10 };
  const exact = await few.ask((source, scope) => source.filingSearch?.(query, scope));
  assert.deepEqual([exact.data.total, exact.data.isCapped, exact.provenance.note], [9_999, false, undefined]);
  const capped = await many.ask((source, scope) => source.filingSearch?.(query, scope));
  assert.deepEqual([capped.data.total, capped.data.isCapped], [10_000, true]);
  assert.match(capped.provenance.note ?? "", /10000 filings or more/);
  const before = many.requests.length;
  await many.fails((source, scope) => source.filingSearch?.({ ...query, offset: 9_995 }, scope), { kind: "no_data" });
  assert.equal(many.requests.length, before);
});

test("trades of insiders are those in the company's own shares, newest first, without invented prices", async () => {
  await using sec = await askFake("sec");
  const { data } = await sec.ask((source, scope) => source.insiderTrades?.({ listing: AAPL, limit: 12 }, scope));
  assert.equal(data.length, 12);
  assert.deepEqual(
    data.map(({ filed }) => filed),
    data
      .map(({ filed }) => filed)
      .toSorted()
      .toReversed(),
  );
  const numbers = data.map(({ owner }) => Number(owner.split(" ").at(-1)));
  assert.ok(
    numbers.every((number) => number % 4 !== 3),
    "trades of another issuer",
  );
  for (const { owner, isDerivative, price, shares, isAcquired, code, role } of data) {
    const number = Number(owner.split(" ").at(-1));
    assert.equal(role, "director, Chief Executive Officer");
    if (isDerivative) assert.deepEqual([price, shares, isAcquired, code], [0, 100, false, "M"]);
    else {
      assert.equal(price, number % 3 === 0 ? undefined : 221.085);
      assert.deepEqual([shares, isAcquired, code], [1_000.5 + number, number % 2 === 1, number % 2 === 0 ? "S" : "A"]);
    }
  }
});

const FORM_4 =
  "<ownershipDocument><issuer><issuerCik>320193</issuerCik></issuer><nonDerivativeTable><nonDerivativeTransaction><securityTitle><value>Stock</value></securityTitle><transactionDate><value>2026-01-01</value></transactionDate><transactionCoding><transactionCode>P</transactionCode></transactionCoding><transactionAmounts><transactionAcquiredDisposedCode><value>A</value></transactionAcquiredDisposedCode></transactionAmounts></nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>";

test("forms that cannot be read are left out and counted; if none can be read, the error is told", async () => {
  let broken = 1;
  const answer = ({ path }: Seen): Reply | undefined => {
    if (!path.endsWith("form4_1.xml")) return undefined;
    return { headers: { "content-type": "text/xml" }, body: broken-- > 0 ? "<ownershipDocument>" : FORM_4 };
  };
  await using sec = await askFake("sec", { answer });
  const ask: Question<Sourced<readonly InsiderTrade[]>> = (source, scope) =>
    source.insiderTrades?.({ listing: AAPL, limit: 3 }, scope);
  const { data, provenance } = await sec.ask(ask);
  assert.deepEqual([data.length, provenance.note], [3, "1 of the Forms 4 could not be read"]);
  assert.deepEqual([data[0]?.price, data[0]?.shares], [undefined, undefined]);
  broken = 1_000;
  await using worse = await askFake("sec", { answer });
  await worse.fails(ask, { kind: "upstream" });
});

test("a manager's holdings are found by ticker, name or CIK, the lines of one security added", async () => {
  await using sec = await askFake("sec");
  for (const manager of [
    "BRK-B",
    "brk.b",
    "Berkshire Hathaway",
    "berkshire hathaway inc",
    "1067983",
    "CIK0001067983",
  ]) {
    const { data } = await sec.ask((source, scope) => source.holdings?.({ manager, limit: 2 }, scope));
    assert.deepEqual([data.manager, data.end, data.positions], ["BERKSHIRE HATHAWAY INC", "2025-12-31", 4], manager);
    assert.deepEqual(
      data.rows.map(({ issuer, value, shares }) => [issuer, value, shares]),
      [
        ["APPLE INC", 70_000_000, 350_000],
        ["BANK AMER CORP", 30_000_000, 800_000],
      ],
    );
    assert.equal(data.totalValue, 106_000_000);
  }
  const all = (await sec.ask((source, scope) => source.holdings?.({ manager: "BRK-B", limit: 9 }, scope))).data.rows;
  assert.deepEqual(
    all.slice(2).map(({ issuer, principal, shares, putCall }) => [issuer, principal, shares, putCall]),
    [
      ["AT&T INC", 5_000_000, undefined, undefined],
      ["APPLE INC", undefined, 5_000, "put"],
    ],
  );
  const unlisted = (
    await sec.ask((source, scope) => source.holdings?.({ manager: "Bridgewater Associates", limit: 1 }, scope))
  ).data;
  assert.equal(unlisted.cik, "0001350694");
  await sec.fails((source, scope) => source.holdings?.({ manager: "Nobody Capital", limit: 1 }, scope), {
    kind: "no_data",
  });
});

test("a quarter's holdings follow its amendments, and old reports are in thousands of dollars", async () => {
  await using sec = await askFake("sec");
  const ask = (quarter: string) =>
    sec.ask((source, scope) => source.holdings?.({ manager: "BRK-B", quarter, limit: 5 }, scope));
  const restated = await ask("2025Q3");
  assert.deepEqual([restated.data.totalValue, restated.data.accession], [29_000_000, "0001067983-26-000008"]);
  assert.match(restated.provenance.note ?? "", /restated by/);
  const added = await ask("2025-06-30");
  assert.deepEqual([added.data.totalValue, added.data.positions], [90_000_000, 2]);
  assert.match(added.provenance.note ?? "", /further holdings/);
  assert.equal((await ask("Q3 2022")).data.totalValue, 60_000_000);
  await assert.rejects(ask("2019Q1"), {
    kind: "no_data",
    details: { available: "quarters that end on 2025-12-31, 2025-09-30, 2025-06-30, 2022-09-30" },
  });
  await assert.rejects(ask("soon"), { kind: "no_data" });
});

test("a name that several filers have is a choice of managers, each with its CIK", async () => {
  const body = {
    "0": { cik_str: 1, ticker: "ACMA", title: "Acme Capital" },
    "1": { cik_str: 2, ticker: "ACMB", title: "ACME Advisors LP" },
  };
  await using sec = await askFake("sec", { body });
  const managers = [
    { name: "Acme Capital", cik: "0000000001" },
    { name: "ACME Advisors LP", cik: "0000000002" },
  ];
  await sec.fails((source, scope) => source.holdings?.({ manager: "acme", limit: 1 }, scope), {
    kind: "ambiguous",
    details: { managers, available: "Acme Capital (CIK 0000000001); ACME Advisors LP (CIK 0000000002)" },
  });
});
