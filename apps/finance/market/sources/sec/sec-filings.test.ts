import assert from "node:assert/strict";
import { test } from "node:test";
import { stock } from "../testing/listings.ts";
import { askFake, type Question } from "../testing/ask-fake.ts";
import type { InsiderTrade } from "../../port/filings.ts";
import type { Sourced } from "../../port/provenance.ts";
import type { Reply, Seen } from "../../testing/fake-server.ts";

const AAPL = stock("AAPL");

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
