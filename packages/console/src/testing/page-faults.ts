/**
 * Page faults: finds what no page may have: errors, violations of its policy, requests to other hosts, sideways scrolling,
 * and elements that fail axe or are too small for a finger.
 */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";

const WORDS = z.array(z.string());
/** The smallest side of what a finger presses. */
const TARGET = 44;

/** Collects what a page does wrong; answers that are part of the scene are not wrong. */
export function watchFaults(page: Page, problems: string[]): void {
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    const isAnswer = message.text().startsWith("Failed to load resource: the server responded with a status of 40");
    if (message.type() === "error" && !isAnswer) problems.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (hostname !== "127.0.0.1" && protocol !== "data:" && protocol !== "blob:") problems.push(request.url());
  });
}

/** Returns the violations that axe finds. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))",
  );
  return WORDS.parse(found);
}

/** Returns the number of pixels that the page can be scrolled sideways. */
export async function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll("main, .app, .conversation-scroll")];
    return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
  });
}

/**
 * Returns the elements that are too small for a finger: all but links and figures within a sentence, the rows of the table of events, and the graph, whose
 * agents are also listed.
 */
export async function findSmall(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const layer = [...document.querySelectorAll("dialog[open], [popover]:popover-open")].at(-1) ?? document.body;
    const pressed = layer.querySelectorAll(
      "a[href], button, select, textarea, summary, [role=slider], [role=option], input:not([type=file])",
    );
    return [...pressed].flatMap((one) => {
      const box = (one.closest("label") ?? one).getBoundingClientRect();
      const style = getComputedStyle(one);
      const isInSentence =
        (one.tagName === "A" && style.display === "inline") || one.matches("p .figure, td .figure, li .figure");
      const isShown = one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1;
      if (!isShown || isInSentence || one.matches(":disabled, .events-row")) return [];
      if (Math.min(box.width, box.height) >= least - 0.5) return [];
      return [`${Math.round(box.width)}x${Math.round(box.height)} ${one.outerHTML.slice(0, 120)}`];
    });
  }, TARGET);
}
