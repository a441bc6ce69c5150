import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { renderApi } from "./api-docs.ts";

test("docs/api.md is what the declarations say; `npm run docs:api` writes it", () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/api.md"), "utf8");
  assert.ok(page === renderApi(), "docs/api.md is out of date: run `npm run docs:api`");
});
