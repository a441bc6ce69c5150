/**
 * `npm run pictures`: takes every page and state at three widths in both themes into `packages/console/.pictures`, and
 * writes those that documents show, and the animation of a rewind, to `docs/images`.
 *
 * Words after `--` choose: names of scenes, widths, `light`, `dark`, `rewind` for the animation alone.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../../server/src/testing/browser.ts";
import { isSeenAt, openScene, type OpenedScene, shoot, type CameraView } from "./camera.ts";
import { reduce } from "./palette.ts";
import { readPng, writePng } from "./png.ts";
import { takeRewind } from "./rewind.ts";
import { SCENES } from "./scenes.ts";
import { openPictureWorld, type PictureWorld } from "./world.ts";

const FOLDER = join(import.meta.dirname, "..", ".pictures");
const SHOWN = join(import.meta.dirname, "../../../docs/images");
/** Pictures that documents show, by the names of their files. */
const CHOSEN: ReadonlyMap<string, string> = new Map([
  ["first-1280-light", "first"],
  ["answer-1280-light", "answer"],
  ["answer-360-dark", "answer-phone"],
  ["approval-1280-dark", "approval"],
  ["receipt-1280-light", "receipt"],
  ["running-1280-dark", "running"],
  ["run-rewound-1280-light", "run"],
  ["run-rewound-1280-dark", "run-dark"],
  ["run-comparison-1280-light", "comparison"],
  ["runs-1280-light", "runs"],
  ["crew-1280-light", "crew"],
  ["overview-1280-light", "overview"],
]);
const WIDTHS = [360, 1_280, 2_560];
const THEMES = ["light", "dark"] as const;
/** The time a model takes for a word, so that runs have a length. */
const WORD_MS = 12;

const words = process.argv.slice(2);
const chosen = <T extends string | number>(all: readonly T[]): readonly T[] => {
  const asked = all.filter((one) => words.includes(String(one)));
  return asked.length === 0 ? all : asked;
};

for (const folder of [FOLDER, SHOWN]) await mkdir(folder, { recursive: true });
await using world = await openPictureWorld({ wordMs: WORD_MS });
const browser = await openBrowser();
try {
  if (!words.includes("rewind")) for (const shot of toShots(world)) await take(browser, shot);
  if (words.length === 0 || words.includes("rewind")) {
    await writeFile(join(SHOWN, "rewind.png"), await takeRewind(browser, world));
  }
} finally {
  await browser.close();
}

function toShots(of: PictureWorld): readonly OpenedScene[] {
  const names = new Set(chosen(SCENES.map(({ name }) => name)));
  const views: readonly CameraView[] = chosen(WIDTHS).flatMap((width) =>
    chosen(THEMES).map((theme) => ({ width, theme })),
  );
  return SCENES.filter(({ name }) => names.has(name)).flatMap((scene) =>
    views.filter(({ width }) => isSeenAt(scene, width)).map((view) => ({ world: of, scene, view })),
  );
}

async function take(from: Browser, shot: OpenedScene): Promise<void> {
  const { scene, view } = shot;
  const name = `${scene.name}-${view.width}-${view.theme}`;
  try {
    const page = await openScene(from, shot);
    const file = await shoot(page);
    await writeFile(join(FOLDER, `${name}.png`), file);
    const shown = CHOSEN.get(name);
    if (shown !== undefined) await writeFile(join(SHOWN, `${shown}.png`), toSmall(file));
    await page.context().close();
    process.stdout.write(`${name}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** The same picture with a palette. */
function toSmall(file: Uint8Array): Uint8Array {
  const { palette, pictures } = reduce([readPng(file)]);
  const [picture] = pictures;
  return picture === undefined ? file : writePng(picture, palette);
}
