import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { SystemClock } from "@baton/core/ports";
import { openMarket } from "../market/chain/open-market.ts";
import { ASKS, COMMON_TOOLS } from "../tools/catalogue.ts";
import tools from "./tools.ts";

/** Returns the tools that an agent's YAML file lists, in any spelling. */
async function listedFor(agent: string): Promise<readonly (string | undefined)[]> {
  const text = await readFile(join(import.meta.dirname, `agents/${agent}.yaml`), "utf8");
  const [list = ""] = text.split(/^(?:context|system_prompt|output):/m, 1);
  return [...list.matchAll(/^ {2}- (?:\{ name: )?(\w+)/gm)].map(([, name]) => name);
}

/** Called by programs and by the store's clock. */
const UNOFFERED = /^(?:load|saveWorking$|saveCompaction$|checkAlert$)/;
const offered = tools.filter(({ name }) => !UNOFFERED.test(name));

test("the analyst has every tool that agents are offered, the common ones first", async () => {
  const listed = await listedFor("analyst");
  assert.deepEqual(new Set(listed), new Set(offered.map(({ name }) => name)));
  assert.deepEqual(listed.slice(0, COMMON_TOOLS.length), COMMON_TOOLS);
});

test("the runner has those that only read, but none that writes plans", async () => {
  const names = offered.filter(({ name, effect }) => effect === "read" && !name.endsWith("Plan"));
  assert.deepEqual(new Set(await listedFor("runner")), new Set(names.map(({ name }) => name)));
});

test("without a network a plan is offered no tool that has nothing to look up", async () => {
  const clock = new SystemClock();
  const offline = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock });
  const auto = await openMarket({ env: {}, clock });
  const served = (market: typeof auto) => [...ASKS].filter(([, asks]) => market.serves(asks)).map(([name]) => name);
  assert.deepEqual(served(offline), []);
  assert.ok(served(auto).includes("getStockNews") && served(auto).includes("getOptionsChain"));
});
