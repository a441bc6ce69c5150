/**
 * Rewind: an animation of a run that is scrubbed back and forth by its timeline; graph, story and X-ray follow.
 */
import type { Browser, Page } from "playwright-core";
import { type ApngFrame, writeApng } from "./apng.ts";
import { contextOptions, shoot } from "./camera.ts";
import { reduce } from "./palette.ts";
import { readPng } from "./png.ts";
import type { PictureWorld } from "./world.ts";

/** Laid out as on a wide screen, drawn 960 px wide. */
const SCALE = 0.75;
const FRAME_MS = 110;
const HOLD_MS = 700;
/** The places on the timeline that the pointer goes to, as parts of its length, and in how many frames. */
const WAY = [
  { to: 0.9, frames: 4 },
  { to: 0.12, frames: 24 },
  { to: 0.3, frames: 12 },
  { to: 0.22, frames: 5 },
] as const;

/** Takes the animation. */
export async function takeRewind(browser: Browser, { full, runs }: PictureWorld): Promise<Buffer> {
  const context = await browser.newContext({
    ...contextOptions({ width: 1_280, theme: "light" }),
    deviceScaleFactor: SCALE,
  });
  const page = await context.newPage();
  await page.goto(`${full.url}/runs/${runs.exam.id}`);
  await page.locator(".crew-graph .box").first().waitFor();
  await page.locator(".xray-block").first().waitFor();
  await page.getByRole("button", { name: "Even" }).click();
  const shots = await scrub(page);
  await context.close();
  const { palette, pictures } = reduce(shots.map(({ file }) => readPng(file)));
  const frames = pictures.map((picture, index): ApngFrame => ({ picture, ms: shots[index]?.ms ?? FRAME_MS }));
  return writeApng(frames, palette);
}

interface Shot {
  readonly file: Buffer;
  readonly ms: number;
}

async function scrub(page: Page): Promise<readonly Shot[]> {
  const rail = await page.locator(".timeline-rail").boundingBox();
  if (rail === null) throw new Error("the timeline is not drawn");
  const y = rail.y + rail.height / 3;
  const shots: Shot[] = [{ file: await shoot(page), ms: HOLD_MS }];
  await page.mouse.move(rail.x + rail.width, y);
  await page.mouse.down();
  let from = 1;
  for (const { to, frames } of WAY) {
    for (let frame = 1; frame <= frames; frame++) {
      await page.mouse.move(rail.x + rail.width * (from + ((to - from) * frame) / frames), y);
      shots.push({ file: await shoot(page), ms: frame === frames ? HOLD_MS : FRAME_MS });
    }
    from = to;
  }
  await page.mouse.up();
  return shots;
}
