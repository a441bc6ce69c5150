import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readCrew } from "./read-crew.ts";

test("a crew says where each agent's prompt is written", async () => {
  const { prompts } = await readCrew(join(import.meta.dirname, "../../../../crews/quiz-exam"), { providers: [] });
  assert.equal(prompts?.size, 3);
  for (const [id, { file, line }] of prompts ?? []) {
    assert.ok(file.endsWith(`${id}.yaml`), file);
    const text = await readFile(file, "utf8");
    assert.match(text.split("\n")[line - 1] ?? "", /^system_prompt:/);
  }
});
