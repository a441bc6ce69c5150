import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { toPagePolicy } from "./answer-headers.ts";

test("a page runs its own files and the texts that stand in it, and nothing else", () => {
  const hash = createHash("sha256").update("go()").digest("base64");
  const policy = toPagePolicy({ scripts: ["go()"], styles: [] });
  assert.ok(policy.startsWith(`default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self'; `));
  assert.ok(!policy.includes("unsafe"));
  assert.ok(policy.includes("frame-ancestors 'none'"));
});
