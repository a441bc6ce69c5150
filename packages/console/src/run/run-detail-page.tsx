/**
 * Run detail page: one run, at any of its moments. Loads the run, the crew it began with, and its log; says so if there is
 * none.
 */
import type { CrewDetail, RunInfo } from "@baton/client";
import { useApp } from "../app-context.ts";
import type { PageRoute } from "../navigation/route.ts";
import type { RunStore } from "../store/run-store.ts";
import { useChanges, useRun } from "../store/use-run.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { OfflineBar } from "../ui/offline-bar.tsx";
import { useRequest } from "../loading/use-request.ts";
import { RunLayout } from "./run-layout.tsx";
import "./run.css";

type RunRoute = Extract<PageRoute, { page: "run" }>;

/** Shows one run. */
export function RunDetailPage({ route }: { readonly route: RunRoute }) {
  const { client, words } = useApp();
  const info = useRequest(route.id, () => client.run(route.id));
  if (info.state === "failed") {
    const isMissing = info.error.status === 404;
    return (
      <div className="run-missing">
        <h1>{isMissing ? words.states.noRun(route.id) : words.states.failed}</h1>
        {!isMissing && <p>{info.error.message}</p>}
        <PageLink to={{ page: "runs" }}>{words.states.toRuns}</PageLink>
      </div>
    );
  }
  if (info.state === "loading") return <RunSkeleton />;
  return <LoadedRun key={info.value.id} route={route} info={info.value} />;
}

function LoadedRun({ route, info }: { readonly route: RunRoute; readonly info: RunInfo }) {
  const { client } = useApp();
  const { store, connection, tryNow } = useRun(info.id, "whole");
  const crew = useRequest(info.id, () => client.runCrew(info.id));
  if (connection.state === "failed") return <p className="run-missing">{connection.error.message}</p>;
  if (store === undefined) return <RunSkeleton />;
  return (
    <div className="run-page">
      {connection.state === "lost" && (
        <OfflineBar nextAt={connection.nextAt} isStopping={connection.isStopping} onTry={tryNow} />
      )}
      <OpenedRun route={route} info={info} store={store} crew={crew.state === "ready" ? crew.value : undefined} />
    </div>
  );
}

interface OpenedRunProps {
  readonly route: RunRoute;
  readonly info: RunInfo;
  readonly store: RunStore;
  readonly crew: CrewDetail | undefined;
}

function OpenedRun({ route, info, store, crew }: OpenedRunProps) {
  const version = useChanges(store);
  if (store.events.length === 0) return <RunSkeleton />;
  return <RunLayout route={route} info={info} store={store} crew={crew} version={version} />;
}

/** Of the size of the page; it appears only if loading takes long. */
function RunSkeleton() {
  const { words } = useApp();
  return (
    <div className="run-skeleton" role="status" aria-label={words.states.loading}>
      <i />
      <i />
      <i />
    </div>
  );
}
