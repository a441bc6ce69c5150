/** The run page of a run that goes on, without a mouse, and what is left open after it was left. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { defineCrew, type Model } from "@baton/core";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, PATIENT, until, untilGone } from "../testing/page-suite.ts";
import { startTestServer, type TestServer } from "../../../server/src/testing/test-server.ts";

const relay = defineCrew({
  name: "relay",
  agents: [{ id: "first" }, { id: "second", isTerminal: true }],
  signals: { first: [{ signal: "[GO]", target: "second" }] },
  settings: PATIENT,
});

/** Words that a test hands out one by one, so that a run goes on as long as the test wants. */
class Words {
  readonly #waiting: string[] = [];
  #wake = (): void => {};

  give(...words: readonly string[]): void {
    this.#waiting.push(...words);
    this.#wake();
  }

  async next(abort: AbortSignal): Promise<string> {
    while (this.#waiting.length === 0) {
      abort.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        abort.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return this.#waiting.shift() ?? "";
  }
}

/** A model that says the next words of a test; an empty one ends its reply. */
function toModel(words: Words): Model {
  return {
    name: "by hand",
    async *stream(_prompt, { abort }) {
      for (;;) {
        const text = await words.next(abort);
        if (text === "") break;
        yield [{ type: "text", text }];
      }
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
    },
  };
}

/** Adds up in the page how far things in it move by themselves. */
function watchShifts(): void {
  let sum = 0;
  document.documentElement.dataset["shift"] = "0";
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ("value" in entry && typeof entry.value === "number") sum += entry.value;
    }
    document.documentElement.dataset["shift"] = String(sum);
  }).observe({ type: "layout-shift" });
}

const CREATED = z.object({ id: z.string() });

