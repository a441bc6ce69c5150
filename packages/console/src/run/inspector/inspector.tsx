/**
 * Inspector: what the selected step was given, what it gave, and the log.
 */
import type { CrewDetail } from "@baton/client";
import { useApp } from "../../app-context.ts";
import type { AgentColors } from "../../graph/agent-color.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import { TABS } from "../../navigation/route.ts";
import type { RunStore } from "../../store/run-store.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { EventsTab } from "./events-tab.tsx";
import { OutputTab } from "./output-tab.tsx";
import { type SelectedStep, shortPosition } from "../selection.ts";
import type { Moment } from "../use-moment.ts";
import { XrayTab } from "./xray-tab.tsx";
import { describedBy } from "../../ui/layers/tooltip.tsx";

interface InspectorProps {
  readonly store: RunStore;
  readonly version: number;
  readonly moment: Moment;
  readonly looked: SelectedStep | undefined;
  readonly crew: CrewDetail | undefined;
  readonly colors: AgentColors;
  readonly onSelect: (position: string) => void;
}

/** The third column. */
export function Inspector(props: InspectorProps) {
  const { moment, looked } = props;
  const { words } = useApp();
  const { tab, setTab } = moment;
  const step = looked?.step;
  const nameOf = useAgentName();
  return (
    <section className="run-column inspector" aria-label={words.runPage.inspector}>
      <h2 className="visually-hidden">{words.runPage.inspector}</h2>
      <div className="inspector-head">
        <Tabs
          label={words.runPage.inspector}
          tabs={TABS.map((name) => ({
            name,
            text: name === "xray" ? words.runPage.xray.title : words.runPage.panes[name],
          }))}
          chosen={tab}
          onChoose={setTab}
          panel="inspector-panel"
        />
        {step !== undefined && tab !== "events" && (
          <span className="inspector-of" {...describedBy(`${step.step} ${step.agent}`)}>
            <code>{shortPosition(step.step)}</code> {nameOf(step.agent)}
          </span>
        )}
      </div>
      <div
        className="run-scroll"
        role="tabpanel"
        id="inspector-panel"
        aria-labelledby={`inspector-panel-${tab}`}
        tabIndex={0}
      >
        <Boundary of={`${tab} ${step?.step ?? ""}`} key={tab}>
          <Panel {...props} />
        </Boundary>
      </div>
    </section>
  );
}

function Panel({ store, version, moment, looked, crew, colors, onSelect }: InspectorProps) {
  const { words } = useApp();
  const { seq, tab, seek } = moment;
  if (tab === "events") {
    return <EventsTab store={store} version={version} seq={seq} colors={colors} onSeek={seek} />;
  }
  if (looked?.step === undefined) return <p className="inspector-none">{words.runPage.nothingYet}</p>;
  if (tab === "output")
    return <OutputTab store={store} step={looked.step} call={looked.call} seq={Math.max(seq, endOf(looked))} />;
  return <XrayTab store={store} step={looked.step} crew={crew} colors={colors} onSelect={onSelect} />;
}

/** A step that is selected though it comes later is shown as it ended. */
function endOf({ step }: SelectedStep): number {
  return step === undefined ? 0 : (step.to?.seq ?? step.from.seq);
}
