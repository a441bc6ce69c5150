/** The files that a browser fetches before it can draw the first page, measured on the built files, as a server would send them. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ensureConsole } from "./build.ts";

const KB = 1_000;

describe("the built console", { timeout: 120_000 }, () => {
  let folder = "";
  let index = "";
  const linked = (): readonly string[] =>
    Array.from(index.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g), ([, name = ""]) => name);
  const sizeOf = async (name: string): Promise<number> => gzipSync(await readFile(join(folder, name))).length;

  before(async () => {
    folder = await ensureConsole();
    index = await readFile(join(folder, "index.html"), "utf8");
  });

  test("loads at most 200 KB of script and style at first, of which styles are at most 20 KB", async () => {
    const sizes = await Promise.all(linked().map(async (name) => [name, await sizeOf(name)] as const));
    const total = (ending: string): number =>
      sizes.reduce((sum, [name, bytes]) => (name.endsWith(ending) ? sum + bytes : sum), 0);
    assert.ok(total(".js") > 0 && total(".css") > 0, "the page has scripts and styles");
    assert.ok(total("") <= 200 * KB, `${total("")} bytes: ${JSON.stringify(sizes)}`);
    assert.ok(total(".css") <= 20 * KB, `${total(".css")} bytes of styles`);
  });

  test("keeps the library that draws charts and the other pages out of the first load", async () => {
    const names = (await readdir(join(folder, "assets"))).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, "assets", name), "utf8")] as const),
    );
    const first = new Set(linked());
    const having = (text: string) =>
      texts.filter(([, content]) => content.includes(text)).map(([name]) => `assets/${name}`);
    for (const mark of ["priceScaleId", "overview-server", "crew-conversation", "runs-filters"]) {
      const files = having(mark);
      assert.ok(files.length > 0, `a file has ${mark}`);
      assert.deepEqual(
        files.filter((name) => first.has(name)),
        [],
        mark,
      );
    }
    const chart = having("priceScaleId")[0] ?? "";
    assert.ok((await sizeOf(chart)) <= 60 * KB, "charts are at most 60 KB when they are needed");
  });
});
