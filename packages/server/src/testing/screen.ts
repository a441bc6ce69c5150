/**
 * Screen: what a person at a browser sees of the page and does to it.
 *
 * Everything waits for what it needs to see, and nothing for a time.
 */
import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** A visit, and what the browser may complain of in it. */
interface Visit extends BrowserContextOptions {
  readonly url: string;
  readonly expected?: RegExp;
}

/** Somebody new at a screen of their own; any other complaint of the browser is a failure. */
export async function visit(
  browser: Browser,
  { url, expected, ...options }: Visit,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await using context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (entry) => {
    if (["error", "warning"].includes(entry.type()) && !expected?.test(entry.text())) complaints.push(entry.text());
  });
  await page.goto(url);
  await work(page);
  assert.deepEqual(complaints, []);
}

/** Where a message is written. */
export function messageBox(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message" });
}

/** The button of exactly that name. */
export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

/** Picks a crew from the list above. */
export async function pick(page: Page, crew: string): Promise<void> {
  await page.getByRole("combobox", { name: "Crew" }).selectOption(crew);
}

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await button(page, "Send").click();
}

/** Waits until the status says so, and all before it is drawn. */
export async function untilStatus(page: Page, words: string): Promise<void> {
  await page.locator("#status", { hasText: words }).waitFor();
  await untilDrawn(page);
}

/** Waits until so many runs are shown to their end. */
export async function untilDone(page: Page, runs: number): Promise<void> {
  const ends = page.getByText(/^Done ·/);
  await ends.nth(runs - 1).waitFor();
  await untilDrawn(page);
}

/** Text is drawn a frame after it came. */
async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** All that is seen of the conversation. */
export function logOf(page: Page): Promise<string> {
  return page.getByRole("log").innerText();
}

/** What the person said in it. */
export function saidIn(page: Page): Promise<readonly string[]> {
  return page.locator(".said").allInnerTexts();
}

/** Controls by role and accessible name, as assistive technology finds them. */
export async function controlsOf(page: Page): Promise<readonly string[]> {
  const lines = (await page.locator("body").ariaSnapshot()).split("\n").map((line) => line.trim());
  return lines.flatMap((line) => /^- ((?:button|combobox|textbox|link)(?: "[^"]*")?)/.exec(line)?.slice(1) ?? []);
}

/** Where the focus goes with that many tabs. */
export async function tabsOf(page: Page, count: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (let tab = 0; tab < count; tab++) {
    await page.keyboard.press("Tab");
    names.push(await page.locator(":focus").evaluate((element) => element.id || (element.textContent ?? "")));
  }
  return names;
}

/** What is beyond the screen, or hidden by its own box; a table may be wider, as it scrolls by itself. */
export function cutIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element) => {
      if (!element.checkVisibility() || element.parentElement?.closest("table")) return false;
      const { left, right } = element.getBoundingClientRect();
      const hides = ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
      return left < 0 || right > innerWidth || (hides && element.scrollWidth > element.clientWidth);
    };
    return [...document.body.querySelectorAll("*")].filter(isCut).map((element) => element.outerHTML.slice(0, 120));
  });
}
