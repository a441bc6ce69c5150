/**
 * Use runs: a list of runs that the feed keeps up to date.
 */
import { ClientError, type RunListOptions } from "@baton/client";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { useConnections, useFeed } from "../feed/feed-context.tsx";
import { writeHistoryEntry, readHistoryEntry } from "../navigation/history-state.ts";
import type { RunsFilter } from "../navigation/route.ts";
import { type RunList, withNewRunsOnTop, withoutRun, withRun } from "./run-list.ts";

const PAGE = 50;
/** The most that the server lists at once. */
const MOST = 1_000;
/** As many rows as the reader had when they left are there when they come back. */
const COUNT = "runs";
const EMPTY: RunList = { rows: [], newRuns: [] };
const STATUSES = ["queued", "running", "paused", "ended"] as const;
const OUTCOMES = ["done", "paused", "limit", "cancelled", "failed"] as const;

/** A list, how it stands, and what can be done with it. */
export interface ListedRuns extends RunList {
  readonly state: "loading" | "ready" | "failed";
  readonly error: ClientError | undefined;
  /** Reads older runs; undefined if there are none. */
  readonly more: (() => void) | undefined;
  /** Puts the new runs on top. */
  readonly showFresh: () => void;
  /** Asks again. */
  readonly retry: () => void;
}

/** The runs of a filter. While the pointer is over the list no row moves. */
export function useRuns(filter: RunsFilter, isPointed: RefObject<boolean>): ListedRuns {
  const { client } = useApp();
  const feed = useFeed();
  const connections = useConnections();
  const [list, setList] = useState<RunList>(EMPTY);
  const [next, setNext] = useState<string>();
  const [state, setState] = useState<ListedRuns["state"]>("loading");
  const [error, setError] = useState<ClientError>();
  const key = JSON.stringify(filter);
  const counted = useRef(0);
  counted.current = list.rows.length;
  const now = useRef({ key, filter });
  now.current = { key, filter };
  const read = useCallback(
    (before: string | undefined) => {
      const limit = before === undefined ? keptCount() : PAGE;
      client.runs({ ...toQuery(now.current.filter), limit, ...(before === undefined ? {} : { before }) }).then(
        (page) => {
          if (now.current.key !== key) return;
          setList((known) =>
            before === undefined ? { rows: page.runs, newRuns: [] } : { ...known, rows: [...known.rows, ...page.runs] },
          );
          if (before !== undefined) writeHistoryEntry(COUNT, Math.min(MOST, counted.current + page.runs.length));
          setNext(page.next);
          setError(undefined);
          setState("ready");
        },
        (thrown: unknown) => {
          setError(thrown instanceof ClientError ? thrown : new ClientError("network", String(thrown)));
          setState((known) => (known === "ready" ? known : "failed"));
        },
      );
    },
    [client, key],
  );
  useEffect(() => read(undefined), [read, connections]);
  useEffect(
    () =>
      feed.onRun((run) =>
        setList((known) => {
          const changed = withRun(known, run, now.current.filter);
          return isPointed.current ? changed : withNewRunsOnTop(changed);
        }),
      ),
    [feed, isPointed],
  );
  useEffect(() => feed.onRemoved((id) => setList((known) => withoutRun(known, id))), [feed]);
  const showFresh = useCallback(() => setList(withNewRunsOnTop), []);
  const retry = useCallback(() => read(undefined), [read]);
  return { ...list, state, error, more: next === undefined ? undefined : () => read(next), showFresh, retry };
}

function keptCount(): number {
  const kept = readHistoryEntry(COUNT);
  return typeof kept === "number" ? Math.max(PAGE, kept) : PAGE;
}

/** Returns the filter of an address, as far as the server knows it. */
function toQuery({ status, outcome, crew, q, after }: RunsFilter): RunListOptions {
  const known = { status: STATUSES.find((one) => one === status), outcome: OUTCOMES.find((one) => one === outcome) };
  return {
    ...(known.status === undefined ? {} : { status: known.status }),
    ...(known.outcome === undefined ? {} : { outcome: known.outcome }),
    ...(crew === undefined ? {} : { crew }),
    ...(q === undefined || q === "" ? {} : { q }),
    ...(after === "all" ? {} : { after: "none" }),
  };
}
