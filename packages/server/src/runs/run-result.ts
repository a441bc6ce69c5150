/**
 * Run result: how a run came to its pause or end, as its log tells it: the same that whoever waited for it was given.
 */
import { compileSignals, type Crew, fold, type RunResult } from "@baton/core";
import { readAll, type RunRecord } from "@baton/store";
import type { Service } from "../service.ts";
import { Page } from "../streams/page.ts";

/** What a run that is not at work came to. */
type StoredResult = Omit<RunResult, "history" | "receipt">;

/** The result of a run that is paused or has ended; undefined for any other. */
export async function findResult(service: Service, record: RunRecord): Promise<StoredResult | undefined> {
  if (record.status === "ended") return findEnd(service, record.id);
  return record.status === "paused" ? findPause(service, record) : undefined;
}

/** The last event of a run that has ended says it all. */
async function findEnd({ store }: Service, id: string): Promise<StoredResult | undefined> {
  const length = await store.database.length(id);
  const page = new Page(length - 1, await store.lines(id, length - 1));
  const last = page.event(length);
  if (last.type !== "run.ended") return undefined;
  const { outcome, agent, text, content = text, error } = last;
  return { outcome, agent, content, raw: text, ...(error === undefined ? {} : { error }), questions: [] };
}

async function findPause({ store, crews }: Service, record: RunRecord): Promise<StoredResult | undefined> {
  const events = await readAll(store.database, record.id);
  const pause = events.findLast((event) => event.type === "run.paused");
  const { status, text, questions } = fold(events);
  // Somebody may have answered meanwhile.
  if (status !== "paused" || pause === undefined) return undefined;
  const { agent } = pause;
  const content = strip(await crews.restore(store.database, record), agent, text);
  return { outcome: "paused", agent, content, raw: text, questions: [...questions.values()] };
}

function strip({ signals }: Crew, agent: string, text: string): string {
  return compileSignals((signals.get(agent) ?? []).map(({ signal }) => signal)).strip(text);
}
