/**
 * Picture worker: the thread that draws SVG. It loads the renderer and the font when it starts.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { toMessage } from "@baton/core/util";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { z } from "zod";
import { FontFile } from "./font-file.ts";
import type { DrawnPicture } from "./picture-renderer.ts";
import { type FontPart, placeTexts } from "./text-runs.ts";

const FAMILY = "Be Vietnam Pro";
/** The parts of the font, by family names of one length. Letters that two have are drawn with the first. */
const PARTS = [
  ["@fontsource/be-vietnam-pro/files/be-vietnam-pro-latin-400-normal.woff2", FAMILY],
  ["@fontsource/be-vietnam-pro/files/be-vietnam-pro-vietnamese-400-normal.woff2", "Be Vietnam Vie"],
  ["@fontsource/be-vietnam-pro/files/be-vietnam-pro-latin-ext-400-normal.woff2", "Be Vietnam Ext"],
] as const;
const WIDTH = 1_200;
const ASKED = z.object({ id: z.number(), svg: z.string() });
const { resolve } = createRequire(import.meta.url);

interface LoadedFont {
  readonly parts: readonly FontPart[];
  readonly files: Uint8Array[];
}

const ready = load();

parentPort?.on("message", (message: unknown) => {
  const { id, svg } = ASKED.parse(message);
  ready
    .then((font) => answer({ id, png: draw(svg, font) }))
    .catch((error: unknown) => answer({ id, error: toMessage(error) }));
});

function answer(drawn: DrawnPicture): void {
  parentPort?.postMessage(drawn);
}

async function load(): Promise<LoadedFont> {
  await initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const read = PARTS.map(async ([path, family]) => {
    const font = new FontFile(await readFile(resolve(path)));
    return { part: { family, widths: font.readWidths() }, file: font.rename(FAMILY, family) };
  });
  const fonts = await Promise.all(read);
  return { parts: fonts.map(({ part }) => part), files: fonts.map(({ file }) => file) };
}

function draw(svg: string, { parts, files }: LoadedFont): Uint8Array {
  const font = { fontBuffers: files, defaultFontFamily: FAMILY, sansSerifFamily: FAMILY, loadSystemFonts: false };
  const image = new Resvg(placeTexts(svg, parts), { fitTo: { mode: "width", value: WIDTH }, font });
  try {
    return image.render().asPng();
  } finally {
    image.free();
  }
}
