/**
 * Runs page: what waits for the reader, to be answered in place; then all runs, kept up to date by the feed.
 */
import { useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { useWaiting } from "../feed/feed-context.tsx";
import type { RunsFilter } from "../navigation/route.ts";
import { Button } from "../ui/button.tsx";
import { LoadFailure } from "../loading/load-failure.tsx";
import { Skeleton } from "../loading/skeleton.tsx";
import { useTitle } from "../navigation/use-title.ts";
import { AskHere } from "./ask-here.tsx";
import { RunRates } from "./run-rates.tsx";
import { RunRow } from "./run-row.tsx";
import { RunsFilters } from "./runs-filters.tsx";
import { type ListedRuns, useRuns } from "./use-runs.ts";
import { WaitingItem } from "./waiting-item.tsx";
import "./runs.css";

const MINUTE_MS = 60_000;

/** Lists the runs of a filter. */
export function RunsPage({ filter }: { readonly filter: RunsFilter }) {
  const { words } = useApp();
  useTitle([words.pages.runs]);
  const isPointed = useRef(false);
  const runs = useRuns(filter, isPointed);
  return (
    <div className="runs">
      <header className="runs-head">
        <h1>{words.pages.runs}</h1>
        <RunRates />
      </header>
      <Waiting />
      <RunsFilters filter={filter} />
      {runs.newRuns.length > 0 && (
        <div className="runs-fresh" role="status">
          <Button kind="plain" onPress={runs.showFresh}>
            {words.lists.runs.fresh(runs.newRuns.length)}
          </Button>
        </div>
      )}
      <div
        onPointerEnter={() => {
          isPointed.current = true;
        }}
        onPointerLeave={() => {
          isPointed.current = false;
        }}
      >
        <Rows runs={runs} filter={filter} />
      </div>
    </div>
  );
}

function Waiting() {
  const { words } = useApp();
  const waiting = useWaiting();
  if (waiting.length === 0) return null;
  return (
    <section className="waiting" aria-labelledby="waiting-title">
      <h2 id="waiting-title">{words.lists.runs.waiting(waiting.length)}</h2>
      <ul>
        {waiting.map((run) => (
          <WaitingItem key={run.id} run={run} />
        ))}
      </ul>
    </section>
  );
}

interface RowsProps {
  readonly runs: ListedRuns;
  readonly filter: RunsFilter;
}

function Rows({ runs: { rows, state, error, more, retry }, filter }: RowsProps) {
  const { words } = useApp();
  const now = useMinute();
  if (state === "loading") return <Skeleton />;
  if (state === "failed" && error !== undefined) return <LoadFailure error={error} onTry={retry} />;
  if (rows.length === 0) return <None filter={filter} />;
  return (
    <>
      <ul className="runs-list">
        {rows.map((run) => (
          <RunRow key={run.id} run={run} now={now} />
        ))}
      </ul>
      {more !== undefined && (
        <div className="runs-more">
          <Button kind="quiet" onPress={more}>
            {words.lists.runs.more}
          </Button>
        </div>
      )}
    </>
  );
}

function None({ filter }: { readonly filter: RunsFilter }) {
  const { words, navigate } = useApp();
  const { runs: say } = words.lists;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered) return <AskHere />;
  return (
    <div className="runs-none">
      <p>{say.noneFound}</p>
      <Button onPress={() => navigate({ page: "runs" }, "replace")}>{say.clear}</Button>
    </div>
  );
}

/** The time, looked at once a minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
