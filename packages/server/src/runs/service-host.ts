/**
 * Service host: what a mounted service may do with the runs of a server, for users that it knows by other means than keys.
 */
import { BatonError, type Command } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { rephraseFork, toFork, toForkCrew } from "@baton/durable/replay";
import type { DurableStart } from "@baton/durable";
import { readAll, requestKey } from "@baton/store";
import { HISTORY } from "../gateway/input/text.ts";
import type { DialectContext } from "../dialects/dialect.ts";
import { SpokenText } from "../dialects/openai/spoken-text.ts";
import type { FollowedEvent, ServiceHost, ServiceStart } from "../mount.ts";
import { dialectContextOf } from "./segment-answer.ts";
import type { Service } from "../service.ts";

/** Time for which the key of a start is known. */
const KEEP_MS = 48 * 60 * 60 * 1_000;

/** The host of one service. */
export function openServiceHost(service: Service, name: string): ServiceHost {
  const { store, engine, crews, observer } = service;
  const { clock, database } = store;
  return {
    store,
    clock,
    logger: observer.logger,
    crews: () => crews.all,
    start: (asked) => startOnce(service, asked),
    command: async (run, command: Command) => (await engine.command(run, command)).receipt,
    async fork(run, { seq, input, session }) {
      service.admission.check();
      const record = await database.runs.find(run);
      const events = await readAll(database, run);
      if (record === undefined || events.length === 0) throw new BatonError("not_found", `there is no run ${run}`);
      const id = engine.newId();
      const log = input === undefined ? toFork(events, seq, id) : rephraseFork(events, seq, { id, input });
      const like = toForkCrew(await crews.restore(database, record));
      const { tenant, user } = record;
      await engine.fork(like, log, { tenant, user, session, from: { run, seq } });
      return id;
    },
    follow: (run, abort) => follow(service, run, abort),
    async lease(key) {
      const claim = await store.lease.claim(`service:${name}:${key}`);
      return claim && (() => store.lease.release(claim));
    },
  };
}

/** Starts a run, once for each key. */
async function startOnce(service: Service, asked: ServiceStart): Promise<string> {
  const { store, crews, engine, admission } = service;
  const { key, crew, tenant, user, after, ...start } = asked;
  const served = crews.get(crew);
  const name = requestKey({ tenant, user }, key);
  const findBegun = async () => (await store.database.requests.find(name))?.begun?.run;
  const known = await findBegun();
  if (known !== undefined) return known;
  const claim = await store.lease.claim(name);
  if (claim === undefined) throw new BatonError("busy", `the start ${key} is under way elsewhere`, { retryable: true });
  try {
    const begun = await findBegun();
    if (begun !== undefined) return begun;
    const request = { key: name, fingerprint: "", keptUntil: store.clock.now() + KEEP_MS };
    if (!(await store.write({ claim, request }))) throw new BatonError("busy", "the start was claimed elsewhere");
    const id = engine.newId();
    using _entry = admission.enter(id);
    const history = after === undefined ? undefined : await readHistory(service, after);
    const more = omitUndefined({ ...start, history });
    const options = { ...more, input: start.input, id, tenant, user, once: { claim, request } };
    return (await engine.start(served.crew, options)).id;
  } catch (error) {
    const begun = await findBegun();
    if (begun === undefined) throw error;
    return begun;
  } finally {
    await store.lease.release(claim).catch(() => undefined);
  }
}

/** The conversation of a run's session up to its end. */
async function readHistory({ store: { database } }: Service, run: string): Promise<DurableStart["history"]> {
  const record = await database.runs.find(run);
  if (record?.session === undefined) throw new BatonError("not_found", `run ${run} is in no session`);
  const said = await database.sessions.conversation(record, record.session);
  const upTo = said.findIndex((one) => one.run === run);
  if (upTo < 0) throw new BatonError("not_found", `run ${run} said nothing in its session`);
  const messages = said.slice(0, upTo + 1).flatMap((one) => one.messages);
  // Calls and their results stay in the log of their run: a new one begins with what was said.
  return messages.flatMap((message) => HISTORY.safeParse([JSON.parse(message)]).data ?? []);
}

/** The events of a run to its end, each with what was said in its segment so far. */
async function* follow(service: Service, run: string, abort: AbortSignal): AsyncGenerator<FollowedEvent, void> {
  const { store } = service;
  const record = await store.database.runs.find(run);
  if (record === undefined) return;
  const context = await dialectContextOf(service, record, undefined);
  const spoken = new SpokenText(context);
  const tell = trackExtras(service, context);
  const events = store.follow(run, 0, ({ type }) => type === "run.ended");
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  abort.addEventListener("abort", stop);
  try {
    while (!abort.aborted) {
      const next = await Promise.race([events.next(), aborted]);
      if (next === undefined || next.done === true) return;
      spoken.add(next.value);
      yield { event: next.value, text: () => spoken.text, extras: tell(next.value) };
    }
  } finally {
    abort.removeEventListener("abort", stop);
  }
}

const CHAT = "chat";

/** Reads events with the crew's own chat dialect, if it has one. */
function trackExtras(
  { dialects }: Service,
  context: DialectContext,
): (event: FollowedEvent["event"]) => FollowedEvent["extras"] {
  const dialect = dialects.names.includes(CHAT) ? dialects.get(CHAT) : undefined;
  const isOwn = dialect?.crew === undefined || dialect.crew === context.model;
  if (dialect?.toExtras === undefined || !isOwn) return () => () => undefined;
  let state = dialect.start(context);
  return (event) => {
    [state] = dialect.next(state, event);
    const ended = state;
    return (language) => dialect.toExtras?.(ended, language);
  };
}
