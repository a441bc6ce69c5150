/**
 * Run layout: timeline over graph, story and inspector. All of them show the moment of the playhead.
 */
import type { CrewDetail, Replayed, RunInfo } from "@baton/client";
import { useEffect, useMemo, useState } from "react";
import { useApp } from "../app-context.ts";
import { toAgentColors } from "../graph/agent-color.ts";
import { AgentNamesContext, toAgentNames } from "../graph/agent-names.ts";
import type { PageRoute } from "../navigation/route.ts";
import type { RunStore } from "../store/run-store.ts";
import { Boundary } from "../ui/boundary.tsx";
import { Button } from "../ui/button.tsx";
import { PendingList } from "../ui/pending-list.tsx";
import { statusMarkOf } from "../ui/status-mark.tsx";
import { SayField } from "../questions/say-field.tsx";
import { crewDisplayOf } from "../turn/crew-display.ts";
import { OutcomeCard } from "../turn/outcome-card.tsx";
import { RunContext, type ShownRun, useShownRun } from "../turn/run-context.ts";
import { StoryView } from "../turn/story-view.tsx";
import { RunComparison } from "./compare/run-comparison.tsx";
import { ForkDialog } from "./compare/fork-dialog.tsx";
import { GraphColumn } from "./graph-column.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { RunHead } from "./run-head.tsx";
import { Scrubber } from "./scrubber.tsx";
import { selectedStepAt } from "./selection.ts";
import { useAxis } from "./use-axis.ts";
import { type Moment, useMoment } from "./use-moment.ts";

interface RunViewProps {
  readonly route: Extract<PageRoute, { page: "run" }>;
  readonly info: RunInfo;
  readonly store: RunStore;
  readonly crew: CrewDetail | undefined;
  readonly version: number;
}

type Pane = "story" | "graph" | "inspector";
/** The last two are tabs of the inspector. */
const PANES = ["story", "graph", "xray", "events"] as const;

/** A run at a moment. */
export function RunLayout(props: RunViewProps) {
  const { crew } = props;
  const names = useMemo(() => toAgentNames(crew ?? { agents: [] }), [crew]);
  return (
    <AgentNamesContext value={names}>
      <Whole {...props} />
    </AgentNamesContext>
  );
}

function Whole({ route, info, store, crew, version }: RunViewProps) {
  const moment = useMoment(route, store);
  const axis = useAxis({ store, version, forkedAt: info.forked_from?.seq });
  const [forkAt, setForkAt] = useState<number>();
  const [replayed, setReplayed] = useState<Replayed>();
  const [pane, setPane] = useState<Pane>("story");
  const colors = useMemo(() => toAgentColors(crew ?? { agents: [] }), [crew]);
  const { seq, selected } = moment;
  const looked = selectedStepAt(store.story, selected, seq);
  useTitle(info, store);
  const select = (position: string): void => moment.select(resolve(store, position));
  const fork = (): void => setForkAt(seq);
  const shown = useShown({ store, crew, seq, select, selected: looked === undefined ? undefined : selected });
  return (
    <div className="run" data-pane={pane}>
      <RunHead info={info} store={store} axis={axis} route={moment.route} onFork={fork} />
      <Boundary of={info.id}>
        <Scrubber
          info={info}
          store={store}
          version={version}
          crew={crew}
          colors={colors}
          axis={axis}
          moment={moment}
          replayed={replayed}
          onReplayed={setReplayed}
          onFork={fork}
        />
      </Boundary>
      {route.vs !== undefined && <RunComparison store={store} version={version} vs={route.vs} route={moment.route} />}
      <Panes pane={pane} onPane={setPane} moment={moment} />
      <div className="run-columns">
        <GraphColumn store={store} crew={crew} seq={seq} colors={colors} onSelect={select} />
        <RunContext value={shown}>
          <StoryColumn version={version} onFork={setForkAt} />
        </RunContext>
        <Inspector
          store={store}
          version={version}
          moment={moment}
          looked={looked}
          crew={crew}
          colors={colors}
          onSelect={select}
        />
      </div>
      {forkAt !== undefined && (
        <ForkDialog info={info} store={store} seq={forkAt} onClose={() => setForkAt(undefined)} />
      )}
    </div>
  );
}

type ShownFrom = Pick<ShownRun, "store" | "seq" | "select" | "selected"> & Pick<RunViewProps, "crew">;

/** The run as its story shows it. */
function useShown({ crew, ...from }: ShownFrom): ShownRun {
  const [shownCall, showCall] = useState<ShownRun["shownCall"]>();
  const display = useMemo(() => crewDisplayOf(crew), [crew]);
  return { ...from, display, shownCall, showCall };
}

interface PanesProps {
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  readonly moment: Moment;
}

/** The column that is shown if there is no room for all. */
function Panes({ pane, onPane, moment: { tab, setTab } }: PanesProps) {
  const { words } = useApp();
  const choose = (one: (typeof PANES)[number]): void => {
    const isTab = one === "xray" || one === "events";
    onPane(isTab ? "inspector" : one);
    if (isTab) setTab(one);
  };
  const shown = pane === "inspector" ? tab : pane;
  return (
    <div className="run-panes" role="group" aria-label={words.runPage.parts}>
      {PANES.map((one) => (
        <Button key={one} kind="quiet" isPressed={shown === one} onPress={() => choose(one)}>
          {words.runPage.panes[one]}
        </Button>
      ))}
    </div>
  );
}

interface StoryColumnProps {
  readonly version: number;
  readonly onFork: (seq: number) => void;
}

function StoryColumn({ version, onFork }: StoryColumnProps) {
  const { words } = useApp();
  const { store, seq } = useShownRun();
  return (
    <section className="run-column story-column-of-run" aria-label={words.runPage.story}>
      <h2>
        {words.runPage.story} <small>{words.runPage.atMoment}</small>
      </h2>
      <div className="run-scroll story-scroll" tabIndex={0} role="group" aria-label={words.runPage.story}>
        <div className="story-whole">
          <Boundary of={`${store.id} story`}>
            <StoryView version={version} />
            {seq >= store.last && <PendingList pending={store.pending} />}
            <OutcomeCard onFork={onFork} />
          </Boundary>
        </div>
      </div>
      {seq >= store.last && (
        <Boundary of={`${store.id} asks`}>
          <SayField store={store} />
        </Boundary>
      )}
    </section>
  );
}

/** A group's turn stands for the first of its members. */
function resolve(store: RunStore, position: string): string {
  const { story } = store;
  const group = story.groups.find(({ turn }) => turn === position);
  if (group === undefined) return position;
  const lane = `${group.turn}/${group.group}/`;
  return story.turns.find((turn) => turn.lane.startsWith(lane))?.turn ?? position;
}

/** `Done · quiz-exam · Baton`. */
function useTitle({ crew }: RunInfo, store: RunStore): void {
  const { words } = useApp();
  const { status, outcome } = store.viewAt("live");
  const title = `${words.status[statusMarkOf({ status, outcome })]} · ${crew} · Baton`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
