/**
 * Use conversation: the runs of a session, oldest first; the last ten, and older ones on demand.
 */
import { ClientError, type RunFeedbackInfo, type RunInfo } from "@baton/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { useFeed } from "../../feed/feed-context.tsx";
import type { StartedByTab } from "../../feed/started-runs.ts";

/** A run by what is known before its log is read. */
export interface ListedRun {
  readonly id: string;
  readonly crew: string;
  readonly input: string;
  readonly feedback?: RunFeedbackInfo;
}

/** The runs of a session. */
export interface LoadedConversation {
  readonly state: "loading" | "ready" | "failed";
  readonly error?: ClientError;
  readonly runs: readonly ListedRun[];
  readonly older?: () => void;
}

const COUNT = 10;

interface Kept {
  readonly session: string;
  readonly state: LoadedConversation["state"];
  readonly error?: ClientError;
  readonly runs: readonly ListedRun[];
  readonly next?: string;
}

/** Loads the runs of a session; its runs of `justStarted` were started here and are there at once. */
export function useConversation(session: string, justStarted: readonly StartedByTab[]): LoadedConversation {
  const { client } = useApp();
  const [kept, setKept] = useState<Kept>({ session, state: "loading", runs: [] });
  const known = useRef<ReadonlySet<string>>(new Set());
  known.current = new Set([...kept.runs, ...justStarted].map(({ id }) => id));
  const load = useCallback(
    async (before: string | undefined): Promise<void> => {
      try {
        const page = await client.runs({ session, limit: COUNT, ...(before === undefined ? {} : { before }) });
        const found = page.runs.map(toListed).toReversed();
        setKept((now) => ({
          session,
          state: "ready",
          runs: merge(found, now.session === session ? now.runs : []),
          ...nextOf(page.next, before === undefined && now.session === session ? now : undefined),
        }));
      } catch (thrown) {
        if (!(thrown instanceof ClientError)) throw thrown;
        setKept((now) => (now.session === session && now.runs.length > 0 ? now : failed(session, thrown)));
      }
    },
    [client, session],
  );
  useEffect(() => {
    const again = (): void => {
      if (!document.hidden && session !== "") load(undefined).catch(ignore);
    };
    again();
    document.addEventListener("visibilitychange", again);
    return () => document.removeEventListener("visibilitychange", again);
  }, [load]);
  const feed = useFeed();
  useEffect(
    () =>
      feed.onRun((run) => {
        if (run.session_id !== session || known.current.has(run.id)) return;
        load(undefined).catch(ignore);
      }),
    [feed, load],
  );
  const now: Kept = kept.session === session ? kept : { session, state: "loading", runs: [] };
  const { next, error, state } = now;
  return {
    state,
    runs: merge(
      justStarted.filter((run) => run.session === session),
      now.runs,
    ),
    ...(error === undefined ? {} : { error }),
    ...(next === undefined
      ? {}
      : {
          older() {
            load(next).catch(ignore);
          },
        }),
  };
}

function toListed({ id, crew, input, feedback }: RunInfo): ListedRun {
  return { id, crew, input, ...(feedback === undefined ? {} : { feedback }) };
}

function failed(session: string, error: ClientError): Kept {
  return { session, state: "failed", error, runs: [] };
}

/** Returns where older runs begin; runs that were loaded beyond the first page stay. */
function nextOf(next: string | undefined, known: Kept | undefined): { readonly next?: string } {
  const wanted = known?.state === "ready" && known.runs.length > COUNT ? known.next : next;
  return wanted === undefined ? {} : { next: wanted };
}

/** Both lists, each run once; ids are in the order of their time. */
function merge(one: readonly ListedRun[], other: readonly ListedRun[]): readonly ListedRun[] {
  const all = new Map([...one, ...other].map((run) => [run.id, run]));
  return [...all.values()].toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function ignore(): void {}
