/**
 * Fork record: the log of a fork, written as that of a new run; recovery continues from there.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type ForkOrigin, LOCAL, type Owner, type Store } from "@baton/store";
import { runExistsError, ownerOf, runKey, sessionKey, toBatch, toSessionTitle } from "@baton/store/ports";
import type { CrewDefinitions } from "./crew-definitions.ts";
import { toQueuedRecord } from "../sessions/start-request.ts";
import { RunRecordBuilder } from "../log/run-record-builder.ts";

/** Owner of a fork, and the run that it was forked from. */
export interface ForkOptions extends Partial<Owner> {
  readonly from?: ForkOrigin;
  /** A new session, which has the run's history and the fork. Without it a fork is in none. */
  readonly session?: string | undefined;
}

/** The first event of a fork, with its owner; throws if the log does not begin with one. */
export function toForkStart(log: readonly RunEvent[], options: ForkOptions): RunEvent & EventBodyOf<"run.started"> {
  const { tenant = LOCAL.tenant, user = LOCAL.user, session } = options;
  const [beginning] = log;
  if (beginning?.type !== "run.started") throw new BatonError("invalid", "a fork begins with the beginning of its run");
  return { ...beginning, ...ownerOf({ tenant, user }), ...omitUndefined({ session }) };
}

/** Writes the log and the record of a fork; no crew runs after it. */
export async function writeFork(
  { store, definitions }: { readonly store: Store; readonly definitions: CrewDefinitions },
  like: Crew,
  options: ForkOptions & { readonly log: readonly RunEvent[] },
): Promise<void> {
  const { tenant = LOCAL.tenant, user = LOCAL.user, from, log, session } = options;
  const { after: _, ...crew } = like;
  const first = toForkStart(log, options);
  const events = [first, ...log.slice(1)];
  const { run: id } = first;
  const { database, lease, clock } = store;
  const definition = await definitions.keep(crew);
  const request = { id, owner: { tenant, user }, crew, beginning: first };
  const record = toQueuedRecord(request, { definition, now: clock.now(), waits: false });
  const tally = new RunRecordBuilder({ ...record, ...omitUndefined({ forkedFrom: from }) }, { isNew: true });
  for (const event of events) tally.add(event, event.lane, event.at);
  const batch = toBatch(
    id,
    1,
    events.map((event) => JSON.stringify(event)),
  );
  const now = clock.now();
  const claim = lease.next(session === undefined ? runKey(id) : sessionKey({ tenant, user }, session));
  const answer = findAnswer(events);
  const change = {
    claim,
    begins: true,
    ends: true,
    run: tally.record,
    creates: true,
    batch,
    ...omitUndefined({ answer }),
    ...(session === undefined
      ? {}
      : { session: { id: session, tenant, user, ...toTitle(first.input), createdAt: now, updatedAt: now } }),
  };
  const [lost] = await database.commit([change]);
  if (lost !== undefined) throw runExistsError(id);
}

function toTitle(input: string): { readonly title?: string } {
  return omitUndefined({ title: toSessionTitle(input) });
}

/** The last text of the run's own agents. */
export function findAnswer(events: readonly RunEvent[]): string | undefined {
  const last = events.findLast((event) => event.type === "turn.ended" && event.lane === "");
  return last?.type === "turn.ended" ? (last.content ?? last.text) : undefined;
}
