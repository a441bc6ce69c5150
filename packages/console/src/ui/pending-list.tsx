/**
 * Pending list: what was said to a run that has not read it yet, as messages of the user that wait.
 */
import { Clock } from "lucide-react";
import { useApp } from "../app-context.ts";
import type { PendingSay } from "../store/pending-says.ts";
import "./pending-list.css";

/** The messages, each with what will become of it. */
export function PendingList({ pending }: { readonly pending: readonly PendingSay[] }) {
  const { words } = useApp();
  return pending.map(({ id, text, state }) => (
    <div key={id} className={`pending-say ${state}`}>
      <p>{text}</p>
      <small>
        <Clock size={12} aria-hidden />
        {words.runPage.pendingSay[state]}
      </small>
    </div>
  ));
}
