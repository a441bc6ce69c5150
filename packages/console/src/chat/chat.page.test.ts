/** The chat in Chromium: asking, watching, approving, stopping and reading on after a reload. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Crew, defineCrew, defineTool, type Model, type RunEvent, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openThreads } from "../../../cli/src/crew/crew-loader.ts";
import { toDialects, toMounts } from "../../../cli/src/serve/assistant-module.ts";
import { findServedCrews } from "../../../cli/src/serve/served-crews.ts";
import { ModelChoice } from "../../../baton/src/model-choice.ts";
import { type RunningServer, startServer } from "../../../server/src/index.ts";
import { toGuard } from "../../../policy/src/index.ts";
import { findFaults } from "../testing/page-faults.ts";
import { openPageBrowser, PAGE_SUITE, PATIENT, untilEqual, untilGone } from "../testing/page-suite.ts";
import { say } from "../testing/visitor.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const HOSTILE = [
  '<img src=x onerror="window.hacked = true">',
  "<script>window.hacked = true</script>",
  "[press](javascript:window.hacked=true)",
  "[open](intent:anything) and [here](/runs)",
  "_".repeat(60_000),
].join("\n\n");

const stuck = defineTool({
  name: "Stuck",
  description: "Ignores its abort.",
  effect: "read",
  input: z.object({ note: z.string() }),
  run: () => new Promise<never>(() => {}),
});

const stubborn = defineCrew({
  name: "stubborn",
  agents: [{ id: "worker", tools: ["Stuck"] }],
  tools: [stuck],
});
const hostile = defineCrew({
  name: "hostile",
  agents: [{ id: "writer", name: "<b>Writer</b>", tools: ["Echo"] }],
  tools: [
    defineTool({
      name: "Echo",
      description: "Says it back.",
      effect: "read",
      input: z.object({ text: z.string() }),
      run: ({ text }) => ({ text }),
    }),
  ],
});
const slow = defineCrew({ name: "slow", agents: [{ id: "teller" }], settings: PATIENT });

const SCRIPTS = new Map([
  ["stubborn", scriptModel({ worker: [{ say: "Let me see.", call: [{ tool: "Stuck", args: { note: "x" } }] }] })],
  ["hostile", scriptModel({ writer: [{ call: [{ tool: "Echo", args: { text: HOSTILE } }] }, { say: HOSTILE }] })],
]);

/** Writes its second half only when it is let. */
function toSlowModel(gate: Promise<void>): Model {
  return {
    name: "test/slow",
    async *stream() {
      for (let word = 1; word <= 20; word++) yield [{ type: "text", text: `first${word} ` }];
      await gate;
      for (let word = 1; word <= 20; word++) yield [{ type: "text", text: `second${word} ` }];
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 40 } }];
    },
  };
}

