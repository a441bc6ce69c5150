import assert from "node:assert/strict";
import { test } from "node:test";
import { rolldown } from "rolldown";
import { ROWS } from "./rows.ts";

const MAX_BYTES = 12 * 1_024;

test("fold comes into a browser's bundle without the engine, and is small", async () => {
  const input = new URL(import.meta.resolve("@baton/core/fold")).pathname;
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ minify: true, format: "esm" });
  await bundle.close();
  const [chunk] = output;
  const words = ROWS.find(({ name }) => name === "words")?.files ?? [];
  const files = chunk.moduleIds.map((id) => id.slice(id.lastIndexOf("/") + 1).replace(/\.ts$/, ""));
  assert.deepEqual(
    files.filter((file) => !words.includes(file)),
    [],
  );
  const bytes = Buffer.byteLength(chunk.code);
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
});
