/**
 * Overview page: the last hour in six figures, then tools and agents by errors, then the server itself.
 */
import type { ServerOverview, OverviewFigures } from "@baton/client";
import { useEffect, useState } from "react";
import { useApp } from "../app-context.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { useCrewCatalog } from "../chat/use-crew-catalog.ts";
import { useConnections } from "../feed/feed-context.tsx";
import { LoadFailure } from "../loading/load-failure.tsx";
import { Skeleton } from "../loading/skeleton.tsx";
import { useTitle } from "../navigation/use-title.ts";
import { useRepeatedRequest } from "../loading/use-repeated-request.ts";
import { Table, type TableColumn } from "../ui/table.tsx";
import { FigureTile } from "./figure-tile.tsx";
import "./overview.css";

const AGAIN_MS = 15_000;
const MINUTES = 60;

/** The overview, read again as long as it is shown. */
export function OverviewPage() {
  const { client, words, me } = useApp();
  const [round, setRound] = useState(0);
  const again = (): void => setRound((now) => now + 1);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") again();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  useTitle([words.pages.overview]);
  const connections = useConnections();
  const what = { key: "overview", round: `${round} ${connections}` };
  const loaded = useRepeatedRequest(what, () => client.overview(MINUTES));
  const overview = loaded.state === "ready" ? loaded.value : undefined;
  const { overview: say } = words.lists;
  return (
    <div className="overview">
      <header>
        <h1>{words.pages.overview}</h1>
        <p>{say.lastHour}</p>
      </header>
      {loaded.state === "failed" && <LoadFailure error={loaded.error} onTry={again} />}
      {loaded.state === "loading" && <Skeleton />}
      {overview !== undefined && (
        <>
          {me?.scopes.includes("admin") === false && <p className="overview-note">{say.own}</p>}
          {overview.is_partial === true && <p className="overview-note">{say.partial}</p>}
          <Tiles overview={overview} />
          <Tools tools={overview.tools} />
          <Agents agents={overview.agents} />
          <Server server={overview.server} />
        </>
      )}
    </div>
  );
}

function Tiles({ overview: { total, minutes } }: { readonly overview: ServerOverview }) {
  const { words, format } = useApp();
  const { tiles, notes, noData } = words.lists.overview;
  const time = (ms: number | undefined): string => (ms === undefined ? noData : format.duration(ms));
  const of = (value: (figures: OverviewFigures) => number | undefined) => minutes.map(value);
  const share = ({ done, ended }: OverviewFigures) => (ended === 0 ? undefined : done / ended);
  const perRun = (value: number) => (total.runs === 0 ? 0 : value / total.runs);
  const all = share(total);
  return (
    <dl className="tiles">
      <FigureTile
        name={tiles.runs}
        value={format.number(Math.round((total.runs / MINUTES) * 10) / 10)}
        note={notes.runs(format.number(total.runs))}
        values={of(({ runs }) => runs)}
        format={format.number}
      />
      <FigureTile
        name={tiles.done}
        value={all === undefined ? noData : format.share(all)}
        note={notes.done(format.number(total.done), format.number(total.ended))}
        values={of(share)}
        format={format.share}
      />
      <FigureTile
        name={tiles.p95}
        value={time(total.p95_ms)}
        note={notes.times(time(total.p50_ms))}
        values={of(({ p95_ms }) => p95_ms)}
        format={format.duration}
      />
      <FigureTile
        name={tiles.first}
        value={time(total.first_text_p95_ms)}
        note={notes.first}
        values={of(({ first_text_p95_ms }) => first_text_p95_ms)}
        format={format.duration}
      />
      <FigureTile
        name={tiles.tokens}
        value={format.number(total.tokens)}
        note={notes.perRun(format.number(Math.round(perRun(total.tokens))))}
        values={of(({ tokens }) => tokens)}
        format={format.number}
      />
      <FigureTile
        name={tiles.cost}
        value={format.money(total.cost_usd)}
        note={notes.perRun(format.money(perRun(total.cost_usd)))}
        values={of(({ cost_usd }) => cost_usd)}
        format={format.money}
      />
    </dl>
  );
}

