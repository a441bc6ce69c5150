/**
 * Pack folder: packs that were built on this machine, each a manifest and the file it names.
 *
 * The manifest is what makes a pack: it is moved into its place when the file is whole, so that there is always the old
 * pack or the new one. What is read is checked against it.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../port/market-error.ts";
import { type Pack, readPack } from "../pack/pack.ts";

const MANIFEST = z.object({
  format: z.literal(1),
  built_at: z.string(),
  pack: z.object({ file: z.string().regex(/^[\w-]{1,120}\.pack$/), bytes: z.int(), sha256: z.string() }),
  years: z.array(z.int()),
  counts: z.record(z.string(), z.int()),
  sources: z.array(
    z.object({ source: z.string(), what: z.string(), url: z.string(), fetched_at: z.string(), rows: z.int() }),
  ),
});

/** The description of a pack. */
export type PackManifest = z.infer<typeof MANIFEST>;

/** The parts of a manifest that do not follow from the file. */
export type PackStory = Pick<PackManifest, "built_at" | "years" | "counts" | "sources">;

const NAME = /^[a-z0-9_-]{1,40}$/;
const BUILD = "npm run finance -- data refresh";

/** The manifest of a pack of that name. */
export function toManifestPath(dataFolder: string, name: string): string {
  if (NAME.test(name)) return join(dataFolder, "finance", `${name}.json`);
  throw refuse(`is ${JSON.stringify(name.slice(0, 60))}, which is not the name of a pack, such as current`);
}

const refuse = (why: string): MarketError =>
  new MarketError("not_configured", `BATON_FINANCE_DATA_PACK ${why}`, { enable: "BATON_FINANCE_DATA_PACK" });

/** Reads a pack, checked; throws with the command that builds it. */
export function openBuiltPack(dataFolder: string, name: string): Readonly<{ pack: Pack; manifest: PackManifest }> {
  const path = toManifestPath(dataFolder, name);
  const text = readText(path);
  if (text === undefined) throw refuse(`is "${name}", but there is no ${path}; \`${BUILD}\` builds it`);
  const { data: manifest } = MANIFEST.safeParse(parseJson(text));
  if (manifest === undefined) throw refuse(`is "${name}", but ${path} is damaged; \`${BUILD}\` builds it again`);
  const file = join(dirname(path), manifest.pack.file);
  try {
    const bytes = readFileSync(file);
    if (sha256(bytes) === manifest.pack.sha256) return { pack: readPack(bytes), manifest };
  } catch {
    // It is missing, or its content is not that of a pack.
  }
  throw refuse(`is "${name}", but ${file} is missing or damaged; \`${BUILD}\` builds it again`);
}

/** Writes a pack, then replaces the old manifest; what the old one named is removed. */
export async function writeBuiltPack(
  manifestPath: string,
  { packed, story }: Readonly<{ packed: Uint8Array; story: PackStory }>,
): Promise<PackManifest> {
  const folder = dirname(manifestPath);
  const name = basename(manifestPath, ".json");
  const hash = sha256(packed);
  const file = `${name}-${hash.slice(0, 16)}.pack`;
  const manifest: PackManifest = { format: 1, ...story, pack: { file, bytes: packed.length, sha256: hash } };
  await mkdir(folder, { recursive: true });
  await writeWhole(join(folder, file), packed);
  await writeWhole(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const other of await readdir(folder)) {
    if (other.startsWith(`${name}-`) && other.endsWith(".pack") && other !== file) await rm(join(folder, other));
  }
  return manifest;
}

async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  await writeFile(`${path}.part`, content, { flush: true });
  await rename(`${path}.part`, path);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
