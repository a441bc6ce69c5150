/** What can be done with answers and conversations, in Chromium. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defineCrew } from "@baton/core";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { startTestServer, type TestServer } from "../../../server/src/testing/test-server.ts";
import { openPageBrowser, PAGE_SUITE, untilEqual } from "../testing/page-suite.ts";
import { say, untilText, untilTitle, Visitor } from "../testing/visitor.ts";

const POET = {
  crew: defineCrew({ name: "poet", agents: [{ id: "poet", isTerminal: true }] }),
  script: { poet: [{ say: "The **sea** is a mirror." }] },
};
const FEEDBACK = z.object({ feedback: z.object({ rating: z.string(), comment: z.string().optional() }).optional() });

describe("actions", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  const ratingOf = async (run: string) => {
    const answer = await fetch(`${server.url}/api/runs/${run}`);
    return FEEDBACK.parse(await answer.json()).feedback;
  };

  before(async () => {
    server = await startTestServer([POET], { console: await ensureConsole() });
    browser = await openPageBrowser();
    visitor = new Visitor(browser, server.url);
    page = await visitor.open("/", { permissions: ["clipboard-read", "clipboard-write"] });
    await say(page, "Write about water");
    await untilTitle(page, "Done");
    await untilText(page, "mirror");
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("Copy puts the words on the clipboard as they are shown, with Shift as Markdown", async () => {
    const tools = page.getByRole("toolbar", { name: "Actions on this answer" });
    await tools.getByRole("button", { name: "Copy" }).click();
    await page.getByText("The answer is copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "The sea is a mirror.");
    await tools.getByRole("button", { name: "Copy" }).click({ modifiers: ["Shift"] });
    await page.getByText("Copied as Markdown").waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /The \*\*sea\*\* is a mirror\./u);
  });

  test("Good is pressed after a reload; Bad keeps its comment", async () => {
    const [run = ""] = await visitor.runs();
    await page.getByRole("button", { name: "Good" }).click();
    await untilEqual(async () => (await ratingOf(run))?.rating, "up");
    await page.reload();
    await page.locator('button[aria-label="Good"][aria-pressed="true"]').waitFor();
    await page.getByRole("button", { name: "Bad" }).click();
    await page.getByRole("textbox", { name: "What was wrong?" }).fill("no rhyme");
    await page.getByRole("dialog", { name: "Bad" }).getByRole("button", { name: "Send" }).click();
    await untilEqual(() => ratingOf(run).then((kept) => [kept?.rating, kept?.comment]), ["down", "no rhyme"]);
    await page.locator('button[aria-label="Bad"][aria-pressed="true"]').waitFor();
  });

  test("a conversation is found by a word of its answer, and a search without a hit says so", async () => {
    const search = page.getByRole("searchbox", { name: "Search all messages" });
    await search.fill("mirror");
    await page.locator(".sessions li", { hasText: "Write about water" }).waitFor();
    await search.fill("bitcoin");
    await page.getByText("Nothing found for “bitcoin”.").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
  });

  test("a conversation is renamed and pinned, and stays so; its deletion can be undone", async () => {
    await page.getByRole("button", { name: "More: Write about water" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Rename" });
    await field.fill("Water");
    await field.press("Enter");
    await page.getByRole("button", { name: "More: Water" }).click();
    await page.getByRole("menuitem", { name: "Pin" }).click();
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    await page.getByRole("button", { name: "More: Water" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("“Water” is deleted").waitFor();
    await untilEqual(() => page.locator(".sessions li").count(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await untilEqual(() => page.locator(".sessions li").count(), 1);
  });

  test("an unknown address is a page with a way on", async () => {
    const other = await visitor.open("/nope/x");
    await other.getByRole("heading", { name: "Nothing is here." }).waitFor();
    await other.getByText("/nope/x").waitFor();
    await other.getByRole("navigation", { name: "Pages nearby" }).getByRole("link").first().click();
    await other.getByRole("heading", { level: 1 }).first().waitFor();
    await other.context().close();
  });
});
