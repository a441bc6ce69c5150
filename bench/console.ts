/**
 * Console: how it keeps up in Chromium with a fast model, with a run of 50,000 events, and with being opened and left.
 *
 * `node bench/console.ts`. What the figures mean is in this folder's README.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { defineCrew, type Model } from "@baton/core";
import { z } from "zod";
import { ensureConsole } from "@baton/console/build";
import { openBrowser } from "../packages/server/src/testing/browser.ts";
import { startTestServer, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { type Heap, heapOf } from "../packages/console/src/testing/heap.ts";
import { measureFrames, measureJumps, measureScrubs, scrubOnce, watchLine } from "./console-page.ts";
import { print } from "./report.ts";

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const VIEW = { viewport: { width: 1_280, height: 800 } };
const TOKENS = 2_000;
const TOKENS_A_SECOND = 400;
/** A timer is rarely on time to the millisecond, so each tick gives what is due by then. */
const TICK_MS = 5;
const TURNS = 125;
const WORDS = 400;
const ROUNDS = 10;
const CREATED = z.object({ id: z.string() });
const RUN = z.object({ status: z.string() });

const fast = defineCrew({ name: "fast", agents: [{ id: "writer" }] });
const long = defineCrew({
  name: "long",
  agents: [{ id: "left" }, { id: "right" }, { id: "last", isTerminal: true }],
  signals: {
    left: [
      { signal: "[RIGHT]", target: "right" },
      { signal: "[LAST]", target: "last" },
    ],
    right: [
      { signal: "[LEFT]", target: "left" },
      { signal: "[LAST]", target: "last" },
    ],
  },
  settings: { maxHandoffs: 1_000 },
});

/** Paragraphs, lists and code, as models write. */
function wordOf(index: number): string {
  if (index % 80 === 79) return `\n\n- point ${index}: `;
  if (index % 40 === 39) return ".\n\n";
  return `word${index} `;
}

/** Gives so many tokens a second. */
function fastModel(): Model {
  return {
    name: "fast",
    async *stream() {
      const began = performance.now();
      let given = 0;
      while (given < TOKENS) {
        await sleep(TICK_MS);
        const due = Math.min(TOKENS, Math.floor(((performance.now() - began) / 1_000) * TOKENS_A_SECOND));
        for (; given < due; given++) yield [{ type: "text", text: wordOf(given) }];
      }
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: TOKENS } }];
    },
  };
}

/** Makes a run long: many turns of many words. */
function longModel(): Model {
  let turns = 0;
  return {
    name: "long",
    async *stream({ agent }) {
      turns++;
      for (let index = 0; index < WORDS; index++) yield [{ type: "text", text: wordOf(index) }];
      const next = turns >= TURNS ? "[LAST]" : agent === "left" ? "[RIGHT]" : "[LEFT]";
      yield [{ type: "text", text: agent === "last" ? "The end." : next }];
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: WORDS } }];
    },
  };
}

async function startRun(server: TestServer, crew: string): Promise<string> {
  const { id } = CREATED.parse(await (await server.post("/api/runs", { crew, input: "Go on" })).json());
  return id;
}

async function untilEnded(server: TestServer, id: string): Promise<void> {
  for (;;) {
    const { status } = RUN.parse(await (await server.get(`/api/runs/${id}`)).json());
    if (status === "ended") return;
    await sleep(100);
  }
}

/** Frames of a page that does nothing: what the machine itself takes at the moment. */
async function measureIdle(browser: Browser, server: TestServer): Promise<void> {
  const page = await browser.newPage(VIEW);
  await page.goto(`${server.url}/crews`);
  await page.waitForSelector("h1");
  await sleep(1_000);
  print("idle page", await page.evaluate(measureFrames, { ms: 3_000 }));
  await page.close();
}

/** An answer at full speed, in the chat and on the run page. */
async function measureTokens(browser: Browser, server: TestServer): Promise<void> {
  const ms = (TOKENS / TOKENS_A_SECOND) * 1_000;
  for (const where of ["chat", "run page"]) {
    const page = await browser.newPage(VIEW);
    if (where === "chat") {
      await page.goto(`${server.url}/?crew=fast`);
      await page.locator("textarea").fill("Go on");
      await page.keyboard.press("Enter");
    } else await page.goto(`${server.url}/runs/${await startRun(server, "fast")}?tab=events`);
    await page.getByText("word0").first().waitFor();
    await page.evaluate(watchLine, "word0");
    print(`2,000 tokens at 400 a second, ${where}`, await page.evaluate(measureFrames, { ms: ms - 500 }));
    await page
      .getByText(`word${TOKENS - 2}`)
      .first()
      .waitFor({ state: "attached" });
    await page.close();
  }
}

