/**
 * Crews page: the crews that are served.
 */
import { useApp } from "../app-context.ts";
import { Link } from "../ui/link.tsx";
import { useLoaded } from "../use-loaded.ts";
import "./crews.css";

/** Lists the crews. */
export function CrewsPage() {
  const { client, words } = useApp();
  const crews = useLoaded("crews", () => client.crews());
  if (crews.state === "failed") return <p className="crews">{crews.error.message}</p>;
  if (crews.state !== "ready") return <div className="crew-skeleton" role="status" aria-label={words.states.loading} />;
  return (
    <div className="crews">
      <h1>{words.pages.crews}</h1>
      {crews.value.length === 0 && <p className="crew-quiet">{words.runPage.crew.noCrews}</p>}
      <ul>
        {crews.value.map(({ id, description, agents, kind }) => (
          <li key={id}>
            <Link to={{ page: "crew", id }} className="crew-row">
              <strong>{id}</strong>
              <span>{description}</span>
              <small>{`${words.run.agents(agents.length)} · ${words.runPage.crew.tags[kind]}`}</small>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
