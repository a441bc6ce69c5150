/**
 * Crews page: the crews that are served.
 */
import type { CrewInfo } from "@baton/client";
import { useApp } from "../app-context.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { LoadFailure } from "../loading/load-failure.tsx";
import { Skeleton } from "../loading/skeleton.tsx";
import { useTitle } from "../navigation/use-title.ts";
import { useCrewChanges } from "../feed/feed-context.tsx";
import { useRepeatedRequest } from "../loading/use-repeated-request.ts";
import { useState } from "react";
import "./crews.css";

/** Lists the crews. */
export function CrewsPage() {
  const { client, words } = useApp();
  const changes = useCrewChanges();
  const [tries, setTries] = useState(0);
  useTitle([words.pages.crews]);
  const crews = useRepeatedRequest({ key: "crews", round: `${changes} ${tries}` }, () => client.crews());
  return (
    <div className="crews">
      <h1>{words.pages.crews}</h1>
      <p className="crews-lead">{words.lists.crews.lead}</p>
      {crews.state === "loading" && <Skeleton />}
      {crews.state === "failed" && <LoadFailure error={crews.error} onTry={() => setTries((now) => now + 1)} />}
      {crews.state === "ready" && <CrewRows crews={crews.value} />}
    </div>
  );
}

function CrewRows({ crews }: { readonly crews: readonly CrewInfo[] }) {
  const { words } = useApp();
  return (
    <>
      {crews.length === 0 && <p className="crew-quiet">{words.runPage.crew.noCrews}</p>}
      <ul>
        {crews.map(({ id, description, agents, kind }) => (
          <li key={id}>
            <PageLink to={{ page: "crew", id }} className="crew-row">
              <strong>{id}</strong>
              <span>{description}</span>
              <small>{`${words.run.agents(agents.length)} · ${words.runPage.crew.tags[kind]}`}</small>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  );
}
