/** The memory that a page keeps of runs that were opened in it and left. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, until } from "../testing/page-suite.ts";
import { startTestServer, type TestServer } from "../../../server/src/testing/test-server.ts";
import { heapOf } from "../testing/heap.ts";

const ROUNDS = 10;
/** A run that is kept shows: ten of them are more than the page itself. */
const LETTERS = 300_000;
const MOST_GROWTH = 0.15;

const fetchBook = defineTool({
  name: "FetchBook",
  description: "Gives a whole book.",
  effect: "read",
  input: z.object({}),
  run: () => ({ book: Array.from({ length: LETTERS / 10 }, (_, line) => `line ${String(line).padStart(5)}`) }),
});

const library = defineCrew({
  name: "library",
  agents: [{ id: "reader", tools: ["FetchBook"] }],
  tools: [fetchBook],
});
const script = { reader: [{ call: [{ tool: "FetchBook", args: {} }] }, { say: "It is a **long** book." }] };
const CREATED = z.object({ id: z.string() });
const RUN = z.object({ status: z.string() });

describe("a run that is left", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;

  const goTo = async (page: Page, address: string): Promise<void> => {
    await page.evaluate((wanted) => {
      window.history.pushState(null, "", wanted);
      window.dispatchEvent(new Event("baton:address"));
    }, address);
  };

  before(async () => {
    server = await startTestServer([{ crew: library, script }], { console: await ensureConsole() });
    browser = await openPageBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  for (const place of ["run", "chat"] as const) {
    test(`is not kept in memory by its ${place} page, however often it is opened`, async () => {
      const answer: unknown = await (await server.post("/api/runs", { crew: "library", input: "Read" })).json();
      const { id } = CREATED.parse(answer);
      const { session_id } = z.object({ session_id: z.string() }).parse(answer);
      const hasEnded = async () => RUN.parse(await (await server.get(`/api/runs/${id}`)).json()).status === "ended";
      await until(hasEnded);
      const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
      await page.goto(`${server.url}/crews`);
      const kept: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await goTo(page, place === "run" ? `/runs/${id}?tab=events` : `/chat/${session_id}`);
        // A function and not a selector: that would hold on to what it found.
        await page.waitForFunction(() => document.querySelector("main")?.textContent.includes("It is a long book."));
        await goTo(page, "/crews");
        await page.waitForFunction(() => document.querySelector(".crews") !== null);
        if (round === 0 || round === ROUNDS - 1) kept.push((await heapOf(page)).dataBytes);
      }
      const [first = 0, last = 0] = kept;
      assert.ok(last < first * (1 + MOST_GROWTH), `${first} bytes after the first time, ${last} after the last`);
      await page.close();
    });
  }
});
