import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import own from "../../package.json" with { type: "json" };
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const FILES = [
  ".env.example",
  ".gitignore",
  "README.md",
  "agents",
  "crew.test.ts",
  "crew.yaml",
  "package.json",
  "script.yaml",
  "tools.ts",
  "tsconfig.json",
];

test("the crew that is written has no findings and runs at once, with no node_modules", async () => {
  await inFolder({}, async (cwd) => {
    const { exitCode, stdout } = await baton(["init", "desk"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /^ {2}baton run desk "What time is it in Hanoi\?"$/m);
    assert.match(stdout, /^ {2}cd desk\n {2}npm install\n {2}npm test\n {2}npm run dev$/m);
    assert.deepEqual((await readdir(join(cwd, "desk"))).toSorted(), FILES);
    const checked = await baton(["check", "desk"], { cwd });
    assert.deepEqual([checked.exitCode, checked.stderr], [0, ""]);
    const ran = await baton(["run", "desk", "What time is it in Hanoi?"], { cwd });
    assert.equal(ran.exitCode, 0);
    assert.match(ran.stdout, /✓ GetTime\(zone: "Asia\/Ho_Chi_Minh"\)/);
    await using server = await Served.start(["desk"], { cwd });
    assert.partialDeepStrictEqual(await server.run({ crew: "desk", input: "Good morning!" }, { wait: true }), {
      outcome: "done",
    });
  });
});

test("the crew in TypeScript has no findings, runs by its script, and its scripts name its file", async () => {
  await inFolder({}, async (cwd) => {
    const { exitCode, stdout } = await baton(["init", "desk", "--template", "ts"], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /^ {2}baton run desk\/crew\.ts "What time is it in Hanoi\?"$/m);
    const files = ["crew.ts", ...FILES].filter((name) => name !== "agents" && name !== "crew.yaml");
    assert.deepEqual((await readdir(join(cwd, "desk"))).toSorted(), files.toSorted());
    const manifest = await readFile(join(cwd, "desk/package.json"), "utf8");
    assert.match(manifest, /"dev": "baton serve crew\.ts --watch"/);
    assert.match(manifest, /"check": "baton check crew\.ts && tsc"/);
    const checked = await baton(["check", "desk/crew.ts", "--strict"], { cwd });
    assert.deepEqual([checked.exitCode, checked.stdout, checked.stderr], [0, "", ""]);
    const ran = await baton(["run", "desk/crew.ts", "What time is it in Hanoi?"], { cwd });
    assert.equal(ran.exitCode, 0);
    assert.match(ran.stdout, /✓ GetTime\(zone: "Asia\/Ho_Chi_Minh"\)/);
    const wrong = await baton(["init", "other", "--template", "json"], { cwd });
    assert.deepEqual(
      [wrong.exitCode, wrong.stderr],
      [2, 'baton: there is no template "json"; use --template yaml or ts\n'],
    );
  });
});

test("the project names itself and the version of Baton that wrote it", async () => {
  const Manifest = z.looseObject({ name: z.string(), dependencies: z.record(z.string(), z.string()) });
  await inFolder({}, async (cwd) => {
    for (const [folder, name] of [
      ["Help_Desk", "help_desk"],
      ["_-x", "x"],
      ["---", "crew"],
    ] as const) {
      assert.equal((await baton(["init", "--", folder], { cwd })).exitCode, 0);
      const manifest = Manifest.parse(JSON.parse(await readFile(join(cwd, folder, "package.json"), "utf8")));
      assert.equal(manifest.name, name);
      assert.deepEqual(manifest.dependencies, {
        "@baton/baton": own.version,
        "@baton/cli": own.version,
        zod: own.dependencies.zod,
      });
      assert.match(await readFile(join(cwd, folder, "README.md"), "utf8"), new RegExp(`^# ${folder}\n`));
      assert.match(await readFile(join(cwd, folder, "tools.ts"), "utf8"), /from "@baton\/baton";/);
    }
  });
});

test("a key in .env is used once the example is copied and filled in", async () => {
  await inFolder({}, async (cwd) => {
    await baton(["init", "desk"], { cwd });
    const example = await readFile(join(cwd, "desk", ".env.example"), "utf8");
    await writeFile(join(cwd, "desk", ".env"), example);
    const scripted = await baton(["run", "desk", "Good morning!"], { cwd });
    assert.deepEqual([scripted.exitCode, scripted.stderr], [0, ""]);
    const filled = example.replace("OPENAI_API_KEY=", "OPENAI_API_KEY=sk-none\nOPENAI_BASE_URL=http://127.0.0.1:1/v1");
    await writeFile(join(cwd, "desk", ".env"), filled);
    const shown = await baton(["run", "desk", "Good morning!"], { cwd });
    assert.match(shown.stdout, /^model openai\/.*OPENAI_API_KEY is set/m);
  });
});

test("nothing is written to a folder that is not empty", async () => {
  await inFolder(
    { "mine/crew.yaml": "mine\n", "many/a": "", "many/b": "", "many/c": "", "many/d": "" },
    async (cwd) => {
      const { exitCode, stderr } = await baton(["init", "mine"], { cwd });
      assert.deepEqual(
        [exitCode, stderr],
        [2, "baton: mine is not empty (crew.yaml), so nothing was written; name another folder\n"],
      );
      assert.deepEqual(await readdir(join(cwd, "mine")), ["crew.yaml"]);
      assert.equal(await readFile(join(cwd, "mine", "crew.yaml"), "utf8"), "mine\n");
      const many = await baton(["init", "many"], { cwd });
      assert.match(many.stderr, /^baton: many is not empty \(a, b, c and more\), so nothing was written;/);
      await mkdir(join(cwd, "new", ".git"), { recursive: true });
      assert.equal((await baton(["init", "."], { cwd: join(cwd, "new") })).exitCode, 0);
    },
  );
});

test("an invalid name and a folder that cannot be written are refused in one sentence", async () => {
  await inFolder({ file: "" }, async (cwd) => {
    for (const [name, sentence] of [
      ["my crew", /^baton: "my crew" is not a valid name for a crew: use at most 128 letters, digits, - and _\n$/],
      ["tiếng", /^baton: "tiếng" is not a valid name for a crew/],
      ["", /^baton: "" is not a valid name for a crew/],
      ["x".repeat(129), /is not a valid name for a crew/],
      ["file", /^baton: cannot write to file: it is a file, or inside a file; name another folder\n$/],
      ["file/desk", /^baton: cannot write to file\/desk: it is a file, or inside a file; name another folder\n$/],
      ["/proc/baton/desk", /^baton: cannot write to \/proc\/baton\/desk: .*; name another folder\n$/],
    ] as const) {
      const { exitCode, stdout, stderr } = await baton(["init", name], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""], name);
      assert.match(stderr, sentence);
    }
    assert.deepEqual(await readdir(cwd), ["file"]);
  });
});