describe("the chat", PAGE_SUITE, () => {
  let server: RunningServer;
  let store: Store;
  let browser: Browser;
  const problems: string[] = [];
  const gate = Promise.withResolvers<void>();

  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) problems.push(request.url());
    });
    await page.goto(server.url + path);
    return page;
  };
  const start = async (crew: string, input: string): Promise<{ readonly id: string; readonly session_id: string }> => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ crew, input });
    const answer = await fetch(`${server.url}/api/runs`, { method: "POST", headers, body });
    return z.object({ id: z.string(), session_id: z.string() }).parse(await answer.json());
  };
  const log = async (id: string): Promise<readonly RunEvent[]> => {
    const answer = await fetch(`${server.url}/api/runs/${id}/events`, { headers: { Accept: "application/json" } });
    return z.object({ events: z.array(z.custom<RunEvent>(() => true)) }).parse(await answer.json()).events;
  };
  const lastRun = async (): Promise<string> => {
    const answer = await fetch(`${server.url}/api/runs?limit=1`);
    const { runs } = z.object({ runs: z.array(z.object({ id: z.string() })) }).parse(await answer.json());
    return runs[0]?.id ?? "";
  };
  const example = (page: Page, words: string) => page.locator(".first-examples button", { hasText: words });
  const done = (page: Page): Promise<unknown> => page.waitForFunction(() => document.title.startsWith("Done"));
  const text = (page: Page): Promise<string> =>
    page.evaluate(() => document.querySelector(".conversation-column")?.textContent ?? "");
  const waitForText = (page: Page, words: string): Promise<unknown> =>
    page.waitForFunction((wanted) => document.querySelector(".conversation")?.textContent.includes(wanted), words);

  before(async () => {
    const folder = await ensureConsole();
    const paths = ["apps/finance/crew", "crews/customer-service", "crews/quiz-exam", "crews/it-support"];
    const found = await findServedCrews({ crews: paths.map((path) => join(ROOT, path)) }, { threads: openThreads() });
    const models = await ModelChoice.open(
      found.map(({ source }) => source),
      { env: {}, override: undefined },
    );
    store = await Store.open({ database: openMemory() });
    const own: readonly Crew[] = [stubborn, hostile, slow];
    const slowModel = toSlowModel(gate.promise);
    const assistants = found.flatMap(({ id, assistant }) => (assistant === undefined ? [] : [{ id, assistant }]));
    server = await startServer({
      store,
      port: 0,
      graceMs: 0,
      logLevel: "silent",
      console: folder,
      about: { version: "0", model: "offline rules, no key needed" },
      crews: [...found.map(({ served }) => served), ...own.map((crew) => ({ id: crew.name, crew, findings: [] }))],
      model: (agent, crew) =>
        crew.name === "slow" ? slowModel : (SCRIPTS.get(crew.name) ?? models.modelOf(agent, crew)),
      replaceProgram: models.replaceProgram,
      guardOf: toGuard,
      routes: assistants.flatMap(({ id, assistant }) => toMounts(id, assistant)),
      dialects: assistants.flatMap(({ id, assistant }) => toDialects(id, assistant)),
    });
    browser = await openPageBrowser();
  });
  after(async () => {
    gate.resolve();
    await browser?.close();
    await server?.stop();
    await store?.[Symbol.asyncDispose]();
  });

  test("the first page has the composer in focus, four examples and a graph", async () => {
    const page = await open("/");
    await page.waitForSelector("textarea:focus");
    await page.waitForFunction(() => document.querySelectorAll(".first-examples button").length === 4);
    await page.waitForSelector(".stage .crew-graph .box");
    await page.getByRole("main").getByRole("button", { name: "Model: offline rules, no key needed" }).click();
    await page.getByRole("option", { name: /^The crew's own models/u, selected: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("option").first().waitFor({ state: "hidden" });
    await example(page, "teapot").hover();
    await page.locator(".stage-head", { hasText: "customer-service" }).waitFor();
    await page.getByText("1 approval").waitFor();
    await page.context().close();
  });

  for (const answer of ["Allow", "Deny"] as const) {
    test(`an example asks before it acts, and goes on after ${answer}`, async () => {
      const page = await open("/");
      await example(page, "teapot").click();
      await page.getByText("Cleo").first().waitFor();
      const card = page.locator(".chat-question.open");
      await card.getByText("amount_usd").waitFor();
      await card.getByText("39", { exact: true }).waitFor();
      await card.getByText("Cannot be undone").waitFor();
      await page.locator("#call-2\\.2\\.1.call-waiting").waitFor();
      await card.getByRole("button", { name: answer, exact: true }).click();
      await done(page);
      await page.locator(answer === "Allow" ? "#call-2\\.2\\.1.call-done" : "#call-2\\.2\\.1.call-denied").waitFor();
      const events = await log(await lastRun());
      const refunds = events.filter((event) => event.type === "call.ended" && event.tool === "IssueRefund");
      const hasResult = refunds.some((event) => event.type === "call.ended" && event.output !== undefined);
      assert.equal(hasResult, answer === "Allow");
      const said = events.flatMap((event) => (event.type === "run.ended" ? [event.text.slice(0, 40)] : []));
      assert.ok((await text(page)).includes(said[0] ?? "?"));
      await page.context().close();
    });
  }

  test("an assistant answers with a chart, sources and figures that lead to their calls", async () => {
    const page = await open("/");
    await say(page, "RSI and MACD of AAPL");
    await done(page);
    await page.waitForFunction(() => {
      const canvas = [...document.querySelectorAll<HTMLCanvasElement>(".chart-canvas canvas")];
      return canvas.some((one) => {
        const data = one.getContext("2d")?.getImageData(0, 0, one.width, one.height).data;
        return data?.some((value) => value !== 0) === true;
      });
    });
    const shown = (await page.evaluate(() => document.body.textContent)).toLowerCase();
    for (const words of ["eight years old", "not investment advice"]) assert.ok(shown.includes(words), words);
    const figure = page.locator("button.figure").first();
    await figure.click();
    await page.getByRole("button", { name: "Open call" }).click();
    await page.locator(".tool-line.asked[open]").waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    await page.locator(".chart-table td").first().waitFor();
    await page.keyboard.press("Escape");
    await page
      .locator(".run-footer")
      .focus()
      .catch(() => {});
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press("w");
    await page.locator(".chat-turn").first().waitFor();
    await page.context().close();
  });

  test("stopping a tool that ignores its abort gives a receipt, and what was written stays", async () => {
    const { session_id } = await start("stubborn", "Begin");
    const page = await open(`/chat/${session_id}`);
    await page.locator(".tool-line.call-running").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    const abandoned = page.locator(".outcome-fate.abandoned a");
    await abandoned.waitFor();
    assert.match((await abandoned.getAttribute("href")) ?? "", /^\/runs\/.+\?sel=1\.1\.1$/u);
    const shown = await text(page);
    assert.ok(shown.includes("Let me see.") && shown.includes("Begin"));
    await page.context().close();
  });

  test("a reload in mid-answer shows the same text, which goes on to the end with nothing twice", async () => {
    const { id, session_id } = await start("slow", "Tell me");
    const page = await open(`/chat/${session_id}`);
    await waitForText(page, "first20");
    await page.reload();
    await waitForText(page, "first20");
    gate.resolve();
    await done(page);
    const ended = (await log(id)).find((event) => event.type === "run.ended");
    const shown = await page.locator(".step-text").textContent();
    assert.equal(shown?.trim(), ended?.type === "run.ended" ? ended.text.trim() : "?");
    await page.context().close();
  });

  test("an answer is whole as soon as its run has ended; only the stage replays a short run, once", async () => {
    const page = await open("/?crew=hostile");
    await say(page, "Hello!");
    await done(page);
    await waitForText(page, "window.hacked");
    const whole = await text(page);
    assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
    await page.getByText(/^Replay of/u).waitFor();
    await page.getByRole("button", { name: "Skip" }).click();
    await untilGone(page.getByText(/^Replay of/u));
    await untilEqual(() => text(page), whole);
    await page.context().close();
    const still = await open("/?crew=hostile", { reducedMotion: "reduce" });
    await say(still, "Hello!");
    await done(still);
    assert.equal(await still.getByText(/^Replay of/u).count(), 0);
    await still.context().close();
  });

  test("hostile text of models, tools and people is shown as text", async () => {
    const { session_id } = await start("hostile", '<img src=x onerror="window.hacked = true">');
    const page = await open(`/chat/${session_id}`);
    await done(page);
    await waitForText(page, "<b>Writer</b>");
    const shown = await text(page);
    for (const words of ["<script>window.hacked", "<img src=x", "<b>Writer</b>"])
      assert.ok(shown.includes(words), words);
    await page.locator(".tool-line summary").click();
    assert.equal(await page.evaluate(() => "hacked" in window), false);
    assert.equal(await page.locator(".step-text a").count(), 0);
    assert.equal(await page.locator(".conversation img").count(), 0);
    await page.context().close();
  });

  test("hostile text is shown as text on every other page", async () => {
    const { id } = await start("hostile", '<img src=x onerror="window.hacked = true">');
    const paths = ["/runs", `/runs/${id}`, `/runs/${id}?tab=output`, `/runs/${id}?tab=events`];
    for (const path of [...paths, "/crews", "/crews/hostile?agent=writer", "/overview"]) {
      const page = await open(path);
      await page.waitForFunction(() => document.querySelectorAll("main h1, main h2").length > 0);
      const shown = path.startsWith("/runs") ? "<img src=x" : path.startsWith("/crews/") ? "<b>Writer</b>" : "";
      await page.waitForFunction((words) => document.body.textContent.includes(words), shown);
      assert.equal(await page.evaluate(() => "hacked" in window), false, path);
      assert.equal(await page.locator("main img, main script, main b, a[href^='javascript']").count(), 0, path);
      await page.context().close();
    }
  });

  test("a message that was sent while offline is sent once, and the bar goes away", async () => {
    const page = await open("/?crew=hostile");
    await page.waitForSelector(".stage .crew-graph .box");
    const known = problems.length;
    const count = async (): Promise<number> => {
      const answer = await fetch(`${server.url}/api/runs?crew=hostile&limit=100`);
      return z.object({ runs: z.array(z.unknown()) }).parse(await answer.json()).runs.length;
    };
    const runs = await count();
    await page.context().setOffline(true);
    await page.getByRole("textbox", { name: "Message" }).fill("Hello from afar");
    await page.keyboard.press("Enter");
    await page.locator(".offline-bar").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "Hello from afar");
    await page.context().setOffline(false);
    await done(page);
    await untilGone(page.locator(".offline-bar"));
    assert.equal(await count(), runs + 1);
    // The browser itself complains about what it could not send.
    problems.splice(known);
    await page.context().close();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing on the pages of the chat, ${colorScheme}`, async () => {
      const { session_id: waiting } = await start("customer-service", "My teapot arrived broken. I am C-1001, O-5001.");
      const { session_id: answered } = await start("finance", "Technical analysis of AAPL");
      for (const path of ["/", `/chat/${waiting}`, `/chat/${answered}`]) {
        const page = await open(path, { colorScheme, reducedMotion: "reduce" });
        await page.waitForSelector(path === "/" ? ".first-examples button" : ".exchange");
        await page.waitForSelector(".stage .crew-graph .box");
        if (path.endsWith(answered)) await page.locator(".run-footer").waitFor();
        assert.deepEqual(await findFaults(page), [], path);
        await page.context().close();
      }
    });
  }

  test("in all of this there was no error, no violation and no request to another host", () => {
    assert.deepEqual(problems, []);
  });
});
