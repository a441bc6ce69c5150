/** Any field that is another one, is missing or is new makes a difference; the stamp does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/core";
import type { EventBody } from "@baton/core/ports";
import { isSame, toDifference } from "./difference.ts";

const fact: EventBody = { type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "Done." };
const event: RunEvent = { run: "r", seq: 7, at: 5, lane: "", ...fact };
const error = { code: "internal", message: "broken" } as const;

test("a fact is the same as its event, whatever the stamp and the order of the fields", () => {
  assert.equal(isSame(fact, event), true);
  assert.equal(isSame({ text: "Done.", agent: "a", by: "answer", outcome: "done", type: "run.ended" }, event), true);
});

test("a field that is another one, that only the log has, or that only the run says now is a difference", () => {
  const cases: readonly [now: EventBody, logged: RunEvent, text: RegExp][] = [
    [{ ...fact, text: "Other." }, event, /its text would be "Other\." now and was "Done\."/],
    [fact, { ...event, error }, /its error would be nothing now and was \{"code":"internal"/],
    [{ ...fact, error }, event, /its error would be \{"code":"internal".* now and was nothing/],
  ];
  for (const [now, logged, text] of cases) {
    assert.equal(isSame(now, logged), false, String(text));
    assert.match(toDifference(logged, now).text, text);
  }
});
