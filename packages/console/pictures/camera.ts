/**
 * Camera: a browser that opens scenes at a width and in a theme, with nothing that moves.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { PictureScene } from "./scenes.ts";
import type { PictureWorld } from "./world.ts";

/** The width and theme of a picture. */
export interface CameraView {
  readonly width: number;
  readonly theme: "light" | "dark";
}

const HEIGHTS: ReadonlyMap<number, number> = new Map([
  [360, 740],
  [768, 1_024],
  [1_280, 800],
  [2_560, 1_300],
]);

/** The width below which a screen is touched. */
const TOUCHED = 768;

/** The browser's options for a view. */
export function contextOptions({ width, theme }: CameraView): BrowserContextOptions {
  return {
    viewport: { width, height: HEIGHTS.get(width) ?? 800 },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "UTC",
    hasTouch: width < TOUCHED,
    isMobile: width < TOUCHED,
  };
}

/** True if a scene exists at a width. */
export function isSeenAt({ widths }: PictureScene, width: number): boolean {
  return widths === undefined || widths.includes(width);
}

/** Opens a scene and waits until all of it is drawn; the caller closes the page's context. */
export async function openScene(browser: Browser, { world, scene, view }: OpenedScene): Promise<Page> {
  const context = await browser.newContext(contextOptions(view));
  const page = await context.newPage();
  await page.clock.setFixedTime(world.seenAt);
  await page.goto(scene.address(world));
  await scene.ready(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await shoot(page);
  await page.evaluate(showIds, [...world.shownIds]);
  return page;
}

/** In the page: writes other ids in place of those of the runs. */
function showIds(ids: readonly (readonly [string, string])[]): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    for (const [id, shown] of ids) {
      if (node.nodeValue?.includes(id) === true) node.nodeValue = node.nodeValue.replace(id, shown);
    }
  }
}

/** A scene of a world, in a view. */
export interface OpenedScene {
  readonly world: PictureWorld;
  readonly scene: PictureScene;
  readonly view: CameraView;
}

/** A picture of a page, once two in a row are equal. */
export async function shoot(page: Page): Promise<Buffer> {
  let before = await page.screenshot(STILL);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const now = await page.screenshot(STILL);
    if (now.equals(before)) return now;
    before = now;
  }
  return before;
}

const STILL = { animations: "disabled", caret: "hide" } as const;
const MOST_TRIES = 8;