type ToolFigures = ServerOverview["tools"][number];
type AgentFigures = ServerOverview["agents"][number];

function Tools({ tools }: Pick<ServerOverview, "tools">) {
  const { words, format } = useApp();
  const { columns, tools: title, noTools } = words.lists.overview;
  const shown: readonly TableColumn<ToolFigures>[] = [
    { id: "name", head: columns.name, kind: "name", cell: ({ name }) => <code>{name}</code> },
    { id: "errors", head: columns.errors, kind: "number", cell: ({ errors }) => <Errors count={errors} /> },
    { id: "calls", head: columns.calls, kind: "number", cell: ({ calls }) => format.number(calls) },
    { id: "time", head: columns.time, kind: "number", cell: ({ average_ms }) => format.duration(average_ms) },
  ];
  return (
    <section>
      <h2>{title}</h2>
      {tools.length === 0 && <p className="overview-note">{noTools}</p>}
      {tools.length > 0 && <Table label={title} columns={shown} rows={tools} keyOf={({ name }) => name} />}
    </section>
  );
}

function Agents({ agents }: Pick<ServerOverview, "agents">) {
  const { words, format } = useApp();
  const nameOf = useNames(agents);
  const { columns, agents: title, noAgents } = words.lists.overview;
  const named = ({ crew, name }: AgentFigures) => (
    <>
      <PageLink to={{ page: "crew", id: crew, agent: name }}>{nameOf(crew, name)}</PageLink> <small>{crew}</small>
    </>
  );
  const shown: readonly TableColumn<AgentFigures>[] = [
    { id: "name", head: columns.name, kind: "name", cell: named },
    { id: "errors", head: columns.errors, kind: "number", cell: ({ errors }) => <Errors count={errors} /> },
    { id: "turns", head: columns.turns, kind: "number", cell: ({ turns }) => format.number(turns) },
    { id: "tokens", head: columns.tokens, kind: "number", cell: ({ tokens }) => format.number(tokens) },
    { id: "cost", head: columns.cost, kind: "number", cell: ({ cost_usd }) => format.money(cost_usd) },
  ];
  const keyOf = ({ crew, name }: AgentFigures): string => `${crew} ${name}`;
  return (
    <section>
      <h2>{title}</h2>
      {agents.length === 0 && <p className="overview-note">{noAgents}</p>}
      {agents.length > 0 && <Table label={title} columns={shown} rows={agents} keyOf={keyOf} />}
    </section>
  );
}

/** Returns the names of the agents of several crews; ids until a crew is loaded, and for one that is not served. */
function useNames(agents: ServerOverview["agents"]): (crew: string, agent: string) => string {
  const { crews, details, want } = useCrewCatalog();
  const worked = new Set(agents.map(({ crew }) => crew));
  useEffect(() => {
    for (const { id } of crews ?? []) if (worked.has(id)) want(id);
  }, [crews, want, worked.size]);
  return (crew, agent) => details.get(crew)?.agents.find(({ id }) => id === agent)?.name ?? agent;
}

function Errors({ count }: { readonly count: number }) {
  const { format } = useApp();
  return <span className={count === 0 ? "" : "overview-errors"}>{format.number(count)}</span>;
}

function Server({ server: { open_streams, active_runs, breakers, store } }: Pick<ServerOverview, "server">) {
  const { words, format } = useApp();
  const { overview: say } = words.lists;
  const open = breakers.filter(({ is_open }) => is_open).map(({ model }) => model);
  return (
    <section>
      <h2>{say.server}</h2>
      <dl className="overview-server">
        <dt>{say.active}</dt>
        <dd>{format.number(active_runs)}</dd>
        <dt>{say.streams}</dt>
        <dd>{format.number(open_streams)}</dd>
        <dt>{say.breakers}</dt>
        <dd className={open.length === 0 ? "" : "overview-errors"}>
          {open.length === 0 ? say.noBreakers : open.join(", ")}
        </dd>
        <dt>{say.store}</dt>
        <dd className={store.is_healthy ? "" : "overview-errors"}>
          {`${store.kind}, ${store.is_healthy ? say.healthy : (store.problem ?? "")}`}
        </dd>
      </dl>
    </section>
  );
}
