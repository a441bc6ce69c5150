/**
 * DCF: the value of growing cash flows, discounted at the end of each year, with a terminal value by Gordon's formula.
 */

/** Inputs of a valuation; rates are percent. */
export interface CashFlowModel {
  /** Of the year before the first. */
  readonly cashFlow: number;
  readonly growth: number;
  readonly years: number;
  readonly terminal_growth_percent: number;
  readonly discount: number;
  readonly netDebt: number;
  readonly shares: number;
}

/** The value of a company and of one share; `terminalShare` is the part of what comes after the years. */
export type CashFlowValue = Readonly<{ enterprise: number; equity: number; perShare: number; terminalShare: number }>;

/** Discounts the cash flows. The discount must be above the terminal growth. */
export function discountCashFlow(model: CashFlowModel): CashFlowValue {
  const [g, d, last] = [model.growth, model.discount, model.terminal_growth_percent].map((percent) => percent / 100);
  const [growth = 0, discount = 0, terminalGrowth = 0] = [g, d, last];
  let flow = model.cashFlow;
  let near = 0;
  for (let year = 1; year <= model.years; year += 1) {
    flow *= 1 + growth;
    near += flow / (1 + discount) ** year;
  }
  const terminal = (flow * (1 + terminalGrowth)) / (discount - terminalGrowth) / (1 + discount) ** model.years;
  const enterprise = near + terminal;
  const equity = enterprise - model.netDebt;
  return { enterprise, equity, perShare: equity / model.shares, terminalShare: terminal / enterprise };
}
