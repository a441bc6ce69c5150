import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { completeLock } from "./lock.ts";

const toText = (packages: object) => `${JSON.stringify({ lockfileVersion: 3, packages }, undefined, 2)}\n`;

test("the lock is complete, so that `npm ci` takes it on any machine and any Node (else: npm run lock)", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8");
  assert.ok(completeLock(text) === text, "package-lock.json lacks optional packages or has engines: npm run lock");
});

test("an optional package that is missing is named with its version and platform, and nothing else changes", () => {
  const tool = {
    version: "2.0.0",
    dev: true,
    optionalDependencies: { "@t/linux-x64-gnu": "2.0.0", "@t/win32-arm64": "2.0.0" },
  };
  const linux = { version: "2.0.0", dev: true, optional: true };
  const missing = { version: "2.0.0", cpu: ["arm64"], os: ["win32"], dev: true, optional: true };
  const given = { "": { name: "x" }, "node_modules/@t/linux-x64-gnu": linux, "node_modules/tool": tool };
  assert.deepEqual(JSON.parse(completeLock(toText(given))), {
    lockfileVersion: 3,
    packages: { ...given, "node_modules/@t/win32-arm64": missing },
  });
});

test("no installed package says which Node it wants, and the workspace still does", () => {
  const own = { name: "x", engines: { node: ">=20" } };
  const tool = { version: "1.0.0", license: "MIT" };
  const text = completeLock(toText({ "": own, "node_modules/tool": { ...tool, engines: { node: ">=22" } } }));
  assert.deepEqual(JSON.parse(text), { lockfileVersion: 3, packages: { "": own, "node_modules/tool": tool } });
});

test("two versions of one tool have each their own platform packages", () => {
  const tool = (version: string) => ({ version, optionalDependencies: { "@t/darwin-x64": version } });
  const text = completeLock(
    toText({ "node_modules/a/node_modules/tool": tool("1.0.0"), "node_modules/tool": tool("2.0.0") }),
  );
  const paths = [...text.matchAll(/"(.*@t\/darwin-x64)": \{\s+"version": "(.*)"/g)].map(([, path, version]) => [
    path,
    version,
  ]);
  assert.deepEqual(paths, [
    ["node_modules/@t/darwin-x64", "1.0.0"],
    ["node_modules/tool/node_modules/@t/darwin-x64", "2.0.0"],
  ]);
});

test("a completed lock is complete", () => {
  const once = completeLock(
    toText({ "node_modules/tool": { version: "1.0.0", optionalDependencies: { "t-win32-x64": "1.0.0" } } }),
  );
  assert.equal(completeLock(once), once);
});
