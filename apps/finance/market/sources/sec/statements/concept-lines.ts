/**
 * Concept lines: which concepts of US GAAP and IFRS stand for which line of a statement, in FMP's names.
 *
 * Companies change concepts over the years, so each line has several; which one is used is decided for each period.
 * Money that is paid is negative in cash flow statements, as FMP has it.
 */
import type { StatementKind } from "../../../port/market-data.ts";

/** Measure of a line: money of a span, of a day, per share, or a number of shares. */
export type LineMeasure = "flow" | "instant" | "per_share" | "shares";

/** One line of a statement. A name that begins with # is only for computing others. */
export interface ConceptLine {
  readonly name: string;
  readonly measure: LineMeasure;
  /** The first of these that a period has; of those in one inner list, the largest, which is the total of the others. */
  readonly concepts: readonly (readonly string[])[];
  readonly sign: 1 | -1;
}

type Spec = string | readonly string[];

const toConcept = (name: string): string => (name.includes(":") ? name : `us-gaap:${name}`);
const ifrs = (name: string): string => `ifrs-full:${name}`;

const line = (name: string, measure: LineMeasure, specs: readonly Spec[]): ConceptLine => ({
  name,
  measure,
  sign: 1,
  concepts: specs.map((spec) => (typeof spec === "string" ? [toConcept(spec)] : spec.map(toConcept))),
});
const flow = (name: string, ...specs: readonly Spec[]): ConceptLine => line(name, "flow", specs);
const paid = (name: string, ...specs: readonly Spec[]): ConceptLine => ({ ...line(name, "flow", specs), sign: -1 });
const at = (name: string, ...specs: readonly Spec[]): ConceptLine => line(name, "instant", specs);

/** Banks' revenue is net of what they pay for deposits. Contracts with customers may be a part of all revenue. */
const REVENUE: readonly Spec[] = [
  "RevenuesNetOfInterestExpense",
  ["RevenueFromContractWithCustomerExcludingAssessedTax", "Revenues"],
  "RevenueFromContractWithCustomerIncludingAssessedTax",
  "SalesRevenueNet",
  "SalesRevenueGoodsNet",
  "RealEstateRevenueNet",
  "RegulatedAndUnregulatedOperatingRevenue",
  ifrs("Revenue"),
];
const NET_INCOME: readonly Spec[] = [
  "NetIncomeLoss",
  "NetIncomeLossAvailableToCommonStockholdersBasic",
  "ProfitLoss",
  ifrs("ProfitLossAttributableToOwnersOfParent"),
  ifrs("ProfitLoss"),
];
const DEPRECIATION: readonly Spec[] = [
  "DepreciationDepletionAndAmortization",
  "DepreciationAmortizationAndAccretionNet",
  "DepreciationAndAmortization",
  ifrs("DepreciationAndAmortisationExpense"),
];

const INCOME: readonly ConceptLine[] = [
  flow("revenue", ...REVENUE),
  flow("costOfRevenue", "CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold", ifrs("CostOfSales")),
  flow("grossProfit", "GrossProfit", ifrs("GrossProfit")),
  flow("researchAndDevelopmentExpenses", "ResearchAndDevelopmentExpense", ifrs("ResearchAndDevelopmentExpense")),
  flow("sellingGeneralAndAdministrativeExpenses", "SellingGeneralAndAdministrativeExpense"),
  flow("generalAndAdministrativeExpenses", "GeneralAndAdministrativeExpense"),
  flow("sellingAndMarketingExpenses", "SellingAndMarketingExpense", "MarketingExpense"),
  flow("operatingExpenses", "OperatingExpenses"),
  flow("costAndExpenses", "CostsAndExpenses"),
  flow("operatingIncome", "OperatingIncomeLoss", ifrs("ProfitLossFromOperatingActivities")),
  flow("interestIncome", "InterestAndDividendIncomeOperating", "InvestmentIncomeInterest"),
  flow("interestExpense", "InterestExpense", "InterestExpenseNonoperating", ifrs("FinanceCosts")),
  flow("netInterestIncome", "InterestIncomeExpenseNet"),
  flow("depreciationAndAmortization", ...DEPRECIATION),
  flow("totalOtherIncomeExpensesNet", "NonoperatingIncomeExpense", "OtherNonoperatingIncomeExpense"),
  flow(
    "incomeBeforeTax",
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
    ifrs("ProfitLossBeforeTax"),
  ),
  flow("incomeTaxExpense", "IncomeTaxExpenseBenefit", ifrs("IncomeTaxExpenseContinuingOperations")),
  flow("netIncomeFromContinuingOperations", "IncomeLossFromContinuingOperations"),
  flow("netIncomeFromDiscontinuedOperations", "IncomeLossFromDiscontinuedOperationsNetOfTax"),
  flow("netIncome", ...NET_INCOME),
  flow("bottomLineNetIncome", "NetIncomeLossAvailableToCommonStockholdersBasic"),
  line("eps", "per_share", [
    "EarningsPerShareBasic",
    "EarningsPerShareBasicAndDiluted",
    ifrs("BasicEarningsLossPerShare"),
  ]),
  line("epsDiluted", "per_share", [
    "EarningsPerShareDiluted",
    "EarningsPerShareBasicAndDiluted",
    ifrs("DilutedEarningsLossPerShare"),
  ]),
  line("weightedAverageShsOut", "shares", [
    "WeightedAverageNumberOfSharesOutstandingBasic",
    "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
    ifrs("WeightedAverageShares"),
  ]),
  line("weightedAverageShsOutDil", "shares", [
    "WeightedAverageNumberOfDilutedSharesOutstanding",
    "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
    ifrs("AdjustedWeightedAverageShares"),
  ]),
];

