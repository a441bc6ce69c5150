/** Every tool on live sources, while they work and while they fail; symbols that are unknown or ambiguous. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { MemoryCache } from "@baton/assistant";
import { ToolError } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { inSlice, SimulatedClock } from "@baton/core/testing";
import type { MarketData } from "../market/port/market-data.ts";
import { openMarket } from "../market/chain/open-market.ts";
import { openPack } from "../market/pack/pack.ts";
import type { Fault } from "../market/testing/fake-server.ts";
import { createTools } from "./catalogue.ts";
import "../market/testing/date-of-answers.ts";
import { openLiveWorld } from "./testing/live-world.ts";
import { type Args, ASKED, assertDigest, assertHonest, call, CALLED, LOCAL, toolOf } from "./testing/tool-calls.ts";

const NOW = Date.parse("2024-11-22T15:00:00Z");
const pack = openPack();
const tools = (market: MarketData) => createTools(market, { cache: new MemoryCache() });
const embedded = tools(
  await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: new SimulatedClock(NOW), pack }),
);

suite("every tool on the stored data", () => {
  for (const [name, args] of inSlice([...ASKED])) {
    test(`${name} answers, or says why it has no data`, async () => {
      const tool = toolOf(embedded, name);
      const called = await call(tool, args);
      assertHonest(name, called);
      assertDigest(tool, called);
    });
  }

  for (const [name, args] of inSlice([...ASKED].filter(([, asked]) => "symbol" in asked))) {
    test(`${name} has no data for a symbol that does not exist, and a choice for one that can mean several`, async () => {
      const tool = toolOf(embedded, name);
      const unknown = await call(tool, { ...args, symbol: "QQZZX" });
      assert.equal(unknown.output.no_data, true);
      assertHonest(name, unknown);
      if (name.includes("Crypto")) return;
      if (name === "valueDcf") return;
      const several = await call(tool, { ...args, symbol: "VNM" });
      assert.equal(several.output.ambiguous, true, name);
      const symbols = (several.output.candidates ?? []).map(({ symbol }) => symbol);
      assert.deepEqual(symbols.toSorted(), ["VNM", "VNM.VN"]);
    });
  }
});

/** Without GDELT, which answers once in five seconds. */
const env = { BATON_FINANCE_WITHOUT: "gdelt" };
const openLive = (fault: Fault = "none") => openLiveWorld({ pack, clock: new SystemClock(), fault, env });

const KINDS = /^(throttled|not_configured|plan|upstream)\b/;
const FAULTS: readonly Fault[] = ["down", "error", "throttled", "html", "json"];

suite("every tool on live sources that work", () => {
  test("answers with live data whose numbers are facts", async () => {
    await using live = await openLive();
    const all = tools(live.market);
    const answer = async (name: string, args: Args) => {
      // the made-up history is not as old as the real one
      const { from: _, to: __, ...recent } = args;
      const called = await call(toolOf(all, name), name === "runBacktest" ? recent : args);
      assertHonest(name, called);
      if (LOCAL.has(name)) return;
      const { provenance, data } = called.output;
      // The made-up market has no stock that fits: it must not be answered from the pack of another year.
      // Options come from an unofficial source, which is off in this world.
      const isEmpty = name === "getScreener" || name === "getOptionsChain";
      if (isEmpty) assert.equal(called.output.no_data, true, name);
      if (isEmpty) return;
      assert.ok(data !== undefined, `${name}: ${called.output.message}`);
      assert.ok(!JSON.stringify(called).includes("secret-key"), `${name} shows a key`);
      assert.ok(["live", "delayed", "history"].includes(provenance?.kind ?? ""), `${name}: ${provenance?.kind}`);
    };
    for (const [name, args] of inSlice([...ASKED])) await answer(name, args);
  });
});

/** At once, because each waits for retries. */
suite("every tool on live sources that fail", { concurrency: true }, () => {
  for (const fault of inSlice(FAULTS)) {
    test(`says what is wrong in a typed way when all sources are ${fault}, and makes nothing up`, async () => {
      await using live = await openLive(fault);
      const all = tools(live.market);
      const check = async (name: string, args: Args) => {
        const outcome = await call(toolOf(all, name), args).catch((thrown: unknown) => thrown);
        if (outcome instanceof Error) {
          assert.ok(outcome instanceof ToolError, `${name} threw ${outcome.name}: ${outcome.message}`);
          assert.match(outcome.message, KINDS, name);
          assert.ok(!outcome.message.includes("secret-key"));
          return;
        }
        const { output } = CALLED.parse(outcome);
        const isHonest =
          LOCAL.has(name) || output.no_data === true || ["snapshot", "history"].includes(output.provenance?.kind ?? "");
        assert.ok(isHonest, `${name} answered ${JSON.stringify(output).slice(0, 200)}`);
      };
      await Promise.all([...ASKED].map(([name, args]) => check(name, args)));
    });
  }
});
