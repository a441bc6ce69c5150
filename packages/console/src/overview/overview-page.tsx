/**
 * Overview page: the last hour in six figures, then tools and agents by errors, then the server itself.
 */
import type { ServerOverview, OverviewFigures } from "@baton/client";
import { useEffect, useState } from "react";
import { useApp } from "../app-context.ts";
import { type ValueFormat, formatOf } from "../ui/format.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { useCrewCatalog } from "../chat/use-crew-catalog.ts";
import { useConnections } from "../feed/feed-context.tsx";
import { LoadFailure } from "../loading/load-failure.tsx";
import { Skeleton } from "../loading/skeleton.tsx";
import { useTitle } from "../navigation/use-title.ts";
import { useRepeatedRequest } from "../loading/use-repeated-request.ts";
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
  const { words, settings } = useApp();
  const { tiles, notes, noData } = words.lists.overview;
  const format = formatOf(settings.language);
  const time = (ms: number | undefined): string => (ms === undefined ? noData : format.duration(ms));
  const of = (value: (figures: OverviewFigures) => number | undefined) => minutes.map(value);
  const share = ({ done, ended }: OverviewFigures) => (ended === 0 ? undefined : (done / ended) * 100);
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
        value={all === undefined ? noData : toPercent(all, format)}
        note={notes.done(format.number(total.done), format.number(total.ended))}
        values={of(share)}
        format={(value) => toPercent(value, format)}
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

function toPercent(value: number, { number }: ValueFormat): string {
  return `${number(Math.round(value))} %`;
}

function Tools({ tools }: Pick<ServerOverview, "tools">) {
  const { words, settings } = useApp();
  const { overview: say } = words.lists;
  const format = formatOf(settings.language);
  return (
    <section>
      <h2>{say.tools}</h2>
      {tools.length === 0 ? (
        <p className="overview-note">{say.noTools}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{say.columns.name}</th>
              <th scope="col">{say.columns.errors}</th>
              <th scope="col">{say.columns.calls}</th>
              <th scope="col">{say.columns.time}</th>
            </tr>
          </thead>
          <tbody>
            {tools.map(({ name, calls, errors, average_ms }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <Errors count={errors} />
                <td>{format.number(calls)}</td>
                <td>{format.duration(average_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Agents({ agents }: Pick<ServerOverview, "agents">) {
  const { words, settings } = useApp();
  const nameOf = useNames(agents);
  const { overview: say } = words.lists;
  const format = formatOf(settings.language);
  return (
    <section>
      <h2>{say.agents}</h2>
      {agents.length === 0 ? (
        <p className="overview-note">{say.noAgents}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{say.columns.name}</th>
              <th scope="col">{say.columns.errors}</th>
              <th scope="col">{say.columns.turns}</th>
              <th scope="col">{say.columns.tokens}</th>
              <th scope="col">{say.columns.cost}</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ name, crew, turns, errors, tokens, cost_usd }) => (
              <tr key={`${crew} ${name}`}>
                <th scope="row">
                  <PageLink to={{ page: "crew", id: crew, agent: name }}>{nameOf(crew, name)}</PageLink>{" "}
                  <small>{crew}</small>
                </th>
                <Errors count={errors} />
                <td>{format.number(turns)}</td>
                <td>{format.number(tokens)}</td>
                <td>{format.money(cost_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
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
  const { settings } = useApp();
  return <td className={count === 0 ? "" : "overview-errors"}>{formatOf(settings.language).number(count)}</td>;
}

function Server({ server: { open_streams, active_runs, breakers, store } }: Pick<ServerOverview, "server">) {
  const { words, settings } = useApp();
  const { overview: say } = words.lists;
  const format = formatOf(settings.language);
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
