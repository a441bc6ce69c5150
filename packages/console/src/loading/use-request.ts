/**
 * Use request: the state of a request, sent again when its key changes.
 */
import { ClientError } from "@baton/client";
import { useEffect, useState } from "react";

/** The state of a request. */
export type RequestState<T> =
  | Readonly<{ state: "loading" }>
  | Readonly<{ state: "ready"; value: T }>
  | Readonly<{ state: "failed"; error: ClientError }>;

interface Kept<T> {
  readonly key: string;
  readonly loaded: RequestState<T>;
}

const LOADING = { state: "loading" } as const;

/** Asks once for each key; an answer that comes too late is dropped. */
export function useRequest<T>(key: string, load: () => Promise<T>): RequestState<T> {
  const [kept, setKept] = useState<Kept<T>>({ key, loaded: LOADING });
  useEffect(() => {
    let isWanted = true;
    const take = (loaded: RequestState<T>): void => {
      if (isWanted) setKept({ key, loaded });
    };
    load().then(
      (value) => take({ state: "ready", value }),
      (thrown: unknown) => take({ state: "failed", error: toClientError(thrown) }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return kept.key === key ? kept.loaded : LOADING;
}

function toClientError(thrown: unknown): ClientError {
  return thrown instanceof ClientError ? thrown : new ClientError("network", String(thrown));
}
