/**
 * Open run: a run's past, then what comes, into a store, over as many connections as that takes.
 *
 * A past without deltas loads fast, and its finished texts appear whole. Steps that are still writing are read with their
 * deltas, so nothing of them is missing.
 */
import { type Client, ClientError, type RunEvent } from "@baton/client";
import { RunStore, type FrameSchedule } from "./run-store.ts";

/** The state of a run's connection. */
export type RunConnection =
  | Readonly<{ state: "loading" }>
  | Readonly<{ state: "open" }>
  /** The next try is at this time. */
  | Readonly<{ state: "lost"; nextAt: number; isStopping: boolean }>
  | Readonly<{ state: "ended" }>
  | Readonly<{ state: "failed"; error: ClientError }>;

/** The options of opening a run. */
export interface OpenRunOptions {
  readonly client: Pick<Client, "events" | "followBatches">;
  readonly run: string;
  /** `thin`: finished texts appear whole. `whole`: every text can be rewound word by word. */
  readonly past: "thin" | "whole";
  readonly schedule: FrameSchedule;
  readonly now: () => number;
  /** Called when the connection changes. */
  readonly onConnection: (connection: RunConnection) => void;
}

/** A run that is open until it is closed. */
export interface OpenedRun {
  readonly store: RunStore;
  readonly close: () => void;
  /** Settles when the run has ended, failed or was closed. */
  readonly settled: Promise<void>;
}

const STOPPING = "stopping";

/** Opens a run. */
export function openRun(options: OpenRunOptions): OpenedRun {
  const { run, schedule } = options;
  const store = new RunStore(run, schedule);
  const abort = new AbortController();
  const settled = follow(options, store, abort.signal);
  return { store, close: () => abort.abort(), settled };
}

async function follow(options: OpenRunOptions, store: RunStore, abort: AbortSignal): Promise<void> {
  const { client, run, past, onConnection, now } = options;
  const tell = (connection: RunConnection): void => {
    if (!abort.aborted) onConnection(connection);
  };
  tell({ state: "loading" });
  try {
    const events = await client.events(run, { history: "none", ...(past === "thin" ? { deltas: "none" } : {}) });
    if (abort.aborted) return;
    const known = past === "thin" ? untilWriting(events) : events;
    store.ingest(known);
    if (known.at(-1)?.type === "run.ended") return tell({ state: "ended" });
    const batches = client.followBatches(run, {
      after: known.at(-1)?.seq ?? 0,
      abort,
      onConnected: () => tell({ state: "open" }),
      onReconnect: ({ delayMs, error }) =>
        tell({ state: "lost", nextAt: now() + delayMs, isStopping: error?.code === STOPPING }),
    });
    for await (const batch of batches) store.ingest(batch);
    tell({ state: "ended" });
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown;
    tell({ state: "failed", error: thrown });
  }
}

/** The events before the first step that has not ended: what it wrote so far is in deltas. */
function untilWriting(events: readonly RunEvent[]): readonly RunEvent[] {
  const open = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    if (event.type === "step.started" && !open.has(event.step)) open.set(event.step, index);
    if (event.type === "step.ended") open.delete(event.step);
  }
  if (events.at(-1)?.type === "run.ended") return events;
  return events.slice(0, Math.min(events.length, ...open.values()));
}
