/**
 * Browser: a headless Chromium that `npm ci` brings, so that the page is tested on machines without a browser.
 *
 * It is packed for Linux on x64 together with the libraries and fonts that a bare system lacks, and uses these
 * everywhere. To unpack it takes two seconds of CPU, so that is done once, into a folder beside the installed packages.
 * All that it writes goes to a folder that ends with the process.
 */
import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packed, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import { z } from "zod";

const PACKAGE = fileURLToPath(new URL("..", import.meta.resolve("@sparticuz/chromium")));
const CACHE = join(PACKAGE, "../../.cache");
const MANIFEST = z.object({ version: z.string() });

/** Why there is no browser on this machine; false if there is one. */
export const noBrowser =
  process.platform === "linux" && process.arch === "x64" ? false : "the packed Chromium is for Linux on x64";

/** Starts it; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  for (const end of ["SIGINT", "SIGTERM"]) process.once(end, () => process.exit(1));
  const unpacked = await unpack();
  const folder = await makeFolder(join(tmpdir(), "baton-browser-"));
  // The only way to tell Playwright where to keep its profiles.
  process.env["TMPDIR"] = folder;
  const fonts = join(folder, "fonts.conf");
  await writeFile(fonts, `<fontconfig><dir>${unpacked}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`);
  return chromium.launch({
    executablePath: join(unpacked, "chromium"),
    // Most people's browsers show them, and they take room.
    ignoreDefaultArgs: ["--hide-scrollbars"],
    handleSIGINT: false,
    handleSIGTERM: false,
    env: { HOME: folder, TMPDIR: folder, LD_LIBRARY_PATH: join(unpacked, "al2023", "lib"), FONTCONFIG_FILE: fonts },
  });
}

/** The folder of the unpacked browser. It appears whole, whichever of several processes unpacks it first. */
async function unpack(): Promise<string> {
  const { version } = MANIFEST.parse(JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")));
  const unpacked = join(CACHE, `baton-browser-${version}`);
  if (existsSync(unpacked)) return unpacked;
  await mkdir(CACHE, { recursive: true });
  const folder = await makeFolder(`${unpacked}-`);
  const before = process.env["TMPDIR"];
  // The only way to tell the package where to unpack.
  process.env["TMPDIR"] = folder;
  await Promise.all([packed.executablePath(), inflate(join(PACKAGE, "bin/al2023.tar.br"))]);
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  await rename(folder, unpacked).catch((failure: unknown) => {
    if (!existsSync(unpacked)) throw failure;
  });
  return unpacked;
}

/** A folder that ends with the process. */
async function makeFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
