/**
 * Crew page: one crew: its graph, what a check of it says, and the agent that is looked at.
 */
import type { CrewDetail } from "@baton/client";
import { useMemo } from "react";
import { useApp } from "../app-context.ts";
import { toAgentColors } from "../graph/agent-color.ts";
import { CrewGraph } from "../graph/crew-graph.tsx";
import { useLoaded } from "../use-loaded.ts";
import "./crews.css";

interface CrewPageProps {
  readonly id: string;
  readonly agent?: string;
}

/** Shows one crew. */
export function CrewPage({ id, agent }: CrewPageProps) {
  const { client } = useApp();
  const crew = useLoaded(id, () => client.crew(id));
  if (crew.state !== "ready") return null;
  return <CrewView crew={crew.value} {...(agent === undefined ? {} : { agent })} />;
}

function CrewView({ crew, agent }: { readonly crew: CrewDetail; readonly agent?: string }) {
  const { navigate } = useApp();
  const colors = useMemo(() => toAgentColors(crew), [crew]);
  const names = useMemo(() => new Map(crew.agents.map(({ id, name }) => [id, name])), [crew]);
  return (
    <div className="crew">
      <header>
        <h1>{crew.id}</h1>
        <p>{crew.description}</p>
      </header>
      <div className="crew-drawing">
        <CrewGraph
          drawing={crew.drawing}
          colors={colors}
          names={names}
          label={crew.name}
          {...(agent === undefined ? {} : { selected: agent })}
          onSelect={(chosen) => navigate({ page: "crew", id: crew.id, agent: chosen }, "replace")}
        />
      </div>
    </div>
  );
}
