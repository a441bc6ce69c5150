/**
 * Run result: the result of a run at its pause or end, rebuilt from its log: the same that a waiting client got.
 */
import { fold, type RunResult } from "@baton/core";
import { toResult } from "@baton/core/engine";
import { readAll, type RunRecord } from "@baton/store";
import type { Service } from "../service.ts";

/** The result of a run that is paused or has ended; undefined for any other. */
export async function findResult({ store }: Service, { id, status }: RunRecord): Promise<RunResult | undefined> {
  if (status !== "paused" && status !== "ended") return undefined;
  const view = fold(await readAll(store.database, id));
  // It may have been answered meanwhile.
  return view.status === status ? toResult(view) : undefined;
}
