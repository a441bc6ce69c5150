import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "@baton/assistant";
import { toBrief } from "./brief.ts";

const PRICE: Fact = {
  id: "f1.1.1.1",
  call: "1.1.1",
  path: "data.price",
  value: 12.5,
  unit: "money/share",
  currency: "USD",
  symbol: "ACME",
  metric: "price",
  period: { end: "2024-11-22" },
  as_of: "2024-11-22T16:00:00-05:00",
  kind: "real-snapshot",
  source: "embedded",
};
const RSI: Fact = { ...PRICE, call: "1.1.2", value: 61.2, unit: "points", metric: "RSI(14)", kind: "synthetic" };

test("real figures are told without a warning", () => {
  const expected =
    "**ACME**, as of 2024-11-22.\n\n- Real, snapshot: price 12.5 USD (2024-11-22)\n\nNot investment advice.";
  assert.equal(toBrief([PRICE]), expected);
});

test("simulated figures stand apart, and the first sentence says so", () => {
  const [first, , ...lines] = toBrief([RSI, PRICE]).split("\n");
  assert.match(first ?? "", /the figures under Simulated come from a simulated price path/);
  assert.deepEqual(lines.slice(0, 2), [
    "- Real, snapshot: price 12.5 USD (2024-11-22)",
    "- Simulated: RSI(14) 61.2 (2024-11-22)",
  ]);
  assert.match(toBrief([RSI]), /^\*\*ACME\*\*, as of 2024-11-22; all figures come from a simulated price path/);
});

test("of each call the four figures that tell most are told", () => {
  const many = Array.from({ length: 9 }, (_, at): Fact => ({ ...PRICE, metric: `figure ${at}`, value: at + 1 }));
  const line = toBrief(many).split("\n")[2] ?? "";
  assert.equal(line.split(" · ").length, 4);
  assert.ok(line.includes("figure 0 1 USD") && !line.includes("figure 4"));
});

test("without facts nothing is told", () => {
  assert.equal(toBrief([]), "The tools found no figures, so there is nothing to tell.");
});
