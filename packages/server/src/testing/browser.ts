/**
 * Browser: a headless Chromium that `npm ci` brings, so that the page is tested on machines without a browser.
 *
 * It is packed for Linux on x64 together with the libraries and fonts that a bare system lacks, and uses these
 * everywhere. It is unpacked into a folder of its own, where all it writes goes too, and which ends with the process.
 */
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packed, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const LIBRARIES = fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium")));

/** Why there is no browser on this machine; false if there is one. */
export const noBrowser =
  process.platform === "linux" && process.arch === "x64" ? false : "the packed Chromium is for Linux on x64";

/** Starts it; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), "baton-browser-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const end of ["SIGINT", "SIGTERM"]) process.once(end, () => process.exit(1));
  // The only way to tell the package where to unpack, and Playwright where to keep its profiles.
  process.env["TMPDIR"] = folder;
  const [executablePath] = await Promise.all([packed.executablePath(), inflate(LIBRARIES)]);
  const fonts = join(folder, "fonts.conf");
  await writeFile(fonts, `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`);
  return chromium.launch({
    executablePath,
    // Most people's browsers show them, and they take room.
    ignoreDefaultArgs: ["--hide-scrollbars"],
    handleSIGINT: false,
    handleSIGTERM: false,
    env: { HOME: folder, TMPDIR: folder, LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: fonts },
  });
}
