import assert from "node:assert/strict";
import { test } from "node:test";
import { openMarket } from "../market/chain/open-market.ts";
import { classify } from "./classify.ts";
import { chooseTools } from "./calls/tool-choice.ts";

const { directory } = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: { now: () => 0 } });

test("this month of filings ends on their own day, and that of prices on the day of prices", () => {
  const situation = { directory, today: "2024-11-22", recordsToday: "2026-05-14" };
  const startOf = (question: string): unknown =>
    chooseTools(classify(question, situation), question, situation).map(({ args }) =>
      new Map(Object.entries(args)).get("from"),
    )[0];
  assert.equal(startOf("did Intel file any 8-K this month?"), "2026-05-01");
  assert.equal(startOf("AAPL prices this month"), "2024-11-01");
});