const BALANCE: readonly ConceptLine[] = [
  at("totalAssets", "Assets", ifrs("Assets")),
  at("totalCurrentAssets", "AssetsCurrent", ifrs("CurrentAssets")),
  at("totalNonCurrentAssets", "AssetsNoncurrent", ifrs("NoncurrentAssets")),
  at(
    "cashAndCashEquivalents",
    "CashAndCashEquivalentsAtCarryingValue",
    "CashAndDueFromBanks",
    "Cash",
    ifrs("CashAndCashEquivalents"),
  ),
  at(
    "shortTermInvestments",
    "MarketableSecuritiesCurrent",
    "ShortTermInvestments",
    "AvailableForSaleSecuritiesCurrent",
  ),
  at("cashAndShortTermInvestments", "CashCashEquivalentsAndShortTermInvestments"),
  at("accountsReceivables", "AccountsReceivableNetCurrent"),
  at(
    "netReceivables",
    "ReceivablesNetCurrent",
    "AccountsReceivableNetCurrent",
    ifrs("TradeAndOtherCurrentReceivables"),
  ),
  at("inventory", "InventoryNet", ifrs("Inventories")),
  at("prepaids", "PrepaidExpenseCurrent"),
  at("otherCurrentAssets", "OtherAssetsCurrent"),
  at("propertyPlantEquipmentNet", "PropertyPlantAndEquipmentNet", ifrs("PropertyPlantAndEquipment")),
  at("goodwill", "Goodwill", ifrs("Goodwill")),
  at("intangibleAssets", "IntangibleAssetsNetExcludingGoodwill", "FiniteLivedIntangibleAssetsNet"),
  at("goodwillAndIntangibleAssets", "IntangibleAssetsNetIncludingGoodwill"),
  at("longTermInvestments", "MarketableSecuritiesNoncurrent", "LongTermInvestments"),
  at("otherNonCurrentAssets", "OtherAssetsNoncurrent"),
  at("totalLiabilities", "Liabilities", ifrs("Liabilities")),
  at("totalCurrentLiabilities", "LiabilitiesCurrent", ifrs("CurrentLiabilities")),
  at("totalNonCurrentLiabilities", "LiabilitiesNoncurrent", ifrs("NoncurrentLiabilities")),
  at("accountPayables", "AccountsPayableCurrent", "AccountsPayableTradeCurrent", ifrs("TradeAndOtherCurrentPayables")),
  at("accruedExpenses", "AccruedLiabilitiesCurrent"),
  at("deferredRevenue", "ContractWithCustomerLiabilityCurrent", "DeferredRevenueCurrent"),
  at("deferredRevenueNonCurrent", "ContractWithCustomerLiabilityNoncurrent", "DeferredRevenueNoncurrent"),
  at("otherCurrentLiabilities", "OtherLiabilitiesCurrent"),
  at("otherNonCurrentLiabilities", "OtherLiabilitiesNoncurrent"),
  at("shortTermDebt", "DebtCurrent", ifrs("CurrentBorrowings")),
  at("longTermDebt", "LongTermDebtNoncurrent", ifrs("NoncurrentPortionOfNoncurrentBorrowings")),
  at("#longTermDebtCurrent", "LongTermDebtCurrent"),
  at("#longTermDebtWhole", "LongTermDebt"),
  at("#borrowings", "ShortTermBorrowings", "CommercialPaper"),
  at("capitalLeaseObligationsCurrent", "OperatingLeaseLiabilityCurrent"),
  at("capitalLeaseObligationsNonCurrent", "OperatingLeaseLiabilityNoncurrent"),
  at("retainedEarnings", "RetainedEarningsAccumulatedDeficit", ifrs("RetainedEarnings")),
  at("treasuryStock", "TreasuryStockValue", "TreasuryStockCommonValue"),
  at("preferredStock", "PreferredStockValue"),
  at("commonStock", "CommonStockValue", "CommonStocksIncludingAdditionalPaidInCapital", ifrs("IssuedCapital")),
  at("additionalPaidInCapital", "AdditionalPaidInCapital", "AdditionalPaidInCapitalCommonStock"),
  at("accumulatedOtherComprehensiveIncomeLoss", "AccumulatedOtherComprehensiveIncomeLossNetOfTax"),
  at("minorityInterest", "MinorityInterest", ifrs("NoncontrollingInterests")),
  at("totalStockholdersEquity", "StockholdersEquity", ifrs("EquityAttributableToOwnersOfParent"), ifrs("Equity")),
  at(
    "totalEquity",
    "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
    "StockholdersEquity",
    ifrs("Equity"),
  ),
  at("totalLiabilitiesAndTotalEquity", "LiabilitiesAndStockholdersEquity", ifrs("EquityAndLiabilities")),
];

