/**
 * Crew page: one crew: its graph, what a check of it says, its worst case, its agents and tools, and its last runs.
 */
import type { CrewDetail } from "@baton/client";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { type AgentColors, colorClass, initialOf, toAgentColors } from "../graph/agent-color.ts";
import { toAgentNames } from "../graph/agent-names.ts";
import { CrewGraph } from "../graph/crew-graph.tsx";
import { useCrewChanges } from "../feed/feed-context.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { Button } from "../ui/button.tsx";
import { LoadFailure } from "../loading/load-failure.tsx";
import { PageLink } from "../navigation/page-link.tsx";
import { ModelChip } from "../models/model-chip.tsx";
import { Skeleton } from "../loading/skeleton.tsx";
import { useTitle } from "../navigation/use-title.ts";
import { useRepeatedRequest } from "../loading/use-repeated-request.ts";
import { AgentDetail, ToolList } from "./agent-detail.tsx";
import { CrewExamples } from "./crew-examples.tsx";
import { Findings } from "./findings.tsx";
import { LastRuns } from "./last-runs.tsx";
import { useCounterexamplePlayer } from "./use-counterexample-player.ts";
import "./crews.css";

interface CrewPageProps {
  readonly id: string;
  readonly agent?: string;
}

const NOT_FOUND = 404;

/** Shows one crew, as its files are now. */
export function CrewPage({ id, agent }: CrewPageProps) {
  const { client, words } = useApp();
  const changes = useCrewChanges();
  const [tries, setTries] = useState(0);
  useTitle([id, words.pages.crews]);
  const crew = useRepeatedRequest({ key: id, round: `${changes} ${tries}` }, () => client.crew(id));
  const gone = crew.state === "failed" ? crew.error : crew.problem;
  if (gone?.status === NOT_FOUND) return <NoCrew id={id} />;
  if (crew.state === "failed")
    return (
      <div className="crews">
        <h1>{id}</h1>
        <LoadFailure error={crew.error} onTry={() => setTries((now) => now + 1)}>
          <PageLink to={{ page: "crews" }}>{words.runPage.crew.all}</PageLink>
        </LoadFailure>
      </div>
    );
  if (crew.state !== "ready") return <Skeleton />;
  return <CrewView crew={crew.value} {...(agent === undefined ? {} : { agent })} />;
}

function NoCrew({ id }: { readonly id: string }) {
  const { words } = useApp();
  return (
    <div className="failed-part failed-page">
      <h1>{words.runPage.crew.noCrew(id)}</h1>
      <div className="failed-ways">
        <PageLink to={{ page: "crews" }}>{words.runPage.crew.all}</PageLink>
      </div>
    </div>
  );
}

function CrewView({ crew, agent }: { readonly crew: CrewDetail; readonly agent?: string }) {
  const { navigate } = useApp();
  const colors = useMemo(() => toAgentColors(crew), [crew]);
  const names = useMemo(() => toAgentNames(crew), [crew]);
  const showing = useCounterexamplePlayer();
  const drawing = useEntryInView(crew);
  const choose = (chosen: string): void => navigate({ page: "crew", id: crew.id, agent: chosen }, "replace");
  const found = crew.agents.find(({ id }) => id === agent);
  return (
    <div className="crew">
      <CrewHead crew={crew} />
      <div className="crew-columns">
        <div className="crew-drawing" ref={drawing}>
          <Boundary of={crew.id}>
            <CrewGraph
              drawing={crew.drawing}
              colors={colors}
              names={names}
              label={crew.name}
              {...(agent === undefined ? {} : { selected: agent })}
              {...(showing.moment === undefined ? {} : { moment: showing.moment })}
              onSelect={choose}
            />
          </Boundary>
          {crew.drawing.left_out !== "" && <p className="crew-quiet">{crew.drawing.left_out}</p>}
        </div>
        <div className="crew-side">
          {found !== undefined && <AgentDetail crew={crew} agent={found} colors={colors} />}
          <CrewExamples crew={crew} />
          <Findings crew={crew} showing={showing} />
          <AgentList crew={crew} colors={colors} chosen={agent} onChoose={choose} />
          <CrewTools crew={crew} />
          <Limits crew={crew} />
          <LastRuns crew={crew.id} />
        </div>
      </div>
    </div>
  );
}

