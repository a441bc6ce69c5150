/**
 * Not found: an address that leads nowhere.
 */
import { SearchX } from "lucide-react";
import { useApp } from "../app-context.ts";
import { Link } from "./link.tsx";
import { useTitle } from "./use-title.ts";
import "./failed.css";

/** Says so, and leads to the runs. */
export function NotFound() {
  const { words } = useApp();
  useTitle([words.states.notFound]);
  return (
    <div className="failed-part failed-page">
      <SearchX size={28} strokeWidth={1.5} aria-hidden />
      <h1>{words.states.notFound}</h1>
      <p>{words.lists.failed.address}</p>
      <div className="failed-ways">
        <Link to={{ page: "runs" }}>{words.states.toRuns}</Link>
        <Link to={{ page: "chat" }}>{words.conversations.new}</Link>
      </div>
    </div>
  );
}
