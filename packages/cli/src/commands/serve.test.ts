import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { SHOP } from "../testing/shop.ts";

test("what cannot be served is refused before it listens, in a sentence that says what to do", async () => {
  const twin = {
    "other/desk/crew.yaml": CREW_FILES["desk/crew.yaml"]
      .replace("name: desk", "name: twin")
      .replace(/tools: .*\]/, "tools: []"),
  };
  const named = { "copy/crew.yaml": 'version: "1.0"\nname: desk\nagents: [{ id: a, name: A, role: r }]\n' };
  const files = { ...CREW_FILES, ...SHOP, ...twin, ...named, "bad/crew.yaml": "version: '1.0'\n", "empty/x": "" };
  await inFolder(files, async (cwd) => {
    await mkdir(join(cwd, "broken"));
    await writeFile(join(cwd, "broken", "baton.db"), "no database, but long enough to be taken for one. ".repeat(40));
    const wrong: [string[], RegExp][] = [
      [["desk", "other/desk"], /desk and other\/desk have the same id desk; rename one of the folders\n$/],
      [["desk", "copy"], /desk and copy have the same name desk; change `name` in one crew\.yaml\n$/],
      [["bad"], /bad has \d+ errors?, shown above; fix (it|them) and try again\n$/],
      [["nowhere"], /there is no folder or file nowhere/],
      [[], /there is no crew\.yaml in this folder and no crew in crews; name the folders of crews/],
      [["desk", "shop", "--script", "desk/script.yaml"], /script works with one crew only/],
      [
        ["desk", "--script", "desk/script.yaml", "--model", "offline"],
        /cannot be used together \(--script and --model\)/,
      ],
      [["desk", "--model", "openai/gpt-5-mini"], /OPENAI_API_KEY/],
      [
        ["desk", "--host", "0.0.0.0"],
        /an address that other machines can reach needs an API key: create one with `baton keys create/,
      ],
      [["desk", "--data", "broken"], /the store broken\/baton\.db is damaged or no store of Baton/],
      [["desk", "--data", "empty/x/y"], /empty\/x\/y/],
      [["desk", "--postgres", "mysql://h/d"], /must look like postgres:\/\//],
      [
        ["desk", "--postgres", "postgres://u:open-sesame@127.0.0.1:1/d"],
        /Postgres at 127\.0\.0\.1:1\/d cannot be reached/,
      ],
      [["desk", "--allowed-host", "a b"], /--allowed-host must be names of hosts/],
      [["desk", "--data", "d", "--host", "0.0.0.0"], /`baton keys create --tenant NAME --scopes run,read --data d`/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, stdout, stderr } = await baton(["serve", ...args, "--port", "0"], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""], `${args.join(" ")}\n${stderr}`);
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /open-sesame|\n {4}at /);
    }
  });
});
