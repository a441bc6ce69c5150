import assert from "node:assert/strict";
import { test } from "node:test";
import { rolldown } from "rolldown";

const MAX_BYTES = 15 * 1_024;

test("fold comes into a browser's bundle without the engine, and is small", async () => {
  const input = new URL(import.meta.resolve("@baton/core/fold")).pathname;
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ minify: true, format: "esm" });
  await bundle.close();
  const [chunk] = output;
  assert.deepEqual(
    chunk.moduleIds.filter((id) => !id.includes("/core/src/words/")),
    [],
  );
  const bytes = Buffer.byteLength(chunk.code);
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
});
