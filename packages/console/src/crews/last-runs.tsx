/**
 * Last runs: the newest runs of a crew.
 */
import { useApp } from "../app-context.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { statusMarkOf, StatusMark } from "../ui/status-mark.tsx";
import { useRequest } from "../loading/use-request.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";

const LIMIT = 10;

/** The last ten runs, each a link. */
export function LastRuns({ crew }: { readonly crew: string }) {
  const { client, words, format } = useApp();
  const { ago, exact } = format;
  const runs = useRequest(crew, () => client.runs({ crew, limit: LIMIT }));
  if (runs.state !== "ready") return null;
  return (
    <section className="crew-part">
      <h2>{words.runPage.crew.runs}</h2>
      {runs.value.runs.length === 0 && <p className="crew-quiet">{words.runPage.crew.noRuns}</p>}
      <ul className="crew-runs">
        {runs.value.runs.map(({ id, status, outcome, input, created_at: at }) => (
          <li key={id}>
            <PageLink to={{ page: "run", id }}>
              <StatusMark mark={statusMarkOf({ status, outcome })} />
              <span className="crew-input">{input}</span>
              <time dateTime={at} {...describedBy(exact(Date.parse(at)))}>
                {ago(Date.parse(at), Date.now())}
              </time>
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
