import assert from "node:assert/strict";
import { test } from "node:test";
import { observeAll, toLines } from "./testing/observed-runs.ts";

test("a conversation that was trimmed or summed up is counted, with the tokens that this saved", async () => {
  const stamp = { run: "r1", at: 1, lane: "", agent: "a" } as const;
  const trimmed = { step: "1.1", dropped: 3, tokensBefore: 500, tokensAfter: 400 };
  const data = { tokens_before: 120_000, tokens_after: 9_000 };
  const { observer } = observeAll([
    { ...stamp, seq: 1, type: "history.trimmed", ...trimmed },
    { ...stamp, seq: 2, type: "note.made", kind: "compaction", of: "1.1", data },
    { ...stamp, seq: 3, type: "note.made", kind: "chart", of: "1.1", data },
  ]);
  const json = await observer.metricsJson();
  const lines = toLines(json).filter((line) => line.startsWith("baton_compaction"));
  assert.deepEqual(lines.toSorted(), ["baton_compaction_saved_tokens_total 111100", "baton_compactions_total 2"]);
  observer.close();
});
