import assert from "node:assert/strict";
import { test } from "node:test";
import { PendingChange } from "./pending-change.ts";
import { ANN, recordOf } from "@baton/store/testing";

const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 1 };
const claim = { key: "session:t:ann:s", owner: "one", number: 1 };
const end = { type: "run.ended", outcome: "failed", by: "error", agent: "", text: "" } as const;

for (const more of [{}, { rewrites: true }] as const) {
  test(`a segment that could not begin makes its session forget nothing: ${JSON.stringify(more)}`, () => {
    const record = recordOf("r", { session: "s", ...more });
    const lost = () => assert.fail();
    const draft = new PendingChange({
      claim,
      isClaimNew: false,
      isLent: false,
      record,
      isNew: false,
      length: 4,
      past: 2,
      session,
      lost,
    });
    draft.remember([]);
    draft.note(end, "", 1);
    const change = draft.take(4);
    assert.equal(change?.run?.outcome, "failed");
    assert.equal(change.messages, undefined);
  });
}
