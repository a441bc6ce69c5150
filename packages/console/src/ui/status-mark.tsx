/**
 * Status mark: how a run is doing, as an icon and a word; never as a colour alone.
 */
import { Ban, CircleCheck, CircleDashed, CirclePause, CircleX, Gauge, LoaderCircle } from "lucide-react";
import { useApp } from "../app-context.ts";
import "./status-mark.css";

/** The mark of a run: its status, or once it has ended its outcome. */
export type RunMark = "queued" | "running" | "paused" | "done" | "limit" | "cancelled" | "failed";

const ICONS = {
  queued: CircleDashed,
  running: LoaderCircle,
  paused: CirclePause,
  done: CircleCheck,
  limit: Gauge,
  cancelled: Ban,
  failed: CircleX,
} as const satisfies Record<RunMark, unknown>;

/** The mark of a run by its status and outcome. */
export function statusMarkOf({
  status,
  outcome,
}: {
  readonly status: string;
  readonly outcome?: string | undefined;
}): RunMark {
  const name = status === "ended" ? outcome : status;
  const marks: readonly RunMark[] = ["queued", "running", "paused", "done", "limit", "cancelled", "failed"];
  return marks.find((mark) => mark === name) ?? "running";
}

/** Icon and word. */
export function StatusMark({ mark }: { readonly mark: RunMark }) {
  const { words } = useApp();
  const Icon = ICONS[mark];
  return (
    <span className={`status-mark ${mark}`}>
      <Icon size={14} strokeWidth={2} aria-hidden />
      {words.status[mark]}
    </span>
  );
}
