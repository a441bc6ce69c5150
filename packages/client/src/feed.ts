/**
 * Feed: which runs and crews change, over as many connections as that takes.
 *
 * Each connection begins with a snapshot, so nothing is missed for good: a page that has a list reads it again then.
 */
import type { RunInfo } from "./run-answers.ts";
import { reconnectDelayMs, waitMs } from "./backoff.ts";
import type { ClientError } from "./client-error.ts";
import { Connection } from "./connection.ts";
import { type Endpoint, invalidAnswer } from "./endpoint.ts";
import { type FollowOptions, isAborted, toPassing } from "./follow.ts";
import { isObject, parseText } from "./json-value.ts";
import type { SseFrame } from "./sse.ts";

/** A crew as the feed describes it. */
export interface FeedCrew {
  readonly id: string;
  readonly name: string;
  /** Defects that a check finds. */
  readonly errors: number;
  readonly warnings: number;
}

/** Something that changed; `snapshot` has all runs that have not ended, and begins every connection. */
export type FeedChange =
  | { readonly type: "snapshot"; readonly runs: readonly RunInfo[]; readonly crews: readonly FeedCrew[] }
  | { readonly type: "run"; readonly run: RunInfo }
  | { readonly type: "removed"; readonly id: string }
  | { readonly type: "crews"; readonly crews: readonly FeedCrew[] };

/** Options for reading the feed. */
export type FeedOptions = Pick<FollowOptions, "abort" | "onReconnect" | "onConnected">;

/** Yields changes until it is aborted; throws errors that a retry cannot fix. */
export async function* followFeed(
  endpoint: Endpoint,
  options: FeedOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const { abort, onReconnect } = options;
  let failures = 0;
  while (!isAborted(abort)) {
    const stay = yield* stayConnected(endpoint, options);
    if (isAborted(abort)) return;
    failures = stay.hasHeard ? 0 : failures + 1;
    const delayMs = reconnectDelayMs({ failures, askedMs: stay.askedMs }, endpoint.backoff);
    onReconnect?.({ failures, delayMs, error: stay.error });
    await waitMs(delayMs, abort);
  }
}

/** The result of one connection. */
interface Stay {
  readonly hasHeard: boolean;
  readonly error: ClientError | undefined;
  readonly askedMs: number;
}

async function* stayConnected(
  endpoint: Endpoint,
  { abort, onConnected }: FeedOptions,
): AsyncGenerator<FeedChange, Stay, undefined> {
  const connection = new Connection(endpoint, { path: ["feed"], toItems: toChanges, abort, onOpen: onConnected });
  let hasHeard = false;
  let error: ClientError | undefined;
  try {
    for await (const batch of connection.batches()) {
      hasHeard = true;
      if (isAborted(abort)) break;
      yield* batch;
    }
  } catch (thrown) {
    if (!isAborted(abort)) error = toPassing(thrown);
  }
  return { hasHeard, error, askedMs: Math.max(error?.retryAfterMs ?? 0, connection.retryMs ?? 0) };
}

/** The change in a frame; nothing for a kind that this client does not know. */
function* toChanges({ data }: SseFrame): Generator<FeedChange, void, undefined> {
  const value = parseText(data);
  if (!isObject(value) || typeof value["type"] !== "string") invalidAnswer("has something other than a change");
  else if (isChange(value)) yield value;
}

/** Checks its kind and the fields of that kind; the rest is trusted to the server. */
function isChange(value: unknown): value is FeedChange {
  if (!isObject(value)) return false;
  if (value["type"] === "run") return isObject(value["run"]) && typeof value["run"]["id"] === "string";
  if (value["type"] === "removed") return typeof value["id"] === "string";
  if (value["type"] === "crews") return Array.isArray(value["crews"]);
  return value["type"] === "snapshot" && Array.isArray(value["runs"]) && Array.isArray(value["crews"]);
}
