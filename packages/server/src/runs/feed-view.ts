/**
 * Feed view: a run and a crew as the feed sends them.
 */
import type { RunRecord } from "@baton/store";
import type { ServedCrew } from "../options.ts";
import { type RunViewing, toRunView } from "./run-view.ts";

/** A run as in lists, without what its caller said about it, which may be long. */
export function toFeedView(viewing: RunViewing, record: RunRecord): object {
  const { options: _, ...view } = toRunView(viewing, record);
  return view;
}

/** A crew: what it is called, and how many defects a check of it finds. */
export function toFeedCrew({ id, crew, findings }: ServedCrew): object {
  const count = (kind: "error" | "warning") => findings.filter(({ severity }) => severity === kind).length;
  return { id, name: crew.name, errors: count("error"), warnings: count("warning") };
}
