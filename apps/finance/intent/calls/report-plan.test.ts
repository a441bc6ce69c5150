import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePlan } from "@baton/assistant";
import { createTools } from "../../tools/catalogue.ts";
import { toMarketData } from "../../market/chain/chain.ts";
import { classify } from "../classify.ts";
import { planReport } from "./report-plan.ts";
import { SITUATION } from "../testing/directory.ts";

const market = toMarketData({ directory: SITUATION.directory, mode: "closed", today: () => "", chains: {} });
const tools = new Map(createTools(market).map((tool) => [tool.name, tool]));
const planOf = (question: string) => planReport(classify(question, SITUATION), SITUATION);

test("a report of one to three listings is a valid plan of at most fifteen tasks, with arguments its tools take", async () => {
  for (const question of [
    "full report on NVDA",
    "báo cáo đầy đủ về FPT",
    "full report on AAPL and MSFT",
    "full report on AAPL, MSFT and GOOGL",
    "full report on bitcoin",
    "full report on SPY",
    "full report on the market",
    "full report on AAPL, MSFT, GOOGL, AMZN and META",
    "báo cáo đầy đủ về BRK.B",
  ]) {
    const plan = planOf(question);
    const parsed = parsePlan(plan, new Set(tools.keys()));
    assert.deepEqual(parsed.ok ? [] : parsed.problems, [], question);
    assert.ok(plan.tasks.length >= 6 && plan.tasks.length <= 15, question);
    for (const { tool, args } of plan.tasks)
      assert.equal((await tools.get(tool)?.prepare({ ...args }))?.ok, true, `${question}: ${tool}`);
  }
});

test("ratios and growth wait for the income statement", () => {
  const { tasks } = planOf("full report on NVDA");
  for (const tool of ["getRatios", "getFinancialGrowth"]) {
    assert.deepEqual(tasks.find((task) => task.tool === tool)?.depends_on, ["nvda_income"]);
  }
});

test("titles are in the language of the question, and several companies are compared", () => {
  assert.equal(planOf("báo cáo đầy đủ về FPT").title, "Báo cáo đầy đủ về FPT.VN");
  const { title, tasks } = planOf("full report on AAPL and MSFT");
  assert.equal(title, "Full report on AAPL, MSFT");
  assert.deepEqual(tasks.at(-1)?.args["symbols"], ["AAPL", "MSFT"]);
});
