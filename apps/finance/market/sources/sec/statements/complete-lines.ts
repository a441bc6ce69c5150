/**
 * Complete lines: what follows from the reported lines of one statement, such as gross profit, total debt or free cash
 * flow. A line that is reported is never replaced, and one whose parts are not known stays absent.
 */
import type { StatementKind } from "../../../port/market-data.ts";
import { type MaybeNumber, minus, sum } from "../../../metrics/statement-facts.ts";

type Lines = Map<string, number>;
type Rule = readonly [name: string, value: (get: (name: string) => MaybeNumber) => MaybeNumber];

/** The sum of the parts that are known, if any is. */
function known(...parts: readonly MaybeNumber[]): MaybeNumber {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : sum(...given);
}

const RULES: Readonly<Record<StatementKind, readonly Rule[]>> = {
  income: [
    ["grossProfit", (get) => minus(get("revenue"), get("costOfRevenue"))],
    ["costOfRevenue", (get) => minus(get("revenue"), get("grossProfit"))],
    [
      "sellingGeneralAndAdministrativeExpenses",
      (get) => sum(get("generalAndAdministrativeExpenses"), get("sellingAndMarketingExpenses")),
    ],
    ["ebit", (get) => sum(get("incomeBeforeTax"), get("interestExpense"))],
    ["ebitda", (get) => sum(get("ebit"), get("depreciationAndAmortization"))],
    ["bottomLineNetIncome", (get) => get("netIncome")],
  ],
  balance: [
    ["cashAndShortTermInvestments", (get) => sum(get("cashAndCashEquivalents"), get("shortTermInvestments"))],
    ["goodwillAndIntangibleAssets", (get) => sum(get("goodwill"), get("intangibleAssets"))],
    ["totalNonCurrentAssets", (get) => minus(get("totalAssets"), get("totalCurrentAssets"))],
    ["totalLiabilities", (get) => minus(get("totalLiabilitiesAndTotalEquity"), get("totalEquity"))],
    ["totalNonCurrentLiabilities", (get) => minus(get("totalLiabilities"), get("totalCurrentLiabilities"))],
    ["shortTermDebt", (get) => known(get("#longTermDebtCurrent"), get("#borrowings"))],
    ["longTermDebt", (get) => minus(get("#longTermDebtWhole"), get("#longTermDebtCurrent") ?? 0)],
    ["totalDebt", (get) => known(get("shortTermDebt"), get("longTermDebt"))],
    ["netDebt", (get) => minus(get("totalDebt"), get("cashAndCashEquivalents"))],
  ],
  cash_flow: [
    ["netDebtIssuance", (get) => minus(get("#debtIssued"), get("#debtRepaid"))],
    ["freeCashFlow", (get) => sum(get("operatingCashFlow"), get("capitalExpenditure"))],
  ],
};

/** The lines with those that follow from them, and without those that only serve to compute others. */
export function completeLines(statement: StatementKind, lines: ReadonlyMap<string, number>): Lines {
  const complete: Lines = new Map(lines);
  for (const [name, compute] of RULES[statement]) {
    const value = complete.has(name) ? undefined : compute((line) => complete.get(line));
    if (value !== undefined && Number.isFinite(value)) complete.set(name, value);
  }
  for (const name of lines.keys()) if (name.startsWith("#")) complete.delete(name);
  return complete;
}
