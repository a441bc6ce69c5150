/** Going back in Chromium: long lists are where they were left. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defineCrew } from "@baton/core";
import type { Browser, Page } from "playwright-core";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, untilEqual } from "../testing/page-suite.ts";
import { type Scripted, startTestServer, type TestServer } from "../../../server/src/testing/test-server.ts";
import { untilTitle, Visitor } from "../testing/visitor.ts";

const RUNS = 70;
const talker: Scripted = {
  crew: defineCrew({
    name: "talker",
    agents: [{ id: "one" }, { id: "two" }],
    signals: { one: [{ signal: "[TWO]", target: "two" }], two: [{ signal: "[ONE]", target: "one" }] },
    settings: { maxHandoffs: 30 },
  }),
  script: {
    one: Array.from({ length: 20 }, (_, turn) => ({ say: `${"A long paragraph.\n\n".repeat(8)}${turn} [TWO]` })),
    two: Array.from({ length: 20 }, (_, turn) => ({ say: `${"Another one.\n\n".repeat(8)}${turn} [ONE]` })),
  },
};
const greeter: Scripted = {
  crew: defineCrew({ name: "greeter", agents: [{ id: "greeter", isTerminal: true }] }),
  script: { greeter: [{ say: "Hello." }] },
};

describe("going back", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;

  before(async () => {
    server = await startTestServer([greeter, talker], { console: await ensureConsole(), rateLimits: "off" });
    for (let run = 1; run <= RUNS; run++) {
      await server.post("/api/runs", { crew: "greeter", input: `Hello ${run}` }, { Prefer: "wait" });
    }
    browser = await openPageBrowser();
    visitor = new Visitor(browser, server.url);
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const topOf = (page: Page, part: string): Promise<number> =>
    page.evaluate((name) => document.querySelector(`[data-scroll="${name}"]`)?.scrollTop ?? -1, part);
  /** Scrolls as a reader does; gives where to. */
  const scroll = async (page: Page, part: string, by: number): Promise<number> => {
    await page.locator(`[data-scroll="${part}"]`).hover();
    const start = await topOf(page, part);
    await page.mouse.wheel(0, by);
    let last = -1;
    for (let now = await topOf(page, part); now === start || now !== last; now = await topOf(page, part)) {
      last = now;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    return last;
  };
  const untilAt = (page: Page, part: string, top: number): Promise<unknown> =>
    page.waitForFunction(
      ({ name, wanted }) => Math.abs((document.querySelector(`[data-scroll="${name}"]`)?.scrollTop ?? -1) - wanted) < 2,
      { name: part, wanted: top },
    );

  test("the list of runs has the rows that were asked for, and is where it was left", async () => {
    const page = await visitor.open("/runs");
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("Hello 2", { exact: true }).waitFor();
    const top = await scroll(page, "page", 2_400);
    const row = page.locator(".runs-row", { hasText: "Hello 10" });
    await row.click();
    await page.waitForURL("**/runs/*");
    await untilTitle(page, "Done");
    await page.goBack();
    await page.getByText("Hello 2", { exact: true }).waitFor();
    await untilAt(page, "page", top);
    await page.goForward();
    await page.waitForURL("**/runs/*");
    await page.goBack();
    await untilAt(page, "page", top);
    await untilEqual(() => page.evaluate(() => document.activeElement?.tagName), "H1");
    await page.reload();
    await untilAt(page, "page", top);
    await page.context().close();
  });

  test("a page that is gone to begins at its top", async () => {
    const page = await visitor.open("/runs");
    await page.locator(".runs-row").first().waitFor();
    await scroll(page, "page", 900);
    await page.getByRole("link", { name: "Crews" }).first().click();
    await page.waitForURL("**/crews");
    await page.getByRole("link", { name: "Runs" }).first().click();
    await page.locator(".runs-row").first().waitFor();
    await untilAt(page, "page", 0);
    await page.context().close();
  });

  test("a conversation and a list of events are where they were left", async () => {
    const { id, session_id } = await visitor.start("talker", "Talk");
    const page = await visitor.open(`/chat/${session_id}`);
    await untilTitle(page, "Limit");
    const top = await scroll(page, "conversation", 1_700);
    await page.getByRole("link", { name: "Runs" }).first().click();
    await page.locator(".runs-row").first().waitFor();
    await page.goBack();
    await untilAt(page, "conversation", top);
    await page.goto(`${server.url}/runs/${id}?tab=events`);
    await page.locator(".events-row").first().waitFor();
    const events = await scroll(page, "events", -1_200);
    await page.getByRole("link", { name: "Crews" }).first().click();
    await page.waitForURL("**/crews");
    await page.goBack();
    await untilAt(page, "events", events);
    await page.context().close();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});