/** A drawing that is wider than its place is scrolled to where a run begins. */
function useEntryInView({ id, drawing }: CrewDetail): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const entry = drawing.boxes.find(({ marks }) => marks.includes("entry"));
    if (place.current === null || entry === undefined) return;
    const { scrollWidth, clientWidth } = place.current;
    const middle = ((entry.x + entry.width / 2) / drawing.width) * scrollWidth;
    place.current.scrollLeft = middle - clientWidth / 2;
  }, [id]);
  return place;
}

function CrewHead({ crew }: { readonly crew: CrewDetail }) {
  const { words, navigate, format } = useApp();
  const { crew: say } = words.runPage;
  const { number } = format;
  const count = (severity: string): number => crew.findings.filter((one) => one.severity === severity).length;
  const { model_calls: calls, tool_rounds: rounds, handoffs, is_exact: isExact } = crew.worst_case;
  const worst = [say.calls(number(calls)), say.rounds(number(rounds)), say.handoffs(number(handoffs))].join(", ");
  return (
    <header className="crew-head">
      <div>
        <h1>{crew.id}</h1>
        <p>{crew.description}</p>
        <div className="crew-sums">
          <span className={count("error") > 0 ? "error" : ""}>{say.errors(count("error"))}</span>
          <span className={count("warning") > 0 ? "warning" : ""}>{say.warnings(count("warning"))}</span>
          {count("note") > 0 && <span>{say.notes(count("note"))}</span>}
          <span>
            {say.worst}: <strong>{worst}</strong> ({isExact ? say.exact : say.bound})
          </span>
          <ModelChip crew={crew.id} />
        </div>
      </div>
      <Button kind="primary" onPress={() => navigate({ page: "chat", crew: crew.id })}>
        {say.ask}
      </Button>
    </header>
  );
}

interface AgentListProps {
  readonly crew: CrewDetail;
  readonly colors: AgentColors;
  readonly chosen: string | undefined;
  readonly onChoose: (agent: string) => void;
}

function AgentList({ crew, colors, chosen, onChoose }: AgentListProps) {
  const { words } = useApp();
  return (
    <section className="crew-part">
      <h2>{words.runPage.crew.agents}</h2>
      <ul className="crew-agents">
        {crew.agents.map(({ id, name, role, tools }) => (
          <li key={id} className={colorClass(colors, id)}>
            <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
              <span className="crew-badge" aria-hidden>
                {initialOf(id)}
              </span>
              <strong>{name}</strong>
              <span className="crew-role">{[...(name === id ? [] : [id]), role].filter(isGiven).join(", ")}</span>
              {tools.length > 0 && <small>{words.run.tools(tools.length)}</small>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isGiven(text: string): boolean {
  return text !== "";
}

/** So many tools are listed at first. */
const TOOLS_SHOWN = 8;

function CrewTools({ crew }: { readonly crew: CrewDetail }) {
  const { words } = useApp();
  const [isWhole, setWhole] = useState(false);
  const names = crew.tools.map(({ name }) => name);
  const shown = isWhole ? names : names.slice(0, TOOLS_SHOWN);
  return (
    <section className="crew-part">
      <h2>{words.runPage.crew.tools}</h2>
      {names.length === 0 && <p className="crew-quiet">{words.runPage.crew.noTools}</p>}
      <ToolList crew={crew} names={shown} />
      {names.length > shown.length && (
        <Button kind="quiet" onPress={() => setWhole(true)}>
          {words.run.tools(names.length)}
        </Button>
      )}
    </section>
  );
}

function Limits({ crew }: { readonly crew: CrewDetail }) {
  const { words, format } = useApp();
  const { number } = format;
  return (
    <details className="crew-part">
      <summary>
        <h2>{words.runPage.crew.limits}</h2>
      </summary>
      <dl className="crew-limits">
        {Object.entries(crew.settings).map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
