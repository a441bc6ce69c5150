/**
 * Wait: a suspended call, from its suspension until its tool runs again, or gives back what it holds.
 */
import type { Kept } from "./call-context.ts";
import { type Failure, failure, toMessage } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import type { SuspendedCall } from "../ports/host.ts";
import type { Lane } from "./lane.ts";
import type { CallRequest } from "../words/message.ts";
import type { Role } from "./plan.ts";
import { Scope } from "../lifetimes/scope.ts";

/** A call, and the agent that makes it. */
type Calling = Readonly<{ role: Role; request: CallRequest }>;

/** Time for a tool to give back what a suspended call holds. */
const RELEASE_MS = 2_000;

/** A suspended call, its scope, and whether it may still be made. */
type Waiting = Readonly<{ suspended: SuspendedCall; scope: Scope; mayRun: boolean }>;

/** Waits for the answers to a call's questions, or for its time; `waiting` if people must answer first. */
export async function waitFor({ host }: Lane, waiting: Waiting): Promise<Kept | Failure | "waiting"> {
  const { suspended, scope, mayRun } = waiting;
  const { fact, at } = suspended;
  const { keep, afterMs, questions, tool } = fact;
  // A call that may not be made any more waits for nothing: its questions are closed.
  const untilAt = mayRun ? afterMs && at + afterMs : at;
  const settled = await host.rest({ scope, questions: toQuestions(fact), untilAt });
  if (settled.includes("waiting")) return "waiting";
  if (untilAt === undefined && settled.includes("closed")) {
    return failure("cancelled", `${tool} was cancelled before its questions were answered`);
  }
  const given = questions.flatMap(({ name }, place) => {
    const answer = settled[place];
    return typeof answer === "object" ? [[name, answer.value] as const] : [];
  });
  return { kept: keep, answers: Object.fromEntries(given) };
}

/** Lets a tool give back what a call keeps that will not run again; nobody but the run's readers hears of a failure. */
export async function releaseKept(
  { host }: Lane,
  { role, request: { id: call, tool: name } }: Calling,
  { keep }: EventBodyOf<"call.suspended">,
): Promise<void> {
  const tool = role.tools.get(name);
  // A run that is left goes on elsewhere, and the call with it.
  if (tool?.release === undefined || host.scope.reason?.code === "closed") return;
  const root = Scope.root({ clock: host.scope.clock, name: "release" });
  const scope = root.child({ name, timeoutMs: RELEASE_MS });
  try {
    await host.during(() => scope.only(() => tool.release?.(keep, { key: `${host.run}/${call}` })));
  } catch (thrown) {
    const text = `${name}: its release failed: ${toMessage(thrown)}`;
    host.emit({ type: "warning.raised", agent: role.agent.id, text, of: call });
  }
}

/** The questions that a suspended call opens. */
function toQuestions({
  call,
  agent,
  tool,
  questions,
}: EventBodyOf<"call.suspended">): readonly EventBodyOf<"question.opened">[] {
  return questions.map(({ name, kind, text, schema, ...rest }) => ({
    type: "question.opened",
    question: `${call}/${name}`,
    kind,
    agent,
    text,
    call,
    tool,
    schema,
    ...rest,
  }));
}
