/** Parts of the run page in Chromium: names, receipts, what a broken part leaves, other messages, operators, the X-ray. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { defineCrew, defineTool, type RunEvent } from "@baton/core";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, until, untilEqual } from "../testing/page-suite.ts";
import { type Scripted, startTestServer, type TestServer } from "../../../server/src/testing/test-server.ts";

const stubborn: Scripted = {
  crew: defineCrew({
    name: "stubborn",
    agents: [{ id: "worker", name: "Ms Hale", role: "Works", tools: ["Stuck", "Polite"] }],
    tools: [
      defineTool({
        name: "Stuck",
        description: "Ignores its abort.",
        effect: "read",
        input: z.object({}),
        run: () => new Promise<never>(() => {}),
      }),
      defineTool({
        name: "Polite",
        description: "Stops when it is told to.",
        effect: "read",
        input: z.object({}),
        run: (_, { scope }) =>
          new Promise<never>((_resolve, reject) => {
            scope.abort.addEventListener("abort", () => reject(new Error("aborted")));
          }),
      }),
    ],
  }),
  script: {
    worker: [
      {
        say: "Let me see.",
        call: [
          { tool: "Stuck", args: {} },
          { tool: "Polite", args: {} },
        ],
      },
    ],
  },
};

const relay: Scripted = {
  crew: defineCrew({
    name: "relay",
    agents: [
      { id: "asker", name: "Robin", systemPrompt: "You begin." },
      { id: "closer", name: "Sam", systemPrompt: "You close.", isTerminal: true },
    ],
    signals: { asker: [{ signal: "[GO]", target: "closer" }] },
  }),
  script: {
    asker: [{ say: "Over to you. [GO]" }, { say: "Once more. [GO]" }],
    closer: [{ say: "Closed." }, { say: "Closed again." }],
  },
};

const guarded: Scripted = {
  crew: defineCrew({
    name: "guarded",
    agents: [{ id: "clerk", name: "Ravi", tools: ["Refund"] }],
    tools: [
      defineTool({
        name: "Refund",
        description: "Gives money back.",
        effect: "irreversible",
        input: z.object({ amount: z.number() }),
        run: ({ amount }) => ({ refunded: amount }),
      }),
    ],
  }),
  script: { clerk: [{ call: [{ tool: "Refund", args: { amount: 39 } }] }, { say: "It is done." }] },
};

const CREATED = z.object({ id: z.string() });
const LOG = z.object({ events: z.array(z.custom<RunEvent>((value) => typeof value === "object" && value !== null)) });

describe("parts of the run page", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;

  const start = async (crew: string, input: string): Promise<string> => {
    const { id } = CREATED.parse(await (await server.post("/api/runs", { crew, input })).json());
    return id;
  };
  const logOf = async (run: string): Promise<readonly RunEvent[]> => {
    const answer = await server.get(`/api/runs/${run}/events`, { Accept: "application/json" });
    return LOG.parse(await answer.json()).events;
  };
  const untilEnded = (): Promise<unknown> =>
    page.locator(".run-head .status-mark", { hasText: /Done|Stopped/ }).waitFor();

  before(async () => {
    server = await startTestServer([stubborn, relay, guarded], { console: await ensureConsole(), rateLimits: "off" });
    browser = await openPageBrowser();
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("a stop shows each piece of work with its fate and time, and the same words stand in story, output and events", async () => {
    const run = await start("stubborn", "Begin");
    await page.goto(`${server.url}/runs/${run}`);
    await page.locator(".tool-line.call-running", { hasText: "Polite" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    const card = page.locator(".chat-outcome.cancelled");
    await card.getByText("Settled in").waitFor();
    await card.locator(".abandoned li", { hasText: "Stuck" }).getByText("+").waitFor();
    await card.locator(".stopped li", { hasText: "Polite" }).getByText("+0 ms").waitFor();
    await page.locator(".tool-line.call-abandoned", { hasText: "Stuck" }).getByText("abandoned").waitFor();
    await page.locator(".tool-line.call-stopped", { hasText: "Polite" }).getByText("stopped").waitFor();
    assert.equal(await page.locator(".tool-line.call-failed, .turn-error, .timeline-mark.error").count(), 0);
    await card.getByRole("link", { name: "Stuck 1.1.1" }).click();
    await page.locator(".timeline-bar.abandoned.selected").waitFor({ state: "attached" });
    await page.getByRole("tab", { name: "Output" }).click();
    await page.locator(".output").getByText("Abandoned: it did not stop in time").waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    await page.locator(".events-row", { hasText: "Stuck is abandoned" }).waitFor();
    await page.locator(".events-row", { hasText: "Polite is stopped" }).waitFor();
  });

  test("agents have their names where people read, and their ids in the list of events", async () => {
    const run = await start("relay", "Go");
    await page.goto(`${server.url}/runs/${run}?tab=events`);
    await page.locator(".turn-agent", { hasText: "Sam" }).waitFor();
    await untilEqual(() => page.locator(".turn-agent").allInnerTexts(), ["Robin", "Sam"]);
    assert.equal(await page.locator(".turn-agent").first().getAttribute("data-tip"), "asker");
    assert.match(await page.locator(".chat-handoff").innerText(), /^passes to Sam\s+by signal$/u);
    await untilEqual(() => page.locator(".timeline-name").allInnerTexts(), ["Robin", "Sam"]);
    await page.locator(".crew-graph .box .name", { hasText: "Sam" }).waitFor();
    await untilEqual(() => page.locator(".crew-graph .box .name").allTextContents(), ["Robin", "Sam"]);
    await page.locator(".events-row", { hasText: "asker hands over to closer" }).waitFor();
  });

  test("a link that is followed right after a press counts, though the address of the press was not written yet", async () => {
    const run = await start("relay", "Go");
    await page.goto(`${server.url}/runs/${run}`);
    await untilEnded();
    await page.locator('[data-turn="2"]').waitFor();
    await page.evaluate(async (address) => {
      document.querySelector<HTMLElement>('[data-turn="2"] button')?.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      window.history.pushState(null, "", address);
      window.dispatchEvent(new Event("baton:address"));
      // The page is busy until the address of the press is due.
      const end = performance.now() + 400;
      while (performance.now() < end);
    }, `/runs/${run}?sel=1.1`);
    await page.locator('[data-turn="1"][data-selected="true"]').waitFor();
    assert.equal(new URL(page.url()).search, "?sel=1.1");
  });

  test("a part that cannot be drawn shows its own error and a report to copy; the rest of the page works", async () => {
    const run = await start("relay", "Go");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.route(`**/api/runs/${run}/crew`, async (route) => {
      const crew: unknown = await (await route.fetch()).json();
      const whole = z.looseObject({ drawing: z.looseObject({}) }).parse(crew);
      await route.fulfill({ json: { ...whole, drawing: { ...whole.drawing, boxes: [{ id: "asker" }] } } });
    });
    await page.goto(`${server.url}/runs/${run}?tab=output`);
    const broken = page.locator(".graph-column .broken");
    await broken.waitFor();
    assert.equal(await page.locator(".broken").count(), 1);
    await broken.getByRole("button", { name: "Copy report" }).click();
    let report = "";
    await until(async () => {
      report = await page.evaluate(() => navigator.clipboard.readText());
      return report.includes(`Address: /runs/${run}`);
    });
    assert.match(report, /Part: .* graph/u);
    await page.locator(".turn-agent", { hasText: "Sam" }).waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.locator(".turn-agent", { hasText: "Sam" }).waitFor({ state: "detached" });
    await page.keyboard.press("End");
    await page.locator(".turn-agent", { hasText: "Sam" }).waitFor();
    await page.unroute(`**/api/runs/${run}/crew`);
  });

  test("a fork may say something else instead of the last message", async () => {
    const run = await start("relay", "Go");
    await page.goto(`${server.url}/runs/${run}`);
    await untilEnded();
    await page.getByRole("button", { name: "Fork from here" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: "Say something else" }).check();
    const field = dialog.getByRole("textbox", { name: "The last message before it becomes" });
    assert.equal(await field.inputValue(), "Go");
    await field.fill("");
    assert.equal(await dialog.getByRole("button", { name: "Fork", exact: true }).isDisabled(), true);
    await field.fill("Go elsewhere");
    await dialog.getByRole("button", { name: "Fork", exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get("vs") === run);
    await page.locator(".user-message", { hasText: "Go elsewhere" }).waitFor();
    await untilEnded();
    const fork = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const [first] = await logOf(fork);
    assert.ok(first?.type === "run.started" && first.input === "Go elsewhere");
    const [was] = await logOf(run);
    assert.ok(was?.type === "run.started" && was.input === "Go");
  });

  test("a question for an operator says so, and is answered only with the key of one", async () => {
    const run = await start("guarded", "Refund it");
    // The question is changed in the list of events, so it must be there before the page asks for the list.
    await until(async () => (await logOf(run)).some(({ type }) => type === "question.opened"));
    let scopes = ["run", "read"];
    await page.route("**/api/me", async (route) => {
      const me = z.looseObject({}).parse(await (await route.fetch()).json());
      await route.fulfill({ json: { ...me, scopes } });
    });
    await page.route(`**/api/runs/${run}/events?*`, async (route) => {
      if (route.request().headers()["accept"]?.includes("event-stream") === true) return route.continue();
      const { events } = LOG.parse(await (await route.fetch()).json());
      const asked = events.map((event) => (event.type === "question.opened" ? { ...event, who: "operator" } : event));
      return route.fulfill({ json: { events: asked } });
    });
    const question = page.locator(".chat-question", { hasText: "Ravi" });
    await page.goto(`${server.url}/runs/${run}`);
    await question.getByText("An operator must answer this; your key may not").waitFor();
    assert.equal(await question.getByRole("button").count(), 0);
    scopes = ["run", "read", "admin"];
    await page.goto(`${server.url}/runs/${run}`);
    await question.getByText("An operator answers this; your key is one of an operator").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await question.getByRole("button", { name: "Allow" }).click();
    await untilEnded();
  });

  test("the blocks of a prompt add up to the tokens that its step began with", async () => {
    const run = await start("relay", "Go");
    await page.goto(`${server.url}/runs/${run}?tab=xray`);
    await untilEnded();
    for (const event of await logOf(run)) {
      if (event.type !== "step.started") continue;
      assert.ok(event.tokens !== undefined && event.tokens > 0);
      await page.goto(`${server.url}/runs/${run}?tab=xray&sel=${event.step}`);
      await page.locator(`[data-tokens="${event.tokens}"]`).waitFor();
      const blocks = await page.locator(".xray-tokens > [aria-hidden]").allInnerTexts();
      const sum = blocks.reduce((all, text) => all + Number(text.replaceAll(/\D/gu, "")), 0);
      assert.equal(sum, event.tokens, `step ${event.step}`);
    }
  });
});
