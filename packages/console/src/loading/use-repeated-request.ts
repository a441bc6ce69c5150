/**
 * Use repeated request: a request that is repeated now and then. The last answer stays until the new one is there.
 */
import type { ClientError } from "@baton/client";
import { useRef } from "react";
import { type RequestState, useRequest } from "./use-request.ts";

/** An answer, and what went wrong when it was last asked for. */
export type RepeatedRequestState<T> = RequestState<T> & Readonly<{ problem?: ClientError }>;

interface What {
  /** The subject of the request: another one starts again. */
  readonly key: string;
  /** Asked again when this changes. */
  readonly round: string | number;
}

/** Asks for each round; a round that fails leaves the answer of the one before. */
export function useRepeatedRequest<T>({ key, round }: What, load: () => Promise<T>): RepeatedRequestState<T> {
  const loaded = useRequest(`${key} ${round}`, load);
  const kept = useRef<{ readonly key: string; readonly value: T }>(undefined);
  if (loaded.state === "ready") kept.current = { key, value: loaded.value };
  const last = kept.current;
  if (loaded.state === "ready" || last?.key !== key) return loaded;
  const ready = { state: "ready", value: last.value } as const;
  return loaded.state === "failed" ? { ...ready, problem: loaded.error } : ready;
}
