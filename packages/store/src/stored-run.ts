/**
 * Stored run: a run that is not at work in this process, as a handle like any other.
 */
import { BatonError, type Command, type Commanded, fold, Follower, type Run, type RunResult } from "@baton/core";
import type { RunRecord } from "./database.ts";
import { openReader, readAll } from "./reader.ts";
import type { Store } from "./store.ts";

/** Reads a run from where it is stored; its events end at its next pause or end. */
export async function toStoredRun(
  store: Store,
  { id, status }: RunRecord,
  command: (command: Command) => Promise<Commanded>,
): Promise<Run> {
  const log = await openReader(store.database, id);
  const since = status === "ended" ? Infinity : status === "paused" ? log.length - 1 : log.length;
  const follow = (after: number) =>
    new Follower(log, after, ({ type, seq }) => type === "run.ended" || (type === "run.paused" && seq > since));
  return {
    id,
    get outcome() {
      return toOutcome(store, id, () => follow(since));
    },
    events: (after = 0) => follow(after),
    command,
  };
}

async function toOutcome(store: Store, id: string, rest: () => AsyncIterable<unknown>): Promise<RunResult> {
  const { status } = fold(await readAll(store.database, id));
  if (status === "running") for await (const _ of rest());
  const { outcome, agent, text, error, receipt, questions, history } = fold(await readAll(store.database, id));
  if (outcome === undefined) throw new BatonError("internal", `run ${id} has no outcome`);
  return {
    outcome,
    agent,
    content: text,
    raw: text,
    ...(error === undefined ? {} : { error }),
    ...(receipt === undefined ? {} : { receipt }),
    questions: [...questions.values()],
    history,
  };
}
