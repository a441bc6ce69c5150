import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineLogger, logRequest } from "./logs.ts";

test("how long a request took is logged to the microsecond at most", () => {
  const lines: string[] = [];
  const logger = defineLogger({ logTo: { write: (line) => lines.push(line) }, redact: (text) => text });
  for (const durationMs of [0.1 + 0.2, 12.345678901, 7]) {
    logRequest(logger, { requestId: "r", method: "GET", route: "/api/runs", status: 200, durationMs });
  }
  assert.deepEqual(
    lines.map((line) => z.object({ ms: z.number() }).parse(JSON.parse(line)).ms),
    [0.3, 12.346, 7],
  );
});
