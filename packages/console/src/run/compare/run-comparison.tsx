/**
 * Run comparison: this run beside another, aligned where they part: route, turns, tokens, cost, time and final text.
 */
import { useMemo } from "react";
import { useApp } from "../../app-context.ts";
import { toAgentColors } from "../../graph/agent-color.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import type { PageRoute } from "../../navigation/route.ts";
import { runFigures } from "../../store/run-figures.ts";
import { runTimes } from "../../store/gaps.ts";
import type { RunStore } from "../../store/run-store.ts";
import { useChanges, useRun } from "../../store/use-run.ts";
import { toClockScale, toEvenScale } from "../../timeline/axes.ts";
import { buildTimelineRows } from "../../timeline/rows.ts";
import type { Scale } from "../../timeline/scale.ts";
import { Track } from "../../timeline/track.tsx";
import { PageLink } from "../../navigation/page-link.tsx";
import { Diff } from "../../ui/diff/diff.tsx";
import { useRequest } from "../../loading/use-request.ts";
import { compareRoutes, lastCommon, agentRoute } from "./compare.ts";
import "./run-comparison.css";

interface ComparisonProps {
  readonly store: RunStore;
  readonly version: number;
  readonly vs: string;
  readonly route: Extract<PageRoute, { page: "run" }>;
}

/** The other run is loaded, too. */
export function RunComparison({ store, version, vs, route }: ComparisonProps) {
  const { words } = useApp();
  const { store: other, connection } = useRun(vs, "whole");
  const { vs: _vs, ...rest } = route;
  return (
    <section className="comparison" aria-label={`${words.runPage.compare.title} ${vs}`}>
      <header>
        <h2>
          {words.runPage.compare.title} <PageLink to={{ page: "run", id: vs }}>{`req-${vs.slice(-12)}`}</PageLink>
        </h2>
        <PageLink to={rest}>{words.runPage.compare.close}</PageLink>
      </header>
      {connection.state === "failed" && <p role="alert">{connection.error.message}</p>}
      {other !== undefined && <Both store={store} version={version} other={other} />}
    </section>
  );
}

function Both({ store, version, other }: Pick<ComparisonProps, "store" | "version"> & { readonly other: RunStore }) {
  const { client, words, format } = useApp();
  const { number } = format;
  const otherVersion = useChanges(other);
  const crew = useRequest(other.id, () => client.runCrew(other.id));
  const forkedAt = useMemo(() => lastCommon(store.events, other.events), [store, other, version, otherVersion]);
  const agents = crew.state === "ready" ? crew.value.agents : [];
  const colors = useMemo(() => toAgentColors({ agents }), [crew.state]);
  const order = agents.map(({ id }) => id);
  const [here, there] = useMemo(
    () => toAligned(store, other, forkedAt),
    [store, other, forkedAt, version, otherVersion],
  );
  if (other.events.length === 0) return null;
  const notches = [{ kind: "fork" as const, seq: forkedAt, text: `#${forkedAt}` }];
  return (
    <>
      <p>{words.runPage.compare.same(number(forkedAt))}</p>
      <div className="comparison-both">
        <Differences store={store} other={other} forkedAt={forkedAt} />
        <div className="comparison-tracks">
          <p>{words.runPage.compare.here}</p>
          <Track
            rows={buildTimelineRows(store.story, order)}
            scale={here}
            colors={colors}
            notches={notches}
            ticks={[]}
          />
          <p>{words.runPage.compare.there}</p>
          <Track
            rows={buildTimelineRows(other.story, order)}
            scale={there}
            colors={colors}
            notches={notches}
            ticks={[]}
          />
        </div>
      </div>
    </>
  );
}

/** Two scales with one length; the time a fork waited before it continued does not count. */
function toAligned(here: RunStore, there: RunStore, forkedAt: number): readonly [Scale, Scale] {
  const source = ({ events, last }: RunStore) => ({ events, last, forkedAt });
  const isLong = [here, there].every((run) => runTimes(source(run)).activeMs >= 1_000);
  const toScale = isLong ? toClockScale : toEvenScale;
  const [a, b] = [toScale(source(here)), toScale(source(there))];
  const length = Math.max(a.length, b.length);
  return [
    { ...a, length },
    { ...b, length },
  ];
}

function Differences({ store, other, forkedAt }: Readonly<{ store: RunStore; other: RunStore; forkedAt: number }>) {
  const { words, format } = useApp();
  const { compare: say } = words.runPage;
  const { number, money, duration } = format;
  const [a, b] = [runFigures(store), runFigures(other)];
  const nameOf = useAgentName();
  const routes = compareRoutes(agentRoute(store.story), agentRoute(other.story));
  const tokens = ({ input, output }: typeof a): string => words.run.inOut(number(input), number(output));
  const time = ({ events, last }: RunStore): string => duration(runTimes({ events, last, forkedAt }).activeMs);
  const rows: readonly (readonly [string, string, string])[] = [
    [say.route, routes.here.map(nameOf).join(", "), routes.there.map(nameOf).join(", ")],
    [say.turns, number(a.turns), number(b.turns)],
    [say.tokens, tokens(a), tokens(b)],
    [say.cost, money(a.costUsd), money(b.costUsd)],
    [say.time, time(store), time(other)],
  ];
  return (
    <table>
      <thead>
        <tr>
          <th>{say.what}</th>
          <th>{say.here}</th>
          <th>{say.there}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, here, there]) => (
          <tr key={name} data-equal={here === there}>
            <th scope="row">{name}</th>
            {here === there ? (
              <td colSpan={2}>{here === "" ? say.equal : `${here} (${say.equal})`}</td>
            ) : (
              <>
                <td>{here}</td>
                <td>{there}</td>
              </>
            )}
          </tr>
        ))}
        <Texts here={store.viewAt("live").content} there={other.viewAt("live").content} />
      </tbody>
    </table>
  );
}

function Texts({ here, there }: { readonly here: string; readonly there: string }) {
  const { words } = useApp();
  const { compare: say } = words.runPage;
  return (
    <tr data-equal={here === there}>
      <th scope="row">{say.text}</th>
      {here === there ? (
        <td colSpan={2}>{say.equal}</td>
      ) : (
        <td colSpan={2}>
          <Diff before={there} after={here} />
        </td>
      )}
    </tr>
  );
}
