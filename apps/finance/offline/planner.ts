/**
 * Planner: a plan as data: what a full report looks up, a task for each call.
 */
import type { Decision, Json, Prompt } from "@baton/core";
import type { ChosenCall } from "./analyst.ts";
import { lookedUpBy } from "./tool-topics.ts";
import { toTitle } from "./metric-names.ts";
import { toView } from "./view.ts";

const MAX_TASKS = 15;

const TITLES = {
  en: (names: string) => `Report${names === "" ? "" : ` on ${names}`}`,
  vi: (names: string) => `Báo cáo${names === "" ? "" : ` về ${names}`}`,
} as const;

/** What every report has of a company, the most telling first. */
const OF_COMPANY = [
  "getStockQuote",
  "getTechnicalIndicators",
  "getIncomeStatement",
  "getRatios",
  "getVolatilityAnalysis",
  "getStockNews",
  "getBalanceSheet",
  "getCashFlow",
  "getPriceChange",
];
const OF_COIN = ["getCryptoQuote", "getTechnicalIndicators", "getVolatilityAnalysis", "getCryptoNews"];
const OF_FUND = ["getStockQuote", "getTechnicalIndicators", "getVolatilityAnalysis", "getPriceChange"];

/** The plan of a report; calls that the rules chose follow what every report has. */
export async function planReport(prompt: Prompt, choose: () => Promise<readonly ChosenCall[]>): Promise<Decision> {
  const { intent, language } = toView(prompt);
  const listings = intent?.listings ?? [];
  const share = Math.max(1, Math.floor(MAX_TASKS / Math.max(1, listings.length)));
  const usual = listings.flatMap(({ symbol, type }) =>
    toolsOf(type)
      .slice(0, share)
      .map((tool) => ({ tool, args: { symbol } })),
  );
  const calls = [...usual, ...(await choose())].slice(0, MAX_TASKS);
  const tasks = [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()].map(
    ({ tool, args }, index) => ({
      id: `task_${index + 1}`,
      title: [toTitle(lookedUpBy(tool, language)), symbolOf(args)].filter((part) => part !== "").join(" · "),
      tool,
      args,
      depends_on: [],
      priority: index,
    }),
  );
  const names = listings.map(({ symbol }) => symbol).join(", ");
  const plan = { title: TITLES[language](names), tasks };
  return { output: plan, set: { plan_draft: plan } };
}

function toolsOf(type: "stock" | "etf" | "index" | "crypto"): readonly string[] {
  if (type === "stock") return OF_COMPANY;
  return type === "crypto" ? OF_COIN : OF_FUND;
}

function symbolOf(args: Json): string {
  const symbol = typeof args === "object" && args !== null && "symbol" in args ? args["symbol"] : undefined;
  return typeof symbol === "string" ? symbol : "";
}
