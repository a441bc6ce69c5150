/** Charts in Chromium: each kind of a real run, wide and narrow, and the numbers of their tables. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openThreads } from "../../../cli/src/crew/crew-loader.ts";
import { toDialects, toMounts } from "../../../cli/src/serve/assistant-module.ts";
import { findServedCrews } from "../../../cli/src/serve/served-crews.ts";
import { ModelChoice } from "../../../baton/src/model-choice.ts";
import { type RunningServer, startServer } from "../../../server/src/index.ts";
import { openPageBrowser, PAGE_SUITE } from "../testing/page-suite.ts";
import { overflowOf, say, untilTitle, Visitor } from "../testing/visitor.ts";

const ROOT = join(import.meta.dirname, "../../../..");

/** The offline market has no headlines, so a tool gives some as the finance crew does with a provider. */
const headlines = defineCrew({
  name: "headlines",
  agents: [{ id: "reader", isTerminal: true, tools: ["readNews"] }],
  tools: [
    defineTool({
      name: "readNews",
      description: "Reads the news.",
      effect: "read",
      input: z.object({}),
      run(_, { note }) {
        const items = Array.from({ length: 9 }, (_unused, index) => ({
          title: index === 0 ? "Donaudampfschifffahrtsgesellschaft".repeat(4) : `Headline ${index}`,
          source: "Reuters",
          published_at: 1_732_000_000 - index * 3_600,
          url: index === 1 ? "javascript:alert(1)" : `https://news.example/${index}`,
          symbols: ["AAPL"],
        }));
        note("chart", { type: "showStockNews", symbols: ["AAPL"], primary: true, data: { items } });
        return "nine headlines";
      },
    }),
  ],
});
const reads = scriptModel({ reader: [{ call: [{ tool: "readNews", args: {} }] }, { say: "Nine headlines." }] });

/** The question for each kind of chart, and the element that must be drawn. */
const KINDS = [
  ["showStockChart", "Technical analysis of AAPL", ".chart-canvas canvas"],
  ["showStockPrice", "What is the price of AAPL?", ".chart-price .chart-spark path"],
  ["showStockFinancials", "Show me the balance sheet of AAPL", ".chart-financials .chart-bar"],
  ["showStockNews", "Latest news", ".chart-news li"],
  ["showMarketOverview", "How is the market today?", ".chart-market"],
  ["showTrendingStocks", "What are the top gainers today?", ".chart-trending li"],
  ["showStockHeatmap", "How are the sectors doing?", ".chart-heatmap rect"],
] as const;

describe("charts", PAGE_SUITE, () => {
  let server: RunningServer;
  let store: Store;
  let browser: Browser;
  let visitor: Visitor;

  before(async () => {
    const found = await findServedCrews({ crews: [join(ROOT, "apps/finance/crew")] }, { threads: openThreads() });
    const models = await ModelChoice.open(
      found.map(({ source }) => source),
      { env: {}, override: undefined },
    );
    store = await Store.open({ database: openMemory() });
    const assistants = found.flatMap(({ id, assistant }) => (assistant === undefined ? [] : [{ id, assistant }]));
    server = await startServer({
      store,
      port: 0,
      graceMs: 0,
      logLevel: "silent",
      rateLimits: "off",
      console: await ensureConsole(),
      crews: [
        ...found.map(({ served }) => served),
        { id: "headlines", crew: headlines, findings: [], kind: "assistant" },
      ],
      model: (agent, crew) => (crew.name === "headlines" ? reads : models.modelOf(agent, crew)),
      replaceProgram: models.replaceProgram,
      routes: assistants.flatMap(({ id, assistant }) => toMounts(id, assistant)),
      dialects: assistants.flatMap(({ id, assistant }) => toDialects(id, assistant)),
    });
    browser = await openPageBrowser();
    visitor = new Visitor(browser, server.url);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await store?.[Symbol.asyncDispose]();
  });

  for (const [kind, question, drawn] of KINDS) {
    test(`${kind} is drawn at 1,280 and 360 pixels, with a table, and the page does not scroll sideways`, async () => {
      const { id, session_id } = await visitor.start(kind === "showStockNews" ? "headlines" : "finance", question);
      for (const width of [1_280, 360]) {
        const page = await visitor.open(`/chat/${session_id}`, { viewport: { width, height: 800 } });
        await untilTitle(page, "Done");
        const notes = (await visitor.log(id)).filter((event) => event.type === "note.made" && event.kind === "chart");
        assert.ok(JSON.stringify(notes).includes(`"${kind}"`), `the run has a ${kind}`);
        await page.locator(drawn).first().waitFor({ state: "attached" });
        assert.equal(await overflowOf(page), 0, `at ${width} px`);
        const card = page.locator(".chart-card", { has: page.locator(drawn) }).first();
        const box = await card.boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `at ${width} px`);
        assert.equal(await card.locator("a[href^='javascript']").count(), 0);
        await card.getByRole("button", { name: "Table" }).click();
        await page.locator(".chart-table td").first().waitFor();
        assert.equal(await overflowOf(page), 0, `the table at ${width} px`);
        await page.context().close();
      }
    });
  }

  test("a follow-up stays in the session and shows bars whose table has the numbers of the tool", async () => {
    const page = await visitor.open("/");
    await say(page, "Technical analysis of AAPL");
    await untilTitle(page, "Done");
    const address = page.url();
    await say(page, "Show me the balance sheet of AAPL");
    await page.locator(".exchange").nth(1).locator(".run-footer").waitFor();
    assert.equal(page.url(), address);
    const card = page.locator(".chart-card", { has: page.locator(".chart-financials .chart-bar") });
    await card.getByRole("button", { name: "Table" }).click();
    const cells = await page.locator(".exchange").nth(1).locator(".chart-table td.number").allInnerTexts();
    const last = (await page.locator(".exchange").nth(1).getAttribute("id"))?.replace("run-", "") ?? "";
    const outputs = (await visitor.log(last)).flatMap((event) =>
      event.type === "call.ended" && event.tool === "getIncomeStatement" ? [event.output] : [],
    );
    const known = new Set(numbersIn(outputs));
    const shown = cells
      .filter((cell) => cell !== "–")
      .map((cell) => Number(cell.replaceAll(",", "").replace("−", "-")));
    assert.ok(shown.length > 5);
    for (const value of shown) assert.ok(known.has(value), `${value} is a number of the tool`);
    await page.context().close();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
