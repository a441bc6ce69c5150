import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const app = join(import.meta.dirname, "../..");
const isTest = (path: string) => path.endsWith(".test.ts") || path.split("/").includes("testing");

test("no file of the product imports a fake server or anything else that is for tests", () => {
  const files = globSync("**/*.ts", { cwd: app, exclude: (path) => path === "node_modules" }).filter(
    (path) => !isTest(path),
  );
  assert.ok(files.includes(join("market", "sources", "fmp", "fmp.ts")), "the product's files are found");
  const found = files.filter((path) =>
    /\bfrom "[^"]*\/testing\b|import\("[^"]*\/testing\b/.test(readFileSync(join(app, path), "utf8")),
  );
  assert.deepEqual(found, []);
});

test("only the guarded fetch touches the network", () => {
  const network = /from "node:(?:https?|http2|net|tls|dns|dgram)(?:\/promises)?"|\bfetch\(["'`]|new WebSocket\b/;
  const files = globSync("market/**/*.ts", { cwd: app }).filter((path) => !isTest(path));
  const found = files.filter((path) => network.test(readFileSync(join(app, path), "utf8")));
  // The others only read what kind of address or message it is.
  assert.deepEqual(
    found.toSorted(),
    ["address.ts", "body.ts", "guarded-fetch.ts"].map((file) => `market/sources/http/${file}`),
  );
});