/** Opening a run of 50,000 events, jumping through its list, scrubbing. */
async function measureLong(browser: Browser, server: TestServer, id: string): Promise<void> {
  const page = await browser.newPage(VIEW);
  const opened: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.goto(`${server.url}/crews`);
    await page.waitForSelector("h1");
    const began = performance.now();
    await page.goto(`${server.url}/runs/${id}?tab=events`);
    await Promise.all([".events-row", ".timeline-bar"].map((part) => page.waitForSelector(part)));
    opened.push(performance.now() - began);
  }
  print("50,000 events opened", {
    "median ms": opened.toSorted((a, b) => a - b)[2] ?? 0,
    "max ms": Math.max(...opened),
  });
  await sleep(1_000);
  print("60 jumps", await page.evaluate(measureJumps, 60));
  print("200 scrubs", await page.evaluate(measureScrubs, 200));
  print("200 scrubs, CPU time of the main thread", await measureWork(page, 200));
  await page.evaluate(() => document.querySelector<HTMLElement>("#tab-xray")?.click());
  print("200 scrubs with the X-ray", await page.evaluate(measureScrubs, 200));
  await page.close();
}

/** What scrubs cost the main thread, without waiting for a core: the clock of a busy machine counts that, too. */
async function measureWork(page: Page, count: number): Promise<Record<string, number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
  };
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const before = await taken();
    await page.evaluate(scrubOnce);
    times.push((await taken()) - before);
  }
  await session.detach();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(count * part)] ?? 0;
  return { "p50 ms": at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}

async function openStreams(server: TestServer): Promise<number> {
  const text = await (await server.get("/metrics")).text();
  return Number(/baton_open_streams (\d+)/.exec(text)?.[1]);
}

/** The run opened and left again, in one tab. */
async function measureLeaving(browser: Browser, server: TestServer, id: string): Promise<void> {
  const page = await browser.newPage(VIEW);
  const go = (address: string) =>
    page.evaluate((wanted) => {
      window.history.pushState(null, "", wanted);
      window.dispatchEvent(new Event("baton:address"));
    }, address);
  await page.goto(`${server.url}/crews`);
  const heaps: Heap[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await go(`/runs/${id}?tab=events`);
    // A function and not a selector: that would hold on to what it found.
    await page.waitForFunction(() => document.querySelector(".timeline-bar") !== null);
    await go("/crews");
    await page.waitForFunction(() => document.querySelector(".timeline-bar") === null);
    heaps.push(await heapOf(page));
  }
  for (const part of ["totalBytes", "dataBytes", "codeBytes"] as const) {
    const sizes = heaps.map((heap) => heap[part] / 1e6);
    const [first = 0, second = 0] = sizes;
    const last = sizes.at(-1) ?? 0;
    print(`opened and left ten times, ${part}`, {
      "MB after the first": first,
      "after the second": second,
      "after the last": last,
      "change %": (last / first - 1) * 100,
    });
  }
  await page.close();
  for (let tries = 0; tries < 100 && (await openStreams(server)) > 0; tries++) await sleep(50);
  print("after closing", { baton_open_streams: await openStreams(server) });
}

const { values } = parseArgs({ options: { only: { type: "string", default: "tokens,long,leaving" } } });
const wanted = new Set(values.only.split(","));
const folder = await ensureConsole();
const models = new Map([
  ["fast", fastModel()],
  ["long", longModel()],
]);
await using server = await startTestServer(
  [fast, long].map((crew) => ({ crew, script: {} })),
  { console: folder, model: (_agent, crew) => models.get(crew.name) ?? fastModel() },
);
const browser = await openBrowser();
await measureIdle(browser, server);
if (wanted.has("tokens")) await measureTokens(browser, server);
const id = await startRun(server, "long");
await untilEnded(server, id);
if (wanted.has("long")) await measureLong(browser, server, id);
if (wanted.has("leaving")) await measureLeaving(browser, server, id);
await browser.close();
