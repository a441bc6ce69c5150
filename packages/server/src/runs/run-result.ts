/**
 * Run result: the result of a run at its pause or end, rebuilt from its log: the same that a waiting client got.
 */
import { fold, type RunResult } from "@baton/core";
import { toResult } from "@baton/core/engine";
import { readAll, type RunRecord } from "@baton/store";
import type { Service } from "../service.ts";
import { LogPage } from "../streams/log-page.ts";

/** The result of a run that is paused or has ended; undefined for any other. Of one that has ended without history. */
export async function findResult({ store }: Service, { id, status }: RunRecord): Promise<RunResult | undefined> {
  if (status === "ended") {
    const length = await store.database.logs.length(id);
    // Its last event says it all.
    const last = new LogPage(length - 1, await store.lines(id, length - 1)).event(length);
    if (last.type !== "run.ended") return undefined;
    const { agent: holder, text, content = text } = last;
    return toResult({ ...last, holder, content, questions: new Map(), history: [] });
  }
  if (status !== "paused") return undefined;
  const view = fold(await readAll(store.database, id));
  // It may have been answered meanwhile.
  return view.status === "paused" ? toResult(view) : undefined;
}