describe("the run page of a live run", PAGE_SUITE, () => {
  let words = new Words();
  let server: TestServer;
  let browser: Browser;
  let page: Page;

  const valueOf = async (): Promise<number> => Number(await page.getByRole("slider").getAttribute("aria-valuenow"));
  const untilNewest = async (): Promise<void> => {
    await page.waitForFunction(() => {
      const slider = document.querySelector("[role=slider]");
      return slider !== null && slider.getAttribute("aria-valuenow") === slider.getAttribute("aria-valuemax");
    });
  };
  const untilShown = async (text: string): Promise<void> => {
    await page.waitForFunction((wanted) => document.querySelector(".story")?.textContent?.includes(wanted), text);
  };
  const openStreams = async (): Promise<number> => {
    const text = await (await server.get("/metrics")).text();
    return Number(/baton_open_streams (\d+)/.exec(text)?.[1]);
  };
  const start = async (): Promise<string> => {
    words = new Words();
    const { id } = CREATED.parse(await (await server.post("/api/runs", { crew: "relay", input: "Go" })).json());
    return id;
  };

  before(async () => {
    const folder = await ensureConsole();
    server = await startTestServer([{ crew: relay, script: {} }], { console: folder, model: () => toModel(words) });
    browser = await openPageBrowser();
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("a running run is rewound to its start while it goes on, and LIVE returns to its newest event", async () => {
    const run = await start();
    await page.goto(`${server.url}/runs/${run}`);
    words.give("alpha ", "beta ");
    await untilShown("alpha beta");
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.waitForFunction(() => document.querySelector("[role=slider]")?.getAttribute("aria-valuenow") === "1");
    const live = page.getByRole("button", { name: "LIVE" });
    await page.getByRole("button", { name: "LIVE", pressed: false }).waitFor();

    words.give("gamma ", "[GO]", "", "delta ");
    await page.locator('.timeline-row[data-agent="second"] .timeline-bar').waitFor();
    assert.equal(await valueOf(), 1);
    assert.doesNotMatch((await page.locator(".story-column-of-run").textContent()) ?? "", /alpha|gamma|delta/);

    await live.click();
    await page.getByRole("button", { name: "LIVE", pressed: true }).waitFor();
    await untilShown("gamma");
    await untilShown("delta");
    words.give("epsilon ");
    await untilShown("delta epsilon");
    await untilNewest();
    words.give("");
    await page.waitForFunction(() => document.title.startsWith("Done"));
    await untilGone(live);
  });

  test("what is said to a running run is shown at once, waits for the next step, and then is in the story once", async () => {
    const run = await start();
    await page.goto(`${server.url}/runs/${run}`);
    words.give("alpha ");
    await untilShown("alpha");
    await page.getByPlaceholder("Say something while it runs…").fill("Mind the hats");
    await page.keyboard.press("Enter");
    const waiting = page.locator(".pending-say", { hasText: "Mind the hats" });
    await waiting.getByText("Will be read before the next step").waitFor();
    assert.equal(await page.locator(".user-message", { hasText: "Mind the hats" }).count(), 0);
    words.give("[GO]", "", "delta ");
    await page.locator(".user-message", { hasText: "Mind the hats" }).waitFor();
    await untilGone(waiting);
    await page.getByPlaceholder("Say something while it runs…").fill("Too late");
    await page.keyboard.press("Enter");
    await page.locator(".pending-say", { hasText: "Too late" }).waitFor();
    words.give("");
    await page.getByText("Not read: the run ended before its next step").waitFor();
    assert.equal(await page.locator(".user-message", { hasText: "Mind the hats" }).count(), 1);
  });

  test("what is said offline, and a stop, are sent once when the connection is back", async () => {
    const run = await start();
    await page.goto(`${server.url}/runs/${run}`);
    words.give("alpha ");
    await untilShown("alpha");
    await page.context().setOffline(true);
    const field = page.getByPlaceholder("Say something while it runs…");
    await field.fill("Mind the hats");
    await page.keyboard.press("Enter");
    const waiting = page.locator(".pending-say", { hasText: "Mind the hats" });
    await waiting.getByText("It will be sent when the connection is back").waitFor();
    assert.equal(await field.inputValue(), "");
    await page.context().setOffline(false);
    await waiting.getByText("Will be read before the next step").waitFor();
    words.give("[GO]", "", "delta ");
    await page.locator(".user-message", { hasText: "Mind the hats" }).waitFor();
    await untilShown("delta");
    assert.equal(await page.locator(".user-message", { hasText: "Mind the hats" }).count(), 1);
    await untilGone(waiting);

    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stop will be sent when the connection is back").waitFor();
    await page.context().setOffline(false);
    await page.waitForFunction(() => document.title.startsWith("Stopped"));
    await untilGone(page.getByText("Stop will be sent"));
  });

  test("nothing on the page moves by itself while a run writes and when it ends", async () => {
    const run = await start();
    await page.goto(`${server.url}/runs/${run}`);
    words.give("alpha ");
    await untilShown("alpha");
    await page.locator(".run-graph svg").first().waitFor();
    await page.evaluate(watchShifts);
    for (let line = 0; line < 60; line++) {
      words.give(...Array.from({ length: 12 }, (_, word) => `word${word} `), `line${line}.\n\n`);
      await untilShown(`line${line}.`);
    }
    words.give("[GO]", "", "end", "");
    await page.waitForFunction(() => document.title.startsWith("Done"));
    const shift = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return Number(document.documentElement.dataset["shift"]);
    });
    assert.ok(shift <= 0.01, `layout shift ${shift}`);
  });

  test("a page that is left leaves no stream open on the server", async () => {
    const run = await start();
    words.give("alpha ");
    for (let round = 0; round < 3; round++) {
      await page.goto(`${server.url}/runs/${run}`);
      await untilShown("alpha");
      await until(async () => (await openStreams()) > 0);
      await page.getByRole("link", { name: "Crews" }).first().click();
      await page.waitForURL("**/crews");
      // The list of crews follows what changes; leaving the page altogether ends that, too.
      await page.goto("about:blank");
      await until(async () => (await openStreams()) === 0);
    }
    words.give("[GO]", "", "end", "");
  });

  test("a run is read, rewound, inspected and forked without a mouse", async () => {
    const run = await start();
    words.give("one ", "[GO]", "", "two ", "");
    await page.goto(`${server.url}/runs/${run}`);
    await page.waitForFunction(() => document.title.startsWith("Done"));
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    const reached = new Set<string>();
    for (let count = 0; count < 80; count++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return "";
        const { outlineStyle, boxShadow } = getComputedStyle(element);
        const ground = element.querySelector(":scope > .ground");
        const isRinged = ground !== null && getComputedStyle(ground).strokeWidth === "3px";
        const isVisible = outlineStyle !== "none" || boxShadow !== "none" || isRinged;
        const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
        return `${element.getAttribute("role") ?? element.tagName.toLowerCase()} ${name.trim()}${isVisible ? "" : " (no focus ring)"}`;
      });
      if (focused === "") break;
      reached.add(focused);
    }
    const all = [...reached];
    assert.deepEqual(
      all.filter((one) => one.endsWith("(no focus ring)")),
      [],
    );
    for (const wanted of [
      /^slider /,
      /^button Play/,
      /^button Fork from here/,
      /^tab /,
      /^button first/,
      /^button .*Replay check/,
    ])
      assert.ok(
        all.some((one) => wanted.test(one)),
        `${wanted} in ${all.join(" | ")}`,
      );

    await page.getByRole("slider").focus();
    await page.keyboard.press("e");
    await page.getByRole("tab", { name: "Events", selected: true }).waitFor();
    await page.locator(".events-row").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("[role=slider]")?.getAttribute("aria-valuenow") === "1");
    await page.keyboard.press("o");
    await page.getByRole("tab", { name: "Output", selected: true }).waitFor();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("f");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    // A closed dialog loses its role before it is gone.
    await page.locator("dialog.fork-dialog").waitFor({ state: "detached" });
    await page.keyboard.press("f");
    words.give("other ", "");
    await page.getByRole("dialog").getByRole("button", { name: "Fork", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("vs") === run);
  });
});
