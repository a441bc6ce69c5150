/** The frame around the pages, in Chromium: loading, titles, focus, keys, and a server that is not there. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { createClient } from "@baton/client";
import { defineCrew, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import type { Browser, Page } from "playwright-core";
import { ensureConsole } from "../build/build.ts";
import { type RunningServer, startServer } from "../../server/src/index.ts";
import { openPageBrowser, PAGE_SUITE, until, untilEqual } from "./testing/page-suite.ts";
import { removeRuns } from "./testing/remove-runs.ts";

const hello = defineCrew({
  name: "hello",
  agents: [{ id: "greeter", isTerminal: true }],
  after: defineCrew({ name: "learn", agents: [{ id: "scribe", isTerminal: true }] }),
});

describe("the console", PAGE_SUITE, () => {
  let browser: Browser;
  let server: RunningServer;
  let store: Store;
  let folder = "";

  /** Starts a run; returns when its follow-up run has ended too, so that none of it is left for the next test. */
  const start = async (input: string): Promise<string> => {
    const client = createClient({ url: server.url });
    const { id } = await client.start("hello", input);
    await until(async () => {
      const { runs } = await client.runs();
      return runs.some(({ after_of, status }) => after_of === id && status === "ended");
    });
    return id;
  };

  before(async () => {
    folder = await ensureConsole();
    browser = await openPageBrowser();
    store = await Store.open({ database: openMemory() });
    server = await startServer({
      store,
      crews: [{ id: "hello", crew: hello, findings: [] }],
      model: () => scriptModel({ greeter: [{ say: "Hello." }], scribe: [{ say: "Learned." }] }),
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
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await page.goto(server.url + path);
      await work(page);
      assert.deepEqual(errors, []);
    } finally {
      await page.close();
    }
  };
  const holds = (page: Page, expression: string) => until(async () => (await page.evaluate(expression)) === true);
  const isOnHeading = 'document.activeElement === document.querySelector("main h1")';

  test("fetches neither charts nor other pages on `/`, and a page's own file when it is gone to", async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const files = (name: string) => asked.filter((url) => url.includes(`/assets/${name}`) && url.endsWith(".js"));
    await page.goto(server.url);
    await page.locator("textarea").waitFor();
    await page.waitForLoadState("load");
    await until(() => asked.some((url) => url.endsWith("/api/feed")));
    const built = await readdir(join(folder, "assets"));
    for (const name of ["draw-bars", "highlight", "run-detail-page", "runs-page", "crew-page", "overview-page"]) {
      assert.ok(
        built.some((file) => file.startsWith(name)),
        `there is a file ${name}`,
      );
      assert.deepEqual(files(name), [], name);
    }
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    assert.equal(files("runs-page").length, 1);
    assert.deepEqual(files("draw-bars"), []);
    await page.close();
  });

  test("names the tab, puts the focus on the heading of a page that is gone to, and goes back and forward", async () => {
    const id = await start("a teapot");
    await inPage("/", async (page) => {
      await holds(page, 'document.activeElement?.tagName === "TEXTAREA"');
      await page.getByRole("link", { name: "Runs" }).click();
      await holds(page, isOnHeading);
      await holds(page, 'document.title === "Runs · Baton"');
      await page.locator(".runs-row").first().click();
      await page.waitForURL(`**/runs/${id}*`);
      await holds(page, 'document.title === "Done · hello · Baton"');
      await page.goBack();
      await holds(page, 'document.title === "Runs · Baton"');
      await holds(page, isOnHeading);
      await page.goForward();
      await page.waitForURL(`**/runs/${id}*`);
      await page.getByRole("link", { name: "Overview" }).click();
      await holds(page, 'document.title === "Overview · Baton"');
    });
  });

  test("does nothing on single keys once they are switched off", async () => {
    await inPage("/runs", async (page) => {
      await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByLabel("Single-key shortcuts").uncheck();
      await page.keyboard.press("Escape");
      await page.locator("h1").click();
      await page.keyboard.press("3");
      await page.keyboard.press("?");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search pages" }).waitFor();
      assert.match(page.url(), /\/runs$/);
      assert.equal(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count(), 0);
      await page.keyboard.press("Escape");
      await page.getByRole("combobox", { name: "Search pages" }).waitFor({ state: "detached" });
    });
  });

  test("hides follow-up runs unless they are asked for, and takes a run away that was removed elsewhere", async () => {
    const id = await start("a teapot");
    await inPage("/runs", async (page) => {
      await page.getByText("a teapot").waitFor();
      await untilEqual(() => page.locator(".runs-row").count(), 1);
      await page.getByLabel("Follow-up runs").check();
      await page.getByText("Follow-up of").waitFor();
      assert.match(page.url(), /\/runs\?after=all$/);
      await page.getByLabel("Follow-up runs").uncheck();
      await page.getByText("Follow-up of").waitFor({ state: "detached" });
      await fetch(`${server.url}/api/runs/${id}`, { method: "DELETE" });
      await page.getByText("No run yet. Ask something.").waitFor();
    });
  });

  test("keeps no feed open in a hidden tab, and is up to date when it is seen again", async () => {
    await inPage("/runs", async (page) => {
      await page.getByText("No run yet. Ask something.").waitFor();
      const hasStream = async (): Promise<boolean> => {
        const answer = await fetch(`${server.url}/api/overview`);
        return (await answer.text()).includes('"open_streams":1');
      };
      await until(hasStream);
      await page.evaluate(toVisibility("hidden"));
      await until(async () => !(await hasStream()));
      await start("while it was hidden");
      await page.evaluate(toVisibility("visible"));
      await page.getByText("while it was hidden").waitFor();
      await until(hasStream);
    });
  });

  test("says that the server cannot be reached, and goes on when it is back", async () => {
    await inPage("/runs", async (page) => {
      await page.getByText("No run yet. Ask something.").waitFor();
      await page.route("**/api/**", (route) => route.abort());
      await page.getByRole("link", { name: "Crews" }).click();
      await page.getByRole("heading", { name: "The server cannot be reached" }).waitFor();
      await page.unroute("**/api/**");
      await page.getByRole("button", { name: "Try now" }).first().click();
      await page.getByRole("link", { name: /^hello/ }).waitFor();
    });
    const page = await browser.newPage();
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${server.url}/overview`);
    await page.getByRole("heading", { name: "The server cannot be reached", level: 1 }).waitFor();
    await page.unroute("**/api/**");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("The last hour", { exact: true }).waitFor();
    await page.close();
  });
});

/** Makes the page believe that its tab was hidden or shown. */
function toVisibility(state: "hidden" | "visible"): string {
  return `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));`;
}
