/**
 * Visible tab source: a run's events as a stream while the tab is visible; while it is hidden, they are polled every few
 * seconds.
 *
 * A browser opens six connections to a server for all its tabs together: hidden tabs that kept theirs would block the
 * seventh. However often it connects anew, for this or for a lost network, nothing is given twice or left out.
 */
import { type Client, ClientError, type FollowOptions, type RunEvent } from "@baton/client";

/** Where a run's events come from. */
export type RunSource = Pick<Client, "events" | "followBatches">;

/** The options of a source: the visibility of the tab, the moments to connect again, and the clock. */
export interface VisibleTabOptions {
  readonly client: RunSource;
  readonly isTabVisible: () => boolean;
  /** Calls back when that changes, or when the network goes or comes; returns how to stop. */
  readonly onChange: (listener: () => void) => () => void;
  /** Waits, or until it is aborted. */
  readonly wait: (ms: number, abort: AbortSignal) => Promise<void>;
}

const HIDDEN_MS = 5_000;

/** A source that can be told to connect now. */
export interface VisibleTabSource extends RunSource {
  /** Connects again now, instead of at the next try. */
  readonly tryNow: () => void;
}

/** A source that gives up its connection while the tab cannot be seen. */
export function openVisibleTabSource(options: VisibleTabOptions): VisibleTabSource {
  const following = new Set<() => void>();
  const onChange: VisibleTabOptions["onChange"] = (listener) => {
    const stop = options.onChange(listener);
    following.add(listener);
    return () => {
      following.delete(listener);
      stop();
    };
  };
  return {
    events: (run, listed) => options.client.events(run, listed),
    followBatches: (run, followed = {}) => follow({ ...options, onChange }, run, followed),
    tryNow: () => {
      for (const connect of following) connect();
    },
  };
}

type Batches = AsyncGenerator<readonly RunEvent[], void, undefined>;

async function* follow(options: VisibleTabOptions, run: string, followed: FollowOptions): Batches {
  const abort = followed.abort ?? new AbortController().signal;
  let after = followed.after ?? 0;
  let failures = 0;
  while (!abort.aborted) {
    const changed = new AbortController();
    const stop = options.onChange(() => changed.abort());
    const until = AbortSignal.any([abort, changed.signal]);
    const onFailed = (error: ClientError): void => {
      failures++;
      followed.onReconnect?.({ failures, delayMs: HIDDEN_MS, error });
    };
    try {
      const batches = options.isTabVisible()
        ? options.client.followBatches(run, { ...followed, after, abort: until })
        : ask(options, run, { ...followed, after, abort: until, onFailed });
      for await (const batch of batches) {
        after = batch.at(-1)?.seq ?? after;
        failures = 0;
        yield batch;
      }
    } finally {
      stop();
    }
    if (!changed.signal.aborted) return;
  }
}

interface Asking extends FollowOptions {
  readonly after: number;
  readonly abort: AbortSignal;
  readonly onFailed: (error: ClientError) => void;
}

/** Asks for what is new again and again, to the end of the run or until it is aborted. */
async function* ask({ client, wait }: VisibleTabOptions, run: string, asking: Asking): Batches {
  const { abort, onConnected, onFailed } = asking;
  let { after } = asking;
  while (!abort.aborted) {
    const events = await read(client, { run, after }).catch(onlyPassing);
    if (abort.aborted) return;
    if (events instanceof ClientError) onFailed(events);
    else onConnected?.();
    const found = events instanceof ClientError ? [] : events;
    after = found.at(-1)?.seq ?? after;
    if (found.length > 0) yield found;
    if (found.at(-1)?.type === "run.ended") return;
    await wait(HIDDEN_MS, abort);
  }
}

function read(client: RunSource, { run, after }: { readonly run: string; readonly after: number }) {
  return client.events(run, { after, history: "none" });
}

function onlyPassing(thrown: unknown): ClientError {
  if (thrown instanceof ClientError && thrown.isPassing) return thrown;
  throw thrown;
}
