import assert from "node:assert/strict";
import { test } from "node:test";
import { toPackedManifest } from "./package-manifest.ts";

const SOURCE = {
  name: "@baton/x",
  version: "1.0.0",
  description: "X.",
  license: "Apache-2.0",
  type: "module",
  files: ["src"],
  exports: {},
  dependencies: { "@baton/core": "1.0.0" },
} as const;

test("a packed manifest names JavaScript with declarations, and the Node that it needs", () => {
  const source = { ...SOURCE, files: ["src"], exports: { ".": "./src/index.ts", "./a": "./src/b/a.ts" } };
  assert.deepEqual(toPackedManifest(source), {
    ...source,
    exports: {
      ".": { types: "./src/index.d.ts", default: "./src/index.js" },
      "./a": { types: "./src/b/a.d.ts", default: "./src/b/a.js" },
      "./package.json": "./package.json",
    },
    engines: { node: ">=22.18.0" },
  });
});

test("of exports for tests, only those that users can use are packed", () => {
  const exports = { "./testing": "./src/testing/index.ts", "./redis/testing": "./src/redis/testing/r.ts" };
  const manifest = toPackedManifest({ ...SOURCE, files: ["src"], exports });
  assert.deepEqual(Object.keys(manifest.exports ?? {}), ["./testing", "./package.json"]);
});
