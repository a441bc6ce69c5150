/** One path through every page in Chromium, with the real product: asked, answered, looked into, allowed and stopped. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type Product, serveProduct } from "../pictures/product.ts";
import { openPageBrowser, PAGE_SUITE, untilEqual } from "./testing/page-suite.ts";
import { chooseCrew, say, untilTitle, Visitor } from "./testing/visitor.ts";

describe("every page", PAGE_SUITE, () => {
  let product: Product;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  const goTo = async (name: string): Promise<void> => {
    await page.getByRole("navigation").getByRole("link", { name }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  };
  const slider = async (): Promise<readonly (string | null)[]> =>
    Promise.all(["aria-valuenow", "aria-valuemax"].map((name) => page.getByRole("slider").getAttribute(name)));

  before(async () => {
    product = await serveProduct();
    browser = await openPageBrowser();
    visitor = new Visitor(browser, product.url);
    page = await visitor.open("/?crew=finance", { reducedMotion: "reduce" });
  });
  after(async () => {
    await browser?.close();
    await product?.[Symbol.asyncDispose]();
  });

  test("chat: an answer has its chart, and figures that lead to their calls", async () => {
    await say(page, "Technical analysis of AAPL");
    await untilTitle(page, "Done");
    await page.locator(".chart-canvas canvas").first().waitFor();
    await page.locator("button.figure").first().click();
    const card = page.getByRole("dialog", { name: /^Where .* comes from$/u });
    await card.getByText("Tool").waitFor();
    await card.getByText("As of").waitFor();
    await card.getByRole("button", { name: "Open call" }).click();
    await page.locator(".tool-line.asked[open] .json-tree-leaf.marked").waitFor();
  });

  test("run: it is rewound to its start and back to its end, and the X-ray has the prompt", async () => {
    await page.getByRole("link", { name: "Open run" }).click();
    await page.locator(".timeline-bar").first().waitFor({ state: "attached" });
    await untilTitle(page, "Done");
    const [, last = null] = await slider();
    await page.locator(".step-text").first().waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await untilEqual(slider, ["1", last]);
    await untilEqual(() => page.locator(".step-text").count(), 0);
    await page.keyboard.press("End");
    await untilEqual(slider, [last, last]);
    await page.locator(".crew-graph .box").first().waitFor();
    await page.getByRole("tab", { name: "X-ray" }).click();
    await page.locator(".xray-block").first().waitFor();
    assert.ok(Number(await page.locator("[data-tokens]").getAttribute("data-tokens")) > 0);
  });

  test("crews: a crew has its graph, and is asked; what needs approval is allowed", async () => {
    await goTo("Crews");
    await page.getByRole("link", { name: /^customer-service/u }).click();
    await page.locator(".crew-graph .box").first().waitFor();
    await page.getByText("0 errors").waitFor();
    await page.getByRole("button", { name: "Ask this crew" }).click();
    await say(page, "My teapot arrived broken. I am C-1001, order O-5001. I want my money back.");
    await page.locator(".chat-question.open").getByRole("button", { name: "Allow" }).click();
    await untilTitle(page, "Done");
    await page.locator(".tool-line.call-done", { hasText: "IssueRefund" }).waitFor();
  });

  test("chat: a run is stopped, and the receipt names what it left behind", async () => {
    await page.keyboard.press("n");
    await chooseCrew(page, "stubborn");
    await say(page, "Build the index again.");
    await page.locator(".tool-line.call-running").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".outcome-fate.abandoned a").waitFor();
    await untilTitle(page, "Stopped");
  });

  test("runs: the list has all of them, each with its outcome", async () => {
    await goTo("Runs");
    await untilEqual(() => page.locator(".runs-row .status-mark.done").count(), 2);
    await untilEqual(() => page.locator(".runs-row .status-mark.cancelled").count(), 1);
  });

  test("overview and settings: the last hour in six figures, in the language that is chosen", async () => {
    await goTo("Overview");
    await untilEqual(() => page.locator(".tile").count(), 6);
    await page.getByText(/^[2-9] of [3-9] that ended$/u).waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Language").selectOption("vi");
    await page.getByRole("heading", { name: "Tổng quan", level: 1 }).waitFor();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});
