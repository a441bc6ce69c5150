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
  if (crews.state !== "ready") return null;
  return (
    <div className="crews">
      <h1>{words.pages.crews}</h1>
      <ul>
        {crews.value.map(({ id, description, agents, kind }) => (
          <li key={id}>
            <Link to={{ page: "crew", id }} className="crew-row">
              <strong>{id}</strong>
              <span>{description}</span>
              <small>{`${words.run.agents(agents.length)} · ${kind}`}</small>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
