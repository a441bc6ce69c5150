/**
 * Follow: a run's events to its end, over as many connections as that takes.
 *
 * Each event is given once and in order: a connection begins after the last one given, what comes twice is dropped,
 * and if one is missing the connection is closed and opened again. It throws only errors that a retry cannot fix.
 */
import type { RunEvent } from "@baton/core";
import { reconnectDelayMs, waitMs } from "./backoff.ts";
import { ClientError } from "./client-error.ts";
import { Connection, toEvents } from "./connection.ts";
import { type Endpoint, invalidAnswer } from "./endpoint.ts";

/** A connection was lost and there will be another. */
export interface Reconnect {
  /** Connections in a row that gave no event. */
  readonly failures: number;
  readonly delayMs: number;
  /** Why; absent if the server ended the stream itself. */
  readonly error: ClientError | undefined;
}

/** Options for following a run. */
export interface FollowOptions {
  /** The last event that is already known; 0 for all. */
  readonly after?: number | undefined;
  /** `pause`: the first pause beyond `after` is the end as well. */
  readonly until?: "end" | "pause" | undefined;
  /** Ends it at once, without an error. */
  readonly abort?: AbortSignal | undefined;
  readonly onReconnect?: ((reconnect: Reconnect) => void) | undefined;
  /** Called each time the server has begun to answer, also if no event follows. */
  readonly onConnected?: (() => void) | undefined;
}

/** The result of one connection. */
interface Stay {
  /** Nothing is left to follow. */
  readonly isOver: boolean;
  /** The last event that is known now. */
  readonly after: number;
  readonly error?: ClientError | undefined;
  /** The wait that the server asked for. */
  readonly askedMs?: number;
}

/** The events of a run, one at a time. */
export async function* followRun(
  endpoint: Endpoint,
  run: string,
  options: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  for await (const batch of followBatches(endpoint, run, options)) {
    for (const event of batch) {
      if (isAborted(options.abort)) return;
      yield event;
    }
  }
}

/** The events of a run, as many at once as came at once. */
export async function* followBatches(
  endpoint: Endpoint,
  run: string,
  options: FollowOptions,
): AsyncGenerator<readonly RunEvent[], void, undefined> {
  const { abort, onReconnect } = options;
  let after = options.after ?? 0;
  let failures = 0;
  while (!isAborted(abort)) {
    const stay = yield* stayConnected(endpoint, run, { ...options, after });
    if (stay.isOver) return;
    failures = stay.after > after ? 0 : failures + 1;
    after = stay.after;
    const delayMs = reconnectDelayMs({ failures, askedMs: stay.askedMs }, endpoint.backoff);
    onReconnect?.({ failures, delayMs, error: stay.error });
    await waitMs(delayMs, abort);
  }
}

async function* stayConnected(
  endpoint: Endpoint,
  run: string,
  { abort, until = "end", after: known = 0, onConnected }: FollowOptions,
): AsyncGenerator<readonly RunEvent[], Stay, undefined> {
  const path = ["runs", run, "events"];
  const connection =
    endpoint.socket?.follow({ run, after: known, until }, { abort, onOpen: onConnected }) ??
    new Connection(endpoint, { path, search: { after: known }, toItems: toEvents, abort, onOpen: onConnected });
  let after = known;
  let error: ClientError | undefined;
  try {
    for await (const batch of toUnseen(connection.batches(), known)) {
      if (isAborted(abort)) break;
      const last = batch.findIndex((event) => isLast(event, until));
      const wanted = last === -1 ? batch : batch.slice(0, last + 1);
      after = wanted.at(-1)?.seq ?? after;
      yield wanted;
      if (last !== -1) return { isOver: true, after };
    }
  } catch (thrown) {
    if (!isAborted(abort)) error = toPassing(thrown);
  }
  const askedMs = Math.max(error?.retryAfterMs ?? 0, connection.retryMs ?? 0);
  return { isOver: connection.isOver || isAborted(abort), after, error, askedMs };
}

/** Drops events that were given before. A gap in the middle may be the connection's fault, one at its start is the server's. */
async function* toUnseen(
  batches: AsyncIterable<readonly RunEvent[]>,
  after: number,
): AsyncGenerator<readonly RunEvent[], void, undefined> {
  let last = after;
  for await (const batch of batches) {
    const unseen: RunEvent[] = [];
    let gap: number | undefined;
    for (const event of batch) {
      if (event.seq > last + 1) {
        gap = event.seq;
        break;
      }
      if (event.seq <= last) continue;
      last = event.seq;
      unseen.push(event);
    }
    if (unseen.length > 0) yield unseen;
    if (gap === undefined) continue;
    if (last === after) invalidAnswer(`skips from event ${last} to ${gap}`);
    throw new ClientError("network", `The connection lost the events between ${last} and ${gap}`);
  }
}

/** Whether it was aborted. */
export function isAborted(abort: AbortSignal | undefined): boolean {
  return abort?.aborted ?? false;
}

function isLast({ type }: RunEvent, until: "end" | "pause"): boolean {
  return type === "run.ended" || (until === "pause" && type === "run.paused");
}

/** An error that a retry may fix; throws any other. */
export function toPassing(error: unknown): ClientError {
  if (error instanceof ClientError && error.isPassing) return error;
  throw error;
}
