/** A message is shown once: as waiting until the log has it, and never lost without a word. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/client";
import { z } from "zod";
import { RunStore } from "./run-store.ts";
import { sayTo } from "./say-to.ts";

const event = (seq: number, fields: object): RunEvent =>
  z.custom<RunEvent>(() => true).parse({ run: "r", seq, at: seq * 10, lane: "", ...fields });
const said = (seq: number, text: string): RunEvent =>
  event(seq, { type: "command.received", command: { type: "say", text } });

function open(): RunStore {
  const store = new RunStore("r", (work) => work());
  store.ingest([
    event(1, { type: "run.started", crew: "c", input: "Hi", history: [], entry: { kind: "agent", id: "a" } }),
  ]);
  return store;
}
const textsOf = ({ pending }: RunStore) => pending.map(({ text, state }) => `${text} ${state}`);

test("what was said waits until its own event is in the log, and listeners hear of both", () => {
  const store = open();
  let heard = 0;
  store.subscribe("run", () => heard++);
  store.expect("one");
  store.expect("two");
  store.expect("one");
  assert.equal(heard, 3);
  store.ingest([said(2, "three")]);
  assert.deepEqual(textsOf(store), ["one waiting", "two waiting", "one waiting"]);
  store.ingest([said(3, "one")]);
  assert.deepEqual(textsOf(store), ["two waiting", "one waiting"]);
  store.ingest([event(4, { type: "run.resumed", agent: "a", input: "two" }), said(5, "one")]);
  assert.deepEqual(textsOf(store), []);
  assert.equal(heard, 6);
});

test("what the run did not read before its end is said to be unread", () => {
  const store = open();
  store.expect("late");
  store.ingest([event(2, { type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "" })]);
  assert.deepEqual(textsOf(store), ["late unread"]);
});

test("what was refused is not shown, and the refusal reaches the caller", async () => {
  const store = open();
  const refused = Promise.withResolvers<never>();
  const sent = sayTo({ command: () => refused.promise }, store, "too long");
  assert.deepEqual(textsOf(store), ["too long waiting"]);
  refused.reject(new Error("refused"));
  await assert.rejects(sent, { message: "refused" });
  assert.deepEqual(textsOf(store), []);
});

test("a message that was kept offline is shown once, also if the log has it before its own request is answered", () => {
  const store = open();
  const sent = store.expect("twice");
  store.expect("twice").mark("unsent");
  store.ingest([said(2, "twice")]);
  assert.deepEqual(textsOf(store), ["twice unsent"]);
  store.ingest([said(3, "twice")]);
  assert.deepEqual(textsOf(store), []);
  sent.mark("waiting");
  assert.deepEqual(textsOf(store), []);
});
