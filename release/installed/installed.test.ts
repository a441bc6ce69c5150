import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { noBrowser, openBrowser } from "@baton/server/browser/testing";
import { rolldown } from "rolldown";
import { z } from "zod";
import { OLDEST_NODE } from "../package-manifest.ts";
import { pack, type Packed } from "../pack.ts";
import { installNode, measure, openProject, type Project, run, serve, succeed } from "./project.ts";

const MAX_PACKAGES = 60;
const MAX_MEGABYTES = 60;
const NEWEST_NODE = "24";
const UNSUPPORTED_NODE = "20";
/** Not part of Baton; the last two are for `@baton/store/redis` and `@baton/durable/restate`. */
const BESIDE = [
  "typescript@7.0.2",
  "@types/node@24.19.2",
  "zod@4.6.7",
  "@redis/client@6.3.1",
  "@restatedev/restate-sdk@1.17.2",
];
const MANIFEST = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.unknown()).default({}),
});
const TSCONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2024",
    strict: true,
    types: ["node"],
    rootDir: "src",
    outDir: "out",
  },
  include: ["src"],
};

let root = "";
let packed: ReadonlyMap<string, Packed> = new Map();

before(async () => {
  root = await mkdtemp(join(tmpdir(), "baton-installed-"));
  packed = await pack(join(root, "tarballs"));
});
after(() => rm(root, { recursive: true, force: true }));

for (const version of [OLDEST_NODE, NEWEST_NODE]) {
  describe(`installed on Node ${version}`, () => {
    let project: Project;

    before(async () => {
      const node = await installNode(join(root, `node-${version}`), version);
      project = await openProject(join(root, `project-${version}`), node);
      await install(project, "@baton/cli");
    });

    test("the command brings at most 60 packages and 60 MB", async (t) => {
      const { packages, megabytes } = await measure(project);
      t.diagnostic(`${packages} packages, ${megabytes.toFixed(1)} MB`);
      assert.ok(packages <= MAX_PACKAGES, `${packages} packages`);
      assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB`);
    });

    test("a crew is written, checked and run, and nothing is warned about", async () => {
      assert.match(await succeed(project, "npx", ["baton", "init", "my-crew"]), /my-crew/);
      assert.match(await succeed(project, "npx", ["baton", "check", "my-crew", "--verbose"]), /2 agents/);
      const ended = await run(project, "npx", ["baton", "run", "my-crew", "What time is it in Hanoi?"]);
      assert.deepEqual([ended.exitCode, ended.stderr], [0, ""]);
      assert.match(ended.stdout, /GetTime[\s\S]*done/);
    });

    test("a command that is mistyped is answered with the nearest one", async () => {
      const ended = await run(project, "npx", ["baton", "rnu"]);
      assert.deepEqual([ended.exitCode, ended.stdout], [2, ""]);
      assert.match(ended.stderr, /Did you mean `baton run`\?/);
    });

    test("the project that was written installs, compiles, and passes its own test", async () => {
      const own = { ...project, folder: join(project.folder, "my-crew") };
      await install(own, "@baton/cli", "@baton/baton");
      await succeed(own, "npm", ["run", "check"]);
      assert.match(await succeed(own, "npm", ["test"]), /fail 0/);
    });

    test("the crew is served, with the console at /", async () => {
      await using server = await serve(project, ["my-crew"]);
      const page = await (await fetch(server.url)).text();
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
      assert.ok(script !== undefined, page);
      assert.equal((await fetch(new URL(script, server.url))).status, 200);
      const answer = await fetch(`${server.url}/api/runs`, {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "wait" },
        body: JSON.stringify({ crew: "my-crew", input: "What time is it in Hanoi?" }),
      });
      assert.match(await answer.text(), /"outcome":"done"/);
    });

    test("a strict project compiles against every export, with the declarations checked too, and its program runs", async () => {
      await install(project, ...packed.keys());
      await succeed(project, "npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...BESIDE]);
      await cp(join(import.meta.dirname, "project"), project.folder, { recursive: true });
      await writeFile(join(project.folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
      await writeFile(join(project.folder, "src", "every-export.ts"), await importAll(project));
      await succeed(project, "npx", ["tsc"]);
      assert.equal(await succeed(project, "node", ["out/engine.js"]), "done: It is short and stout.\n");
      await succeed(project, "node", ["out/every-export.js"]);
      assert.equal(await succeed(project, "node", ["out/application.js"]), "done true true true\n");
    });

    test("a page reads a stream with the client, from a bundle", { skip: noBrowser }, async () => {
      const code = await bundle(join(project.folder, "out", "page.js"));
      await using server = await serve(project, ["my-crew"]);
      assert.match(await readPage(code, server.url), /has just read the clock in Hanoi/);
    });
  });
}

test("on an unsupported Node the command and the library say in one sentence which is needed", async () => {
  const node = await installNode(join(root, "node-unsupported"), UNSUPPORTED_NODE);
  const project = await openProject(join(root, "unsupported"), node);
  await install(project, "@baton/cli", "@baton/baton");
  const { exitCode, stdout, stderr } = await run(project, "npx", ["baton", "check"]);
  assert.deepEqual([exitCode, stdout], [1, ""]);
  assert.match(stderr, /^baton: Baton needs Node 22\.18 or newer; this is Node 20\.[\d.]+\.\n$/);
  const imported = await run(project, "node", ["--input-type=module", "--eval", 'import "@baton/baton";']);
  assert.equal(imported.exitCode, 1);
  assert.match(imported.stderr, /Baton needs Node 22\.18 or newer; this is Node 20\.[\d.]+\./);
  assert.ok(!imported.stderr.includes("    at "), imported.stderr);
});

/** Installs packages with the packages of Baton that they need; no registry has those. */
async function install(project: Project, ...names: readonly string[]): Promise<void> {
  const paths = [...withNeeded(names)].map((name) => packed.get(name)?.tarball ?? name);
  await succeed(project, "npm", ["install", "--no-audit", "--no-fund", ...paths]);
}

function withNeeded(names: Iterable<string>, found: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  let all = found;
  for (const name of names) {
    const needed = packed.get(name)?.manifest.dependencies;
    if (needed !== undefined && !all.has(name)) all = withNeeded(Object.keys(needed), new Set([...all, name]));
  }
  return all;
}

/** A module that imports every export of the packages that are installed. */
async function importAll({ folder }: Project): Promise<string> {
  const scope = join(folder, "node_modules", "@baton");
  const lines: string[] = [];
  for (const name of await readdir(scope)) {
    const manifest = MANIFEST.parse(JSON.parse(await readFile(join(scope, name, "package.json"), "utf8")));
    const paths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
    lines.push(...paths.map((path) => `import * as m from "${manifest.name}${path.slice(1)}";`));
  }
  assert.ok(lines.length > 20, `only ${lines.length} exports`);
  return lines.map((line, at) => `${line.replace(" m ", ` m${at} `)}\nconsole.log(typeof m${at});\n`).join("");
}

async function bundle(input: string): Promise<string> {
  const made = await rolldown({ input, platform: "browser" });
  const { output } = await made.generate({ format: "esm", minify: true });
  await made.close();
  return output[0].code;
}

/** Runs a script in a page of a server until the page's title says that it is done, and gives the page's text. */
async function readPage(code: string, url: string): Promise<string> {
  await using browser = await openBrowser();
  const page = await browser.newPage({ bypassCSP: true });
  await page.goto(url);
  await page.setContent("<title>running</title><body></body>");
  await page.addScriptTag({ content: code, type: "module" });
  await page.waitForFunction("document.title === 'done'");
  return (await page.textContent("body")) ?? "";
}
