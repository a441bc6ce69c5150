/**
 * Lab: rules tried on recorded runs. Every call that reached permission is decided with the log before it, as it happened.
 */
import type { Crew, Effect, Json, RunEvent } from "@baton/core";
import { toCrewPath } from "@baton/core/engine";
import { type EventBodyOf, type GuardedCall, type Ruled, RunGuards, toRuled } from "@baton/core/ports";
import { toGuard } from "./guard.ts";

export type PolicyVerdict = "allow" | "ask" | "deny";

/** A call and the verdicts about it: that of the log, and that of the rules. */
export type TriedCall = Readonly<{
  run: string;
  call: string;
  tool: string;
  args: Json;
  was: PolicyVerdict;
  now: PolicyVerdict;
  rules: readonly string[];
  message: string;
}>;

/** The result of trying rules. */
export interface PolicyTrial {
  readonly runs: number;
  /** Number of calls that reached permission, and of each verdict. */
  readonly calls: number;
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
  readonly changed: readonly TriedCall[];
  readonly verdicts: readonly TriedCall[];
}

/** Decides about the calls of runs by these rules; those of a crew's sub-crews hold in them as well. */
export function tryPolicies(policies: Json, events: readonly RunEvent[], crew?: Crew): PolicyTrial {
  const runs = Map.groupBy(events, ({ run }) => run);
  const verdicts = [...runs.values()].flatMap((own) => tryRun(policies, own, crew));
  const count = (verdict: PolicyVerdict) => verdicts.filter(({ now }) => now === verdict).length;
  const counts = { allow: count("allow"), ask: count("ask"), deny: count("deny") };
  const changed = verdicts.filter(({ was, now }) => was !== now);
  return { runs: runs.size, calls: verdicts.length, ...counts, changed, verdicts };
}

/** Everything a log says about one call. */
interface LoggedCall {
  agent: string;
  tool: string;
  args: Json;
  ruled?: Ruled;
  editRuled?: Ruled;
  hook?: Ruled;
  question?: EventBodyOf<"question.opened">;
  started?: EventBodyOf<"call.started">;
  ended?: EventBodyOf<"call.ended">;
  /** The event before which it was decided. */
  place?: RunEvent;
}

function tryRun(policies: Json, events: readonly RunEvent[], crew: Crew | undefined): readonly TriedCall[] {
  const calls = readCalls(events);
  const places = new Map<RunEvent, [string, LoggedCall]>();
  for (const [id, call] of calls) if (call.place !== undefined && hasReached(call)) places.set(call.place, [id, call]);
  const guards = new RunGuards([policies, ...(crew === undefined ? [] : policiesBelow(crew))], toGuard);
  const tried: TriedCall[] = [];
  for (const event of events) {
    const [id, call] = places.get(event) ?? [];
    if (id !== undefined && call !== undefined) {
      const own = guards.of([policies, ...policiesAlong(crew, event.lane)]);
      const ruled = toRuled(own, toGuarded(id, call, crew));
      const edited =
        call.started?.edited === true ? toRuled(own, { ...toGuarded(id, call, crew), ...toEdit(call) }) : undefined;
      const decisive = edited?.decision === "deny" ? edited : ruled;
      const { rules = [], reason = "" } = decisive ?? {};
      const { tool, args } = call;
      const [was, now] = [toLogged(call), toVerdict(call, decisive, crew)];
      tried.push({ run: event.run, call: id, tool, args, was, now, rules, message: reason });
    }
    guards.add(event);
  }
  return tried;
}

const toEdit = ({ started, args }: LoggedCall) => ({ args: started?.args ?? args, edited: true as const });

function policiesBelow({ subCrews }: Crew): readonly Json[] {
  return [...subCrews.values()].flatMap((sub) => [
    ...(sub.policies === undefined ? [] : [sub.policies]),
    ...policiesBelow(sub),
  ]);
}

