/** A run is opened with its past and what comes after it, and nothing is missing or twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, ClientError, type RunEvent } from "@baton/client";
import { z } from "zod";
import { type RunConnection, openRun } from "./open-run.ts";

const event = (seq: number, fields: object): RunEvent =>
  z.custom<RunEvent>(() => true).parse({ run: "r", seq, at: seq * 10, lane: "", ...fields });

const STORY: readonly RunEvent[] = [
  event(1, { type: "run.started", crew: "c", input: "Hi", history: [], entry: { kind: "agent", id: "a" } }),
  event(2, { type: "turn.started", turn: "1", agent: "a" }),
  event(3, { type: "step.started", step: "1.1", agent: "a", model: "m" }),
  event(4, { type: "text.delta", step: "1.1", agent: "a", text: "Hel" }),
  event(5, { type: "text.delta", step: "1.1", agent: "a", text: "lo." }),
  event(6, {
    type: "step.ended",
    step: "1.1",
    agent: "a",
    text: "Hello.",
    calls: [],
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1 },
  }),
  event(7, { type: "turn.ended", turn: "1", agent: "a", text: "Hello." }),
  event(8, { type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "Hello." }),
];

/** A server that has the first events and then sends the rest. */
function serve(known: number): Pick<Client, "events" | "followBatches"> {
  return {
    events: async (_run, { deltas } = {}) =>
      STORY.slice(0, known).filter(({ type }) => deltas === undefined || !type.endsWith(".delta")),
    async *followBatches(_run, { after = 0, onConnected } = {}) {
      onConnected?.();
      for (const one of STORY.slice(after)) yield [one];
    },
  };
}

const OPTIONS = { run: "r", schedule: (work: () => void) => work(), now: () => 0 } as const;

for (const past of ["thin", "whole"] as const) {
  test(`whenever it is opened, the ${past} story ends with the whole text`, async () => {
    for (const known of STORY.keys()) {
      const states: RunConnection["state"][] = [];
      const onConnection = ({ state }: RunConnection): number => states.push(state);
      const { store, settled } = openRun({ ...OPTIONS, client: serve(known + 1), past, onConnection });
      await settled;
      assert.equal(store.story.turns[0]?.steps[0]?.attempts.at(-1)?.text.text, "Hello.", `after ${known + 1}`);
      assert.equal(store.story.ended?.outcome, "done");
      assert.equal(states.at(-1), "ended");
    }
  });
}

test("a run that is not there, or not the reader's, is said so", async () => {
  const error = new ClientError("not_found", "There is no run r");
  const states: RunConnection[] = [];
  const client = { ...serve(0), events: () => Promise.reject(error) };
  await openRun({ ...OPTIONS, client, past: "thin", onConnection: (one) => states.push(one) }).settled;
  assert.deepEqual(states.at(-1), { state: "failed", error });
});

test("a lost connection is told with the time of the next try", async () => {
  const states: RunConnection[] = [];
  const client: Pick<Client, "events" | "followBatches"> = {
    ...serve(3),
    async *followBatches(_run, { after = 0, onConnected, onReconnect } = {}) {
      onReconnect?.({ failures: 1, delayMs: 3_000, error: new ClientError("stopping", "restarts") });
      onConnected?.();
      for (const one of STORY.slice(after)) yield [one];
    },
  };
  await openRun({ ...OPTIONS, now: () => 1_000, client, past: "thin", onConnection: (one) => states.push(one) })
    .settled;
  assert.deepEqual(states, [
    { state: "loading" },
    { state: "lost", nextAt: 4_000, isStopping: true },
    { state: "open" },
    { state: "ended" },
  ]);
});
