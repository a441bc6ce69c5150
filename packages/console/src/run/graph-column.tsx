/**
 * Graph column: the crew of a run, and what of it was alive at the playhead.
 */
import type { CrewDetail } from "@baton/client";
import { useContext } from "react";
import { useApp } from "../app-context.ts";
import type { AgentColors } from "../graph/agent-color.ts";
import { AgentNamesContext } from "../graph/agent-names.ts";
import { CrewGraph } from "../graph/crew-graph.tsx";
import { GraphFrame } from "../graph/graph-frame.tsx";
import { momentAt } from "../graph/graph-moment.ts";
import type { RunStore } from "../store/run-store.ts";
import { Boundary } from "../ui/boundary.tsx";
import { giverOf, turnOf } from "./selection.ts";

interface GraphColumnProps {
  readonly store: RunStore;
  readonly crew: CrewDetail | undefined;
  readonly seq: number;
  readonly colors: AgentColors;
  readonly onSelect: (position: string) => void;
}

/** The first column. */
export function GraphColumn({ store, crew, seq, colors, onSelect }: GraphColumnProps) {
  const { words } = useApp();
  const { story } = store;
  const moment = momentAt(story, seq);
  const names = useContext(AgentNamesContext);
  const begun = story.turns.filter(({ from }) => from.seq <= seq).length;
  const choose = (id: string): void => {
    const turn = turnOf(story, id, seq) ?? story.groups.findLast(({ group }) => group === id);
    if (turn !== undefined) onSelect(turn.turn);
  };
  const chooseWay = (from: string, to: string): void => {
    const position = giverOf(story, { from, to }, seq);
    if (position !== undefined) onSelect(position);
  };
  return (
    <section className="run-column graph-column" aria-label={words.runPage.graph}>
      <h2>
        {words.runPage.graph} <small>{words.runPage.turnOf(begun, story.turns.length)}</small>
      </h2>
      <div className="run-graph">
        <Boundary of={`${store.id} graph`}>
          {crew !== undefined && (
            <GraphFrame
              drawing={crew.drawing}
              watched={[...moment.active, ...moment.waiting, moment.latest?.to ?? ""].join()}
            >
              {(scale) => (
                <CrewGraph
                  drawing={crew.drawing}
                  colors={colors}
                  names={names}
                  moment={moment}
                  label={crew.name}
                  scale={scale}
                  onSelect={choose}
                  onSelectWay={chooseWay}
                />
              )}
            </GraphFrame>
          )}
        </Boundary>
      </div>
    </section>
  );
}
