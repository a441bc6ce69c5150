/**
 * Visitor: a person with a browser before a console, and what the server says when it is asked directly.
 *
 * Errors of pages, and requests to other hosts, are kept for a test to look at.
 */
import type { RunEvent } from "@baton/core";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { z } from "zod";

/** A run that was started. */
export interface VisitorRun {
  readonly id: string;
  readonly session_id: string;
}

const STARTED = z.object({ id: z.string(), session_id: z.string() });
const EVENTS = z.object({ events: z.array(z.custom<RunEvent>(() => true)) });
const RUNS = z.object({ runs: z.array(z.object({ id: z.string() })) });

/** One person with one browser. */
export class Visitor {
  readonly problems: string[] = [];
  readonly #browser: Browser;
  readonly #url: string;
  /** The browser's own messages about requests that a test lets fail. */
  readonly #expected: RegExp | undefined;

  constructor(browser: Browser, url: string, expected?: RegExp) {
    this.#browser = browser;
    this.#url = url;
    this.#expected = expected;
  }

  /** Opens a page in a context of its own. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1_280, height: 800 }, ...options });
    return this.openBeside(context, path);
  }

  /** Opens a page in a tab beside others. */
  async openBeside(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && this.#expected?.test(message.text()) !== true) {
        this.problems.push(message.text());
      }
    });
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.#url) && !url.startsWith("data:")) this.problems.push(url);
    });
    await page.goto(this.#url + path);
    return page;
  }

  /** Starts a run without a page. */
  async start(crew: string, input: string): Promise<VisitorRun> {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ crew, input });
    const answer = await fetch(`${this.#url}/api/runs`, { method: "POST", headers, body });
    return STARTED.parse(await answer.json());
  }

  /** The log of a run. */
  async log(run: string): Promise<readonly RunEvent[]> {
    const headers = { Accept: "application/json" };
    const answer = await fetch(`${this.#url}/api/runs/${run}/events`, { headers });
    return EVENTS.parse(await answer.json()).events;
  }

  /** The newest runs first. */
  async runs(): Promise<readonly string[]> {
    const answer = await fetch(`${this.#url}/api/runs?limit=100`);
    return RUNS.parse(await answer.json()).runs.map(({ id }) => id);
  }
}

/** The field for messages. */
export function messageBox(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  // Until the page knows the crew nothing can be sent.
  await page.locator(".composer-send:enabled").waitFor();
  await messageBox(page).press("Enter");
}

/** Chooses a crew in the composer. */
export async function chooseCrew(page: Page, crew: string): Promise<void> {
  await page.getByRole("button", { name: "Crew: " }).click();
  await page.locator(".menu-item", { hasText: crew }).first().click();
}

/** Waits until the run is as the title says: `Done`, `Waiting`, `Stopped`. */
export async function untilTitle(page: Page, status: string): Promise<void> {
  await page.waitForFunction((wanted) => document.title.startsWith(wanted), status);
}

/** Waits until the conversation has some words. */
export async function untilText(page: Page, words: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector(".conversation")?.textContent.includes(wanted), words);
}

/** All words of the conversation. */
export async function conversationText(page: Page): Promise<string> {
  return page.evaluate(() => document.querySelector(".conversation-column")?.textContent ?? "");
}

/** The messages of the user. */
export async function saidIn(page: Page): Promise<readonly string[]> {
  return page.locator(".user-message").allInnerTexts();
}

/** Returns the number of pixels by which the page is wider than its window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Hides a tab or shows it again; a browser without a window does so never itself. */
export async function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate((wanted) => {
    Object.defineProperty(document, "visibilityState", { value: wanted, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
