import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { ensureConsole } from "./build.ts";
import { toLicences } from "./licences.ts";

suite("licences", () => {
  let root = "";
  const add = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const folder = join(root, "node_modules", name);
    await mkdir(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return folder;
  };
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "baton-licences-"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  test("each package is named once, with all it says of its licence", async () => {
    const font = await add("@made-up/font", {
      "package.json": '{"name":"@made-up/font","version":"1.2.3","license":"OFL-1.1"}',
      LICENSE: "Open Font",
    });
    const code = await add("code", {
      "package.json": '{"name":"code","version":"4.0.0","license":"Apache-2.0"}',
      "LICENSE.md": "Apache",
      NOTICE: "By somebody",
    });
    const files = [`${font}/files/a.woff2`, `${code}/a.js`, `${code}/b.js?worker`, join(root, "src/own.ts")];
    const text = await toLicences(files);
    assert.equal(text.match(/code 4\.0\.0 Apache-2\.0/g)?.length, 1);
    for (const words of ["@made-up/font 1.2.3 OFL-1.1", "Open Font", "Apache\n\nBy somebody"]) {
      assert.ok(text.includes(words), words);
    }
  });

  test("a package without a licence text is named with its licence and author", async () => {
    const small = await add("small", {
      "package.json": '{"name":"small","version":"2.0.0","license":"MIT","author":"Ann Author"}',
    });
    assert.match(await toLicences([`${small}/a.js`]), /small 2\.0\.0 MIT\n\nAnn Author\n/);
  });

  test("a package that does not say its licence is refused", async () => {
    const bare = await add("bare", { "package.json": '{"name":"bare"}' });
    await assert.rejects(toLicences([`${bare}/a.js`]), /bare does not say its licence/);
  });

  test("the built console names its fonts, icons, charts and libraries", async () => {
    const text = await readFile(join(await ensureConsole(), "licences.txt"), "utf8");
    const wanted = ["geist", "geist-mono", "lucide-react", "lightweight-charts", "markdown-it", "react-dom"];
    for (const name of wanted) assert.match(text, new RegExp(`^(?:@[a-z-]+/)?${name} \\d`, "m"));
    for (const words of ["SIL Open Font License", "ISC License", "Apache License"]) assert.ok(text.includes(words));
  });
});
