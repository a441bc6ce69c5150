/** Runs, overview, palette and key dialog in Chromium. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { KeyRing } from "../../../server/src/gateway/keys.ts";
import { type RunningServer, startServer } from "../../../server/src/index.ts";
import { openPageBrowser, PAGE_SUITE, until, untilEqual, untilGone } from "../testing/page-suite.ts";
import { removeRuns } from "../testing/remove-runs.ts";
import { chooseCrew } from "../testing/visitor.ts";

const refund = defineTool({
  name: "Refund",
  description: "Gives money back.",
  effect: "irreversible",
  input: z.object({ usd: z.number() }),
  run: () => ({ ok: true }),
});
const shop = defineCrew({
  name: "shop",
  agents: [{ id: "clerk", tools: ["Refund"], isTerminal: true }],
  tools: [refund],
  permissions: { Refund: "ask" },
});
const hello = defineCrew({ name: "hello", agents: [{ id: "greeter", isTerminal: true }] });
const poet = defineCrew({
  name: "poet",
  agents: [{ id: "poet", isTerminal: true }],
  examples: ["Write a poem about the sea"],
});
const MODELS = new Map([
  ["poet", scriptModel({ poet: [{ say: "The waves come in and go. ".repeat(40) }] })],
  ["shop", scriptModel({ clerk: [{ call: [{ tool: "Refund", args: { usd: 39 } }] }, { say: "Refunded." }] })],
  ["hello", scriptModel({ greeter: [{ say: "Hello." }] })],
]);

describe("lists", PAGE_SUITE, () => {
  let browser: Browser;
  let server: RunningServer;
  let store: Store;
  const database = openMemory();

  const start = (crew: string, input: string) =>
    fetch(`${server.url}/api/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "wait" },
      body: JSON.stringify({ crew, input }),
    });

  before(async () => {
    const folder = await ensureConsole();
    browser = await openPageBrowser();
    store = await Store.open({ database });
    server = await startServer({
      store,
      crews: [hello, shop, poet].map((crew) => ({ id: crew.name, crew, findings: [] })),
      model: (_, { name }) => MODELS.get(name) ?? scriptModel({}),
      port: 0,
      graceMs: 0,
      console: folder,
      logLevel: "silent",
    });
  });
  beforeEach(() => removeRuns(server.url));
  after(async () => {
    await browser?.close();
    await server?.stop();
    await store?.[Symbol.asyncDispose]();
  });

  const inPage = async (path: string, work: (page: Page) => Promise<void>): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await page.goto(server.url + path);
      await work(page);
      assert.deepEqual(errors, []);
    } finally {
      await context.close();
    }
  };

  test("a question is answered in place, and its row becomes a finished one", async () => {
    await start("shop", "My teapot arrived broken");
    await inPage("/runs", async (page) => {
      await page.getByText("Waiting for you (1)").waitFor();
      await page.getByText("1 waiting for you").waitFor({ state: "attached" });
      await check(page);
      const told = await page.locator(".waiting-item .question-arguments div").allInnerTexts();
      assert.deepEqual(
        told.map((line) => line.split(/\s+/u)),
        [["usd", "39"]],
      );
      await page.getByRole("button", { name: "Allow" }).click();
      await page.locator(".runs-row .status-mark.done").waitFor();
      await page.getByText("Waiting for you").waitFor({ state: "detached" });
    });
  });

  test("a run that starts elsewhere appears, and moves no row under the pointer", async () => {
    await start("hello", "first");
    await inPage("/runs", async (page) => {
      const rows = page.locator(".runs-row");
      await rows.first().waitFor();
      await start("hello", "second");
      await page.getByText("second").waitFor();
      await untilEqual(() => rows.count(), 2);
      await rows.first().hover();
      await start("hello", "third");
      await page.getByRole("button", { name: "1 new run" }).waitFor();
      assert.equal(await rows.count(), 2);
      await page.getByRole("button", { name: "1 new run" }).click();
      await rows.first().filter({ hasText: "third" }).waitFor();
    });
  });

  test("before there is a run, the list of runs has a field to ask in and things to try", async () => {
    await inPage("/runs", async (page) => {
      await page.getByRole("heading", { name: "No run yet. Ask something." }).waitFor();
      await page.getByRole("button", { name: /Write a poem about the sea/u }).waitFor();
      await check(page);
      await chooseCrew(page, "hello");
      await page.getByRole("textbox", { name: "Message" }).fill("Good morning");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/chat/*");
      await page.getByText("Hello.").waitFor();
    });
  });

  for (const path of ["/runs", "/crews/poet"]) {
    test(`an example of ${path} is replayed on the stage, once`, async () => {
      await inPage(path, async (page) => {
        await page.getByRole("button", { name: /Write a poem about the sea/u }).click();
        await page.waitForURL("**/chat/*");
        await page.getByText(/^Replay of/u).waitFor();
        await page.getByRole("link", { name: "Crews" }).first().click();
        await page.waitForURL("**/crews");
        await page.goBack();
        await page.waitForFunction(() => document.title.startsWith("Done"));
        await untilGone(page.getByText(/^Replay of/u));
      });
    });
  }

  test("a run that a person stopped is not shown as a failure", async () => {
    const { id } = z.object({ id: z.string() }).parse(await (await start("shop", "My teapot arrived broken")).json());
    await fetch(`${server.url}/api/runs/${id}/commands`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ type: "cancel", reason: "not needed any more" }),
    });
    await inPage("/runs", async (page) => {
      const row = page.locator(".runs-row", { has: page.locator(".status-mark.cancelled") });
      const reason = row.getByText("not needed any more");
      await reason.waitFor();
      const [of, plain] = await Promise.all([reason, row.locator("time")].map((one) => one.evaluate(colorOf)));
      assert.equal(of, plain);
    });
  });

  test("filters are in the address, and a list that has none says so", async () => {
    await start("hello", "a teapot");
    await start("hello", "a kettle");
    await inPage("/runs?crew=hello&q=teapot", async (page) => {
      const rows = page.locator(".runs-row");
      await untilEqual(() => rows.count(), 1);
      await page.getByLabel("Status").selectOption("failed");
      await page.getByText("No run matches these filters.").waitFor();
      assert.match(page.url(), /\/runs\?outcome=failed&crew=hello&q=teapot$/);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await rows.nth(1).waitFor();
      assert.match(page.url(), /\/runs$/);
    });
  });

  test("the overview, the palette and the list of shortcuts", async () => {
    await start("hello", "a teapot");
    await inPage("/overview", async (page) => {
      await page.getByText("1 of 1 that ended").waitFor();
      await untilEqual(() => page.locator(".tile").count(), 6);
      await check(page);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await check(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("teapot");
      await page.getByRole("option", { name: /a teapot.*Runs/ }).waitFor();
      await check(page);
      await page.getByRole("combobox").fill("Crews");
      await page.getByRole("option", { name: /^Crews/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/crews$/);
      await page.keyboard.press("2");
      await page.waitForURL(/\/runs$/);
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByLabel("Language").selectOption("vi");
      await page.getByRole("heading", { name: "Lượt chạy" }).waitFor();
      await check(page);
    });
  });

  test("a server that needs a key asks for it, refuses a wrong one in words, and then shows what was asked for", async () => {
    // The last test of this server: it is never open again.
    const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
    const { key } = await keys.create("t", ["run", "read"]);
    await until(async () => (await fetch(`${server.url}/api/runs`)).status === 401);
    await inPage("/overview", async (page) => {
      const field = page.getByRole("textbox", { name: "API key" });
      await field.fill("bt_wrong");
      await check(page);
      await page.getByRole("button", { name: "Use this key" }).click();
      await page.getByText("The server does not accept this key.").waitFor();
      await field.fill(key);
      await page.getByRole("button", { name: "Use this key" }).click();
      await page.getByText("These are your own runs.").waitFor();
      const kept = await page.evaluate(() =>
        JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
      );
      assert.equal(kept.includes(key), false);
      const second = await page.context().newPage();
      await second.goto(`${server.url}/overview`);
      await second.getByText("These are your own runs.").waitFor();
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("textbox", { name: "API key" }).waitFor();
      await second.getByRole("textbox", { name: "API key" }).waitFor();
    });
  });
});

function colorOf(element: Element): string {
  return getComputedStyle(element).color;
}

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Looks for what readers with a handicap would stumble over. */
async function check(page: Page): Promise<void> {
  const found: unknown = await page.evaluate(
    `(async () => { ${axe}; const { violations } = await axe.run(); return violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join(" ")); })()`,
  );
  assert.deepEqual(found, []);
}
