/**
 * Chaos verdict: what a fault did to a conversation, by its logs and by the uses of models and tools in each life.
 */
import type { RunEvent } from "@baton/core";
import { toCanonicalJson } from "@baton/core/util";
import { toScoredRun } from "../scored-run.ts";
import type { ConversationLogs } from "./chaos-plan.ts";
import type { Use } from "./faulty-parts.ts";

/** `lost`, `repeated` and `stuck` are defects. */
export type ChaosResult = "same" | "asked" | "degraded" | "lost" | "repeated" | "stuck";

/** A conversation as it is compared. */
export interface SeenConversation {
  readonly logs: ConversationLogs;
  /** Uses of models and tools, of each life. */
  readonly lives: readonly (readonly Use[])[];
  /** The logs when the first process was killed. */
  readonly atKill?: ConversationLogs;
}

/** Says what became of a conversation, in comparison with the one that had no fault. */
export function toVerdict(
  base: ConversationLogs,
  seen: SeenConversation,
): Readonly<{ result: ChaosResult; why: string }> {
  const again = findRepeated(seen);
  if (again !== undefined) return { result: "repeated", why: `${again} was executed twice` };
  const gone = findLost(seen);
  if (gone !== undefined) return { result: "lost", why: gone };
  if (isSame(base, seen.logs)) return { result: "same", why: "" };
  const question = findDoubt(seen.logs);
  if (question !== undefined) return { result: "asked", why: question };
  const reason = findReason(base, seen.logs);
  if (reason !== undefined) return { result: "degraded", why: reason };
  return { result: "lost", why: "it ended otherwise, and nothing says why" };
}

/** A call with an effect that cannot be taken back, and that was executed more than once. */
function findRepeated({ lives }: SeenConversation): string | undefined {
  const keys = lives.flat().flatMap(({ key, effect }) => (effect === "irreversible" ? (key ?? []) : []));
  return keys.find((key, at) => keys.indexOf(key) !== at);
}

/** Work that was finished when the process died, and is gone or was done again. */
function findLost({ logs, lives, atKill = [] }: SeenConversation): string | undefined {
  const [, ...later] = lives;
  const again = new Set(later.flat().flatMap(({ key }) => key ?? []));
  for (const log of atKill) {
    const own = logs.find(([first]) => first?.run === log[0]?.run) ?? [];
    const changed = log.find((event, at) => JSON.stringify(event) !== JSON.stringify(own[at]));
    if (changed !== undefined) return `event ${changed.seq} (${changed.type}) of ${changed.run} is gone`;
    const redone = log.find((event) => event.type === "call.ended" && again.has(`${event.run}/${event.call}`));
    if (redone !== undefined) return `the finished call of event ${redone.seq} was executed again`;
  }
  const asked = later.flat().filter(({ is }) => is === "model").length;
  const known = new Set(atKill.flat().map(({ run, seq }) => `${run} ${seq}`));
  const isNew = ({ run, seq }: RunEvent) => !known.has(`${run} ${seq}`);
  const programs = new Set(
    logs
      .flat()
      .flatMap((event) =>
        event.type === "step.started" && event.model.startsWith("code/") ? `${event.run} ${event.step}` : [],
      ),
  );
  const isReply = (event: RunEvent) =>
    (event.type === "step.ended" || event.type === "step.retried") && !programs.has(`${event.run} ${event.step}`);
  const needed = logs.flat().filter((event) => isNew(event) && isReply(event)).length;
  return asked > needed ? `models were asked ${asked} times for ${needed} replies` : undefined;
}

/** Outcome, answer and calls of every run. */
function isSame(base: ConversationLogs, logs: ConversationLogs): boolean {
  const [one, other] = [base, logs].map((all) => toCanonicalJson(all.map(toComparable).toSorted(byRun)));
  return one === other;
}

type Comparable = Readonly<{ run: string; outcome: string; text: string; calls: readonly string[] }>;

const byRun = (one: Comparable, other: Comparable): number => (one.run < other.run ? -1 : 1);

function toComparable(log: readonly RunEvent[]): Comparable {
  const { outcome, text, calls } = toScoredRun(log);
  const shown = calls.map(({ call, tool, args, error }) => toCanonicalJson([call, tool, args, error === undefined]));
  return { run: log[0]?.run ?? "", outcome, text, calls: shown.toSorted() };
}

function findDoubt(logs: ConversationLogs): string | undefined {
  const closed = new Set(
    logs
      .flat()
      .flatMap((event) =>
        event.type === "question.answered" || event.type === "question.closed" ? `${event.run} ${event.question}` : [],
      ),
  );
  return logs
    .flat()
    .flatMap((event) =>
      event.type === "question.opened" && event.kind === "doubt" && !closed.has(`${event.run} ${event.question}`)
        ? event.text
        : [],
    )[0];
}

/** An error of the run or of a call that the first conversation did not have. */
function findReason(base: ConversationLogs, logs: ConversationLogs): string | undefined {
  const reasons = (all: ConversationLogs) =>
    all.flat().flatMap((event) => {
      const isEnd = event.type === "run.ended" || event.type === "call.ended" || event.type === "turn.ended";
      if (event.type === "run.ended" && event.outcome === "cancelled") return "it was cancelled";
      return isEnd && event.error !== undefined ? event.error.message : [];
    });
  const known = new Set(reasons(base));
  return reasons(logs).find((reason) => !known.has(reason));
}

/** The last thing that the user saw: an answer, a question, or an error. */
export function toUserSaw(logs: ConversationLogs): string {
  const log = logs.findLast(([first]) => first?.type === "run.started" && first.afterOf === undefined) ?? [];
  const last = log.at(-1);
  if (last === undefined) return "";
  const asked = log.findLast((event) => event.type === "question.opened");
  if (last.type === "run.paused" && asked !== undefined) return asked.text;
  if (last.type === "run.ended" && last.error !== undefined) return last.error.message;
  return toScoredRun(log).text;
}
