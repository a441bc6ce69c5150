/**
 * Run stage: the crew at the right of the chat: its graph, alive during a run, and below it three facts, or the agents that
 * had the baton.
 */
import type { CrewDetail } from "@baton/client";
import { lazy, Suspense, useMemo } from "react";
import { useApp } from "../../app-context.ts";
import { colorClass } from "../../graph/agent-color.ts";
import { GraphFrame } from "../../graph/graph-frame.tsx";
import { momentAt } from "../../graph/graph-moment.ts";
import { runTimes } from "../../store/gaps.ts";
import type { RunStore } from "../../store/run-store.ts";
import { useLiveTime } from "../../store/use-live-time.ts";
import { useChanges } from "../../store/use-run.ts";
import { PageLink } from "../../navigation/page-link.tsx";
import { sayTimes } from "../../format/say-times.ts";
import { statusMarkOf, StatusMark } from "../../ui/status-mark.tsx";
import { type CrewDisplay, nameOf, crewDisplayOf } from "../../turn/crew-display.ts";
import { approvalsOf } from "../examples/examples.ts";
import { buildAgentLanes } from "./agent-lanes.ts";
import { type StageReplay, useStageReplay } from "./use-stage-replay.ts";
import "./run-stage.css";

/** The page is there before the code that draws. */
const CrewGraph = lazy(async () => {
  const { CrewGraph: drawn } = await import("../../graph/crew-graph.tsx");
  return { default: drawn };
});

/** A crew at rest. */
export function CrewStage({ crew }: { readonly crew: CrewDetail }) {
  const { words } = useApp();
  const display = useMemo(() => crewDisplayOf(crew), [crew]);
  return (
    <div className="stage">
      <header className="stage-head">
        <PageLink to={{ page: "crew", id: crew.id }}>{crew.id}</PageLink>
        <span>{words.chat.agentsTools(crew.agents.length, crew.tools.length)}</span>
      </header>
      <Graph display={display} crew={crew} />
      <Facts crew={crew} />
    </div>
  );
}

interface RunStageProps {
  readonly crew: CrewDetail;
  readonly store: RunStore;
  /** Whether this tab has just started the run. */
  readonly isOwn: boolean;
}

/** A crew during a run. */
export function RunStage({ crew, store, isOwn }: RunStageProps) {
  useChanges(store);
  const replay = useStageReplay(store, { isOwn });
  const display = useMemo(() => crewDisplayOf(crew), [crew]);
  const view = store.viewAt("live");
  return (
    <div className="stage">
      <header className="stage-head">
        <PageLink to={{ page: "crew", id: crew.id }}>{crew.id}</PageLink>
        {replay === undefined ? (
          store.story.started !== undefined && <StatusMark mark={statusMarkOf(view)} />
        ) : (
          <ReplayLine replay={replay} />
        )}
      </header>
      <Graph display={display} crew={crew} store={store} seq={replay?.seq ?? store.last} />
      <Lanes display={display} store={store} seq={replay?.seq ?? store.last} />
    </div>
  );
}

function ReplayLine({ replay }: { readonly replay: StageReplay }) {
  const { words, format } = useApp();
  return (
    <span className="stage-replay">
      {words.run.replayOf(format.duration(replay.tookMs))}
      <button type="button" onClick={replay.skip}>
        {words.run.skip}
      </button>
    </span>
  );
}

interface GraphProps {
  readonly display: CrewDisplay;
  readonly crew: CrewDetail;
  readonly store?: RunStore;
  /** The event that is shown. */
  readonly seq?: number;
}

function Graph({ display, crew, store, seq = 0 }: GraphProps) {
  const { navigate } = useApp();
  const { drawing } = crew;
  const moment = store === undefined ? undefined : momentAt(store.story, seq);
  const watched =
    moment === undefined ? crew.id : [...moment.active, ...moment.waiting, moment.latest?.to ?? ""].join();
  return (
    <div className="stage-graph">
      <GraphFrame drawing={drawing} watched={watched}>
        {(scale) => (
          <Suspense fallback={null}>
            <CrewGraph
              drawing={drawing}
              colors={display.colors}
              names={display.names}
              label={crew.name}
              scale={scale}
              onSelect={(agent) => navigate({ page: "crew", id: crew.id, agent })}
              {...(moment === undefined ? {} : { moment })}
            />
          </Suspense>
        )}
      </GraphFrame>
    </div>
  );
}

function Facts({ crew }: { readonly crew: CrewDetail }) {
  const { words, format } = useApp();
  const { model_calls: calls, is_exact: isExact } = crew.worst_case;
  const approvals = approvalsOf(crew);
  const findings = crew.findings.filter(({ severity }) => severity !== "note").length;
  return (
    <dl className="stage-facts">
      <div>
        <dt>{words.chat.findings(findings)}</dt>
        <dd>{words.chat.findingsHint}</dd>
      </div>
      <div>
        <dt>{`${isExact ? "≤" : "≈"} ${words.chat.worst(format.number(calls))}`}</dt>
        <dd>{words.chat.worstHint}</dd>
      </div>
      <div>
        <dt>{words.chat.approvals(approvals)}</dt>
        <dd>{approvals > 0 ? words.chat.approvalsHint : words.chat.noApprovalsHint}</dd>
      </div>
    </dl>
  );
}

interface LanesProps {
  readonly display: CrewDisplay;
  readonly store: RunStore;
  readonly seq: number;
}

function Lanes({ display, store, seq }: LanesProps) {
  const { words, format } = useApp();
  const now = useLiveTime(store);
  const source = { events: store.events, last: store.last, ...(now === undefined ? {} : { now }) };
  const lanes = buildAgentLanes(store.story, seq);
  const view = store.viewAt("live");
  const tokens = view.usage.inputTokens + view.usage.outputTokens;
  if (lanes.length === 0) return null;
  return (
    <div className="stage-lanes" role="group" aria-label={words.chat.lanes}>
      {lanes.map(({ agent, bars }) => (
        <div key={agent} className={`stage-lane ${colorClass(display.colors, agent)}`}>
          <span>{nameOf(display, agent)}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
            {bars.map(({ turn, from, to, isOpen }) => (
              <rect
                key={turn}
                x={from * 100}
                y={0}
                width={(to - from) * 100}
                height={8}
                className={isOpen ? "open" : ""}
              />
            ))}
          </svg>
        </div>
      ))}
      <p className="stage-sum">
        <span>{words.run.tokens(format.number(tokens))}</span>
        <span>{words.run.handoffs(store.story.handoffs.length)}</span>
        {sayTimes(runTimes(source), words, format.duration).map((one) => (
          <span key={one}>{one}</span>
        ))}
      </p>
    </div>
  );
}