const OPERATING: readonly Spec[] = [
  "NetCashProvidedByUsedInOperatingActivities",
  "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
  ifrs("CashFlowsFromUsedInOperatingActivities"),
];
const CAPEX: readonly Spec[] = [
  "PaymentsToAcquirePropertyPlantAndEquipment",
  "PaymentsToAcquireProductiveAssets",
  ifrs("PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities"),
];
const DIVIDENDS: readonly Spec[] = ["PaymentsOfDividends", "PaymentsOfDividendsCommonStock", ifrs("DividendsPaid")];

const CASH_FLOW: readonly ConceptLine[] = [
  flow("netIncome", "ProfitLoss", ...NET_INCOME),
  flow("depreciationAndAmortization", ...DEPRECIATION),
  flow("stockBasedCompensation", "ShareBasedCompensation"),
  flow("deferredIncomeTax", "DeferredIncomeTaxExpenseBenefit"),
  paid("accountsReceivables", "IncreaseDecreaseInAccountsReceivable"),
  paid("inventory", "IncreaseDecreaseInInventories"),
  flow("accountsPayables", "IncreaseDecreaseInAccountsPayable"),
  flow("operatingCashFlow", ...OPERATING),
  flow("netCashProvidedByOperatingActivities", ...OPERATING),
  paid("capitalExpenditure", ...CAPEX),
  paid("investmentsInPropertyPlantAndEquipment", ...CAPEX),
  paid("acquisitionsNet", "PaymentsToAcquireBusinessesNetOfCashAcquired"),
  paid("purchasesOfInvestments", "PaymentsToAcquireInvestments", "PaymentsToAcquireAvailableForSaleSecuritiesDebt"),
  flow(
    "netCashProvidedByInvestingActivities",
    "NetCashProvidedByUsedInInvestingActivities",
    ifrs("CashFlowsFromUsedInInvestingActivities"),
  ),
  flow("#debtIssued", "ProceedsFromIssuanceOfLongTermDebt", "ProceedsFromIssuanceOfDebt"),
  flow("#debtRepaid", "RepaymentsOfLongTermDebt", "RepaymentsOfDebt"),
  flow("commonStockIssuance", "ProceedsFromIssuanceOfCommonStock"),
  paid("commonStockRepurchased", "PaymentsForRepurchaseOfCommonStock"),
  paid("netDividendsPaid", ...DIVIDENDS),
  paid("commonDividendsPaid", "PaymentsOfDividendsCommonStock", ...DIVIDENDS),
  flow(
    "netCashProvidedByFinancingActivities",
    "NetCashProvidedByUsedInFinancingActivities",
    ifrs("CashFlowsFromUsedInFinancingActivities"),
  ),
  flow(
    "netChangeInCash",
    "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect",
    "CashAndCashEquivalentsPeriodIncreaseDecrease",
  ),
  flow("interestPaid", "InterestPaidNet", "InterestPaid"),
  flow("incomeTaxesPaid", "IncomeTaxesPaidNet", "IncomeTaxesPaid"),
];

/** The lines of each statement. */
export const CONCEPT_LINES: Readonly<Record<StatementKind, readonly ConceptLine[]>> = {
  income: INCOME,
  balance: BALANCE,
  cash_flow: CASH_FLOW,
};

/** Dividends that were declared, per share. */
export const DIVIDEND_LINE: ConceptLine = line("dividend", "per_share", ["CommonStockDividendsPerShareDeclared"]);

/** Lines whose periods are those of the company's statements. */
export const CALENDAR_LINES: readonly ConceptLine[] = [
  flow("revenue", ...REVENUE),
  flow("netIncome", ...NET_INCOME, "ProfitLoss"),
  flow("operatingCashFlow", ...OPERATING),
  flow("incomeTaxExpense", "IncomeTaxExpenseBenefit"),
  flow("operatingIncome", "OperatingIncomeLoss"),
];

/** Every concept that some line has. */
export const CONCEPTS: ReadonlySet<string> = new Set(
  [...INCOME, ...BALANCE, ...CASH_FLOW, DIVIDEND_LINE].flatMap(({ concepts }) => concepts.flat()),
);
