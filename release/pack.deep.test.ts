import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { z } from "zod";
import { pack, type Packed } from "./pack.ts";

const TARGETS = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).default({}),
  bin: z.record(z.string(), z.string()).default({}),
});

let folder = "";
let packed: ReadonlyMap<string, Packed> = new Map();

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "baton-pack-test-"));
  packed = await pack(folder);
  for (const { tarball } of packed.values()) {
    mkdirSync(`${tarball}-unpacked`);
    execFileSync("tar", ["-xzf", tarball, "-C", `${tarball}-unpacked`]);
  }
});
after(() => rm(folder, { recursive: true, force: true }));

test("what a tarball's manifest names is in it, with a license and a README", () => {
  for (const { tarball } of packed.values()) {
    const files = filesOf(tarball);
    const { exports, bin } = TARGETS.parse(JSON.parse(textOf(tarball, "package.json")));
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    for (const target of [...targets, ...Object.values(bin), "LICENSE", "README.md"]) {
      assert.ok(files.has(target.replace("./", "")), `${tarball} lacks ${target}`);
    }
  }
});

test("no tarball has tests or TypeScript sources, except what `baton init` writes", () => {
  for (const { tarball } of packed.values()) {
    const wrong = [...filesOf(tarball)].filter(
      (file) => !file.startsWith("template/") && (/\.test\./.test(file) || /(?<!\.d)\.tsx?$/.test(file)),
    );
    assert.deepEqual(wrong, [], tarball);
  }
});

test("no compiled file names a TypeScript file of its own package", () => {
  for (const { tarball } of packed.values()) {
    for (const file of [...filesOf(tarball)].filter((name) => /^(?:src|bin|build)\/.*\.js$/.test(name))) {
      const found = /(?:from|import\(?) ?"\.{1,2}\/[^"]*\.ts"/.exec(textOf(tarball, file));
      assert.equal(found?.[0], undefined, `${tarball} ${file}`);
    }
  }
});

/** The files of a tarball, unpacked. */
function filesOf(tarball: string): ReadonlySet<string> {
  const paths = readdirSync(unpackedAt(tarball), { recursive: true, encoding: "utf8" });
  return new Set(paths);
}

function textOf(tarball: string, file: string): string {
  return readFileSync(join(unpackedAt(tarball), file), "utf8");
}

function unpackedAt(tarball: string): string {
  return join(`${tarball}-unpacked`, "package");
}
