/**
 * `npm run pictures`: takes every page and state at three widths in both themes into `packages/console/.pictures`, and
 * writes those that documents show, and the animation of a rewind, to `docs/images`.
 *
 * Words after `--` choose: names of scenes, widths, `light`, `dark`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../../server/src/testing/browser.ts";
import { isSeenAt, openScene, type Opened, type View } from "./camera.ts";
import { SCENES } from "./scenes.ts";
import { openWorld, type World } from "./world.ts";

const FOLDER = join(import.meta.dirname, "..", ".pictures");
const WIDTHS = [360, 1_280, 2_560];
const THEMES = ["light", "dark"] as const;
/** How long a model takes for a word, so that runs have a length. */
const WORD_MS = 12;

const words = process.argv.slice(2);
const chosen = <T extends string | number>(all: readonly T[]): readonly T[] => {
  const asked = all.filter((one) => words.includes(String(one)));
  return asked.length === 0 ? all : asked;
};

await mkdir(FOLDER, { recursive: true });
await using world = await openWorld({ wordMs: WORD_MS });
const browser = await openBrowser();
try {
  for (const shot of toShots(world)) await take(browser, shot);
} finally {
  await browser.close();
}

function toShots(of: World): readonly Opened[] {
  const names = new Set(chosen(SCENES.map(({ name }) => name)));
  const views: readonly View[] = chosen(WIDTHS).flatMap((width) => chosen(THEMES).map((theme) => ({ width, theme })));
  return SCENES.filter(({ name }) => names.has(name)).flatMap((scene) =>
    views.filter(({ width }) => isSeenAt(scene, width)).map((view) => ({ world: of, scene, view })),
  );
}

async function take(from: Browser, shot: Opened): Promise<void> {
  const { scene, view } = shot;
  const name = `${scene.name}-${view.width}-${view.theme}.png`;
  try {
    const page = await openScene(from, shot);
    await writeFile(join(FOLDER, name), await page.screenshot({ animations: "disabled", caret: "hide" }));
    await page.context().close();
    process.stdout.write(`${name}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
