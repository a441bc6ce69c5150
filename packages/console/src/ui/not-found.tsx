/**
 * Not found: an address that leads nowhere.
 */
import { useApp } from "../app-context.ts";
import { Link } from "./link.tsx";

/** Says so, and leads to the runs. */
export function NotFound() {
  const { words } = useApp();
  return (
    <div className="empty">
      <h1>{words.states.notFound}</h1>
      <Link to={{ page: "runs" }}>{words.states.toRuns}</Link>
    </div>
  );
}
