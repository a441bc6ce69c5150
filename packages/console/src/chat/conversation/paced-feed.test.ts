/** Replies of scripts are shown at reading speed, whole and in order; those of models pass as they come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/client";
import * as fc from "fast-check";
import { z } from "zod";
import type { RunSource } from "../../feed/visible-tab-source.ts";
import { openFeed, type Pace, splitEvent } from "./paced-feed.ts";

const event = (seq: number, fields: object): RunEvent =>
  z.custom<RunEvent>(() => true).parse({ run: "r", seq, at: seq * 10, lane: "", ...fields });

const runOf = (model: string, words = 400): readonly RunEvent[] => [
  event(1, { type: "run.started", crew: "c", input: "Hi", history: [], entry: { kind: "agent", id: "a" } }),
  event(2, { type: "step.started", step: "1.1", agent: "a", model }),
  event(3, { type: "text.delta", step: "1.1", agent: "a", text: "word ".repeat(words) }),
  event(4, { type: "handoff.made", from: "a", to: "b", via: "signal", count: 1 }),
  event(5, { type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "" }),
];

const serve = (events: readonly RunEvent[]): RunSource => ({
  events: async () => events,
  async *followBatches(_run, { after = 0 } = {}) {
    yield events.filter(({ seq }) => seq > after);
  },
});

/** The pace and clock of a test. */
interface Showing {
  readonly skipAfterMs?: number;
  /** The delay that the machine adds to each wait. */
  readonly lateMs?: number;
}

interface Shown {
  readonly events: readonly RunEvent[];
  readonly waitedMs: number;
  readonly paces: readonly Pace[];
}

async function show(
  events: readonly RunEvent[],
  pace: "reading" | "off",
  { skipAfterMs = Infinity, lateMs = 0 }: Showing = {},
): Promise<Shown> {
  const paces: Pace[] = [];
  let waitedMs = 0;
  const feed = openFeed({
    client: serve(events),
    pace,
    wait: async (ms) => {
      waitedMs += ms + lateMs;
      if (waitedMs > skipAfterMs) feed.skip();
    },
    now: () => waitedMs,
    onPace: (one) => paces.push(one),
  });
  const shown: RunEvent[] = [];
  for await (const batch of feed.source.followBatches("r")) shown.push(...batch);
  return { events: shown, waitedMs, paces };
}

const textOf = (events: readonly RunEvent[]): string =>
  events.flatMap((one) => (one.type === "text.delta" ? [one.text] : [])).join("");

test("a script is shown word by word, and says how long it really took", async () => {
  const { events, waitedMs, paces } = await show(runOf("script", 100), "reading");
  assert.equal(textOf(events), "word ".repeat(100));
  assert.ok(waitedMs > 1_500 && waitedMs < 3_000, `${waitedMs}`);
  assert.equal(paces[0]?.tookMs, 40);
  assert.deepEqual(paces.at(-1), { ahead: [] });
  assert.ok(events.every((one, index) => index === 0 || one.seq > (events[index - 1]?.seq ?? 0)));
});

test("however long it is, it takes at most eight seconds", async () => {
  const { waitedMs, events } = await show(runOf("code/offline", 5_000), "reading");
  assert.ok(waitedMs > 7_000 && waitedMs <= 8_001, `${waitedMs}`);
  assert.equal(textOf(events).length, 25_000);
});

test("on a machine that is always late it takes no longer", async () => {
  const { waitedMs, events } = await show(runOf("script", 5_000), "reading", { lateMs: 30 });
  assert.ok(waitedMs > 7_000 && waitedMs <= 8_100, `${waitedMs}`);
  assert.equal(textOf(events).length, 25_000);
});

test("skipping shows all that is left at once", async () => {
  const { waitedMs, events } = await show(runOf("script"), "reading", { skipAfterMs: 500 });
  assert.ok(waitedMs < 600, `${waitedMs}`);
  assert.equal(events.at(-1)?.type, "run.ended");
});

test("a real model, or a tab that did not start the run, waits for nothing", async () => {
  assert.equal((await show(runOf("openai/gpt-5"), "reading")).waitedMs, 0);
  assert.equal((await show(runOf("script"), "off")).waitedMs, 0);
});

test("charts that are to come are known before their words are shown", async () => {
  const chart = event(4, { type: "note.made", kind: "chart", of: "1.1", agent: "a", data: {} });
  const { paces } = await show([...runOf("script").slice(0, 3), chart, ...runOf("script").slice(4)], "reading");
  assert.deepEqual(paces[0]?.ahead, [chart]);
});

test("pieces of a text are the text, with growing places up to its own", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 1, max: 1_000 }), (text, seq) => {
      const pieces = splitEvent(event(seq, { type: "text.delta", step: "1.1", agent: "a", text }));
      assert.equal(textOf(pieces), text);
      assert.equal(pieces.at(-1)?.seq, seq);
      assert.ok(pieces.every((piece, index) => piece.seq > (pieces[index - 1]?.seq ?? seq - 1)));
    }),
  );
});
