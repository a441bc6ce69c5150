/**
 * Skeleton: rows in place of what is being loaded. Nothing is seen of it for 200 ms.
 */
import { useApp } from "../app-context.ts";
import "./skeleton.css";

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

/** Stands for a page or a list. */
export function Skeleton() {
  const { words } = useApp();
  return (
    <div className="skeleton" role="status" aria-label={words.states.loading}>
      {ROWS.map((row) => (
        <i key={row} />
      ))}
    </div>
  );
}
