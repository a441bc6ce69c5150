/**
 * Income statement: revenue, costs and profit by period; the other two statements if they are asked for.
 */
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { PeriodKind, StatementKind } from "../../market/port/market-data.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { loadSet, PERIOD_CARD, toPeriodInput, toPeriodWords } from "./period-tool.ts";
import { type ShownPeriods, toPeriodFigures } from "./periods.ts";

const STATEMENTS = ["income", "balance", "cash_flow"] as const;

type Statements = ShownPeriods & Readonly<{ statement: StatementKind | "all" }>;

/** Shows revenue, expenses and profit; balance sheet and cash flow if asked for. */
export const incomeStatementTool = defineListingTool({
  ...PERIOD_CARD,
  name: "getIncomeStatement",
  description: "Statements of one company by period, newest first: income, balance sheet or cash flow.",
  isCommon: true,
  chart: { type: "showStockFinancials", about: "symbol", sets: STATEMENTS },
  input: {
    statement: z
      .enum([...STATEMENTS, "all"])
      .default("income")
      .describe("Default income"),
    ...toPeriodInput(8),
  },
  run: async (listing, { statement, period, limit }, asked): Promise<Sourced<Statements>> => {
    if (statement === "all") return loadAll(asked, listing, { period, limit });
    const { data, provenance } = await loadSet(asked, listing, { set: statement, period, limit });
    return { data: { ...data, statement }, provenance };
  },
  figures: (data) => toPeriodFigures(data, ...(data.statement === "all" ? STATEMENTS : [data.statement])),
  digest: (data) => {
    const { shared = [], ...words } = toPeriodWords(data);
    const cut = data.statement === "all" ? ["the first lines of each; one statement alone has all its lines"] : [];
    return { ...words, shared: [NAMES[data.statement], ...cut, ...shared] };
  },
});

const NAMES = {
  income: "income statement",
  balance: "balance sheet",
  cash_flow: "cash flow statement",
  all: "income statement, balance sheet, cash flow",
} as const;

type Asked = Readonly<{ period: PeriodKind; limit: number }>;

/** The periods of the three statements, one after the other; one that is missing does not hide the others. */
async function loadAll(asked: MarketContext, listing: Listing, query: Asked): Promise<Sourced<Statements>> {
  const loaded: (Sourced<ShownPeriods> & Readonly<{ set: StatementKind }>)[] = [];
  let missing: MarketError | undefined;
  for (const set of STATEMENTS) {
    try {
      loaded.push({ set, ...(await loadSet(asked, listing, { set, ...query })) });
    } catch (thrown) {
      if (!(thrown instanceof MarketError) || thrown.kind !== "no_data") throw thrown;
      missing ??= thrown;
    }
  }
  const [first] = loaded;
  if (first === undefined) throw missing ?? new MarketError("no_data", "there are no statements");
  const periods = loaded.flatMap(({ set, data }) => data.periods.map((period) => ({ statement: set, ...period })));
  const data = { ...first.data, statement: "all" as const, periods };
  return { data, provenance: joinProvenance(loaded.map(({ provenance }) => provenance)) };
}
