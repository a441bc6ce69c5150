/**
 * Kept frames: what a refresh has fetched so far, as files, so that an interrupted refresh continues from there.
 *
 * A file is written beside its place and moved there when it is whole; one that is older than a day, or damaged, is
 * fetched again.
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@baton/core/util";
import { z } from "zod";

const DAY_MS = 86_400_000;

const ROW = z.object({
  cik: z.string(),
  name: z.string(),
  accession: z.string(),
  start: z.string().exactOptional(),
  end: z.string(),
  value: z.number(),
});
const KEPT = z.object({ url: z.string(), fetchedAt: z.number(), rows: z.array(ROW) });

/** A frame as it is kept. */
export type KeptFrame = z.infer<typeof KEPT>;

/** Frames by name in a folder. */
export class KeptFrames {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(name: string, now: number): Promise<KeptFrame | undefined> {
    const text = await readFile(this.#pathOf(name), "utf8").catch(() => "");
    const { data } = KEPT.safeParse(parseJson(text));
    return data !== undefined && data.fetchedAt <= now && now < data.fetchedAt + DAY_MS ? data : undefined;
  }

  async put(name: string, frame: KeptFrame): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = this.#pathOf(name);
    await writeFile(`${path}.part`, JSON.stringify(frame));
    await rename(`${path}.part`, path);
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name.replaceAll(/[^\w-]/g, "_")}.json`);
  }
}