/** Policies of the sub-crews that a lane is in. */
function policiesAlong(crew: Crew | undefined, lane: string): readonly Json[] {
  if (crew === undefined) return [];
  let inside: Crew | undefined = crew;
  return toCrewPath(lane, crew)
    .split("/")
    .flatMap((name) => {
      inside = inside?.subCrews.get(name);
      return inside?.policies ?? [];
    });
}

function readCalls(events: readonly RunEvent[]): ReadonlyMap<string, LoggedCall> {
  const calls = new Map<string, LoggedCall>();
  for (const event of events) {
    if (event.type === "step.ended") {
      for (const { id, tool, args } of event.calls) calls.set(id, { agent: event.agent, tool, args });
      continue;
    }
    if (!("call" in event) || event.call === undefined) continue;
    const known = calls.get(event.call);
    // Calls that code makes are in no reply.
    const call = known ?? toUnasked(event);
    if (call === undefined) continue;
    calls.set(event.call, call);
    note(call, event);
  }
  return calls;
}

function toUnasked(event: RunEvent): LoggedCall | undefined {
  if (event.type === "call.started") return { agent: event.agent, tool: event.tool, args: event.args };
  if (event.type !== "question.opened") return undefined;
  return { agent: event.agent, tool: event.tool ?? "", args: event.args ?? null };
}

function note(call: LoggedCall, event: RunEvent): void {
  if (event.type === "permission.decided") {
    if (event.rules === undefined) call.hook ??= event;
    else if (event.edited === true) call.editRuled = event;
    else call.ruled = event;
  }
  if (event.type === "question.opened" && event.kind === "approval") call.question = event;
  if (event.type === "call.started") call.started = event;
  if (event.type === "call.ended") call.ended = event;
  const isPlace = event === call.ruled || event === call.question || event === call.started;
  if (isPlace) call.place ??= event;
}

/** Whether a call was neither unknown nor unfit nor too many. */
function hasReached({ ruled, hook, question, ended }: LoggedCall): boolean {
  if ((ruled ?? hook ?? question) !== undefined || ended?.error === undefined || ended.attempts > 0) return true;
  return ended.error.kind !== "validation" && ended.error.kind !== "permanent";
}

function toGuarded(id: string, call: LoggedCall, crew: Crew | undefined): GuardedCall {
  const { tool, agent, args } = call;
  return { call: id, tool, agent, args, effect: effectOf(call, crew) };
}

function effectOf({ started, question, tool }: LoggedCall, crew: Crew | undefined): Effect {
  return started?.effect ?? question?.effect ?? crew?.tools.get(tool)?.effect ?? "read";
}

/** The verdict of the log. */
function toLogged({ ruled, editRuled, question, ended }: LoggedCall): PolicyVerdict {
  if (ruled?.decision === "deny" || editRuled?.decision === "deny") return "deny";
  if (question !== undefined) return "ask";
  return ended?.error?.kind === "permission" && ended.attempts === 0 ? "deny" : "allow";
}

/** The verdict of the log as it would be without rules. */
function toUnruled(call: LoggedCall, crew: Crew | undefined): PolicyVerdict {
  const { ruled, hook, tool } = call;
  if (ruled === undefined) return toLogged(call);
  if (hook?.decision === "deny") return "deny";
  const rule = crew?.permissions.get(tool) ?? crew?.permissions.get("*");
  if (rule === "deny" || rule === "allow") return rule;
  const isAsked = rule !== undefined || hook?.decision.startsWith("ask") === true;
  return isAsked || (hook === undefined && effectOf(call, crew) === "irreversible") ? "ask" : "allow";
}

function toVerdict(call: LoggedCall, ruled: Ruled | undefined, crew: Crew | undefined): PolicyVerdict {
  const without = toUnruled(call, crew);
  if (ruled === undefined || without === "deny") return without;
  if (ruled.decision === "deny") return "deny";
  if (ruled.decision !== "allow") return "ask";
  const rule = crew?.permissions.get(call.tool) ?? crew?.permissions.get("*");
  const isDefault = rule === undefined && call.hook === undefined && effectOf(call, crew) === "irreversible";
  return without === "ask" && isDefault ? "allow" : without;
}
