/**
 * Call view: one call of a tool as clients see it, from the run's log.
 *
 * The log is read once, and only the lines that name the call are parsed.
 */
import type { RunEvent } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { parseEvent, type RunRecord, type Store } from "@baton/store";
import { z } from "zod";
import { ID } from "../gateway/input/text.ts";
import { FAILURE } from "./run-view.ts";

/** One call. */
export const CALL = z
  .object({
    run: ID,
    call: z.string(),
    agent: z.string(),
    tool: z.string(),
    effect: z.enum(["read", "idempotent", "irreversible"]),
    status: z.enum(["waiting", "running", "ended"]).meta({ description: "`waiting`: for an answer to its question" }),
    args: z.unknown().meta({ description: "As the model wrote them, or as a person changed them" }),
    edited: z.literal(true).optional().meta({ description: "A person changed the arguments" }),
    decision: z
      .looseObject({ decision: z.string(), reason: z.string().optional(), args: z.unknown().optional() })
      .optional()
      .meta({
        description:
          "The decision of the tool's own permission hook; `args` are the arguments that replaced the model's",
      }),
    output: z.unknown().optional().meta({ description: "Whole; absent on failure" }),
    error: FAILURE.optional(),
    attempts: z.int(),
    retries: z.array(
      z.object({ attempt: z.int(), at: z.iso.datetime(), delay_ms: z.number(), error: FAILURE }).meta({
        description: "The retries: number of the next attempt, time, delay and reason",
      }),
    ),
    started_at: z.iso.datetime().meta({ description: "While it waits for its approval: when that was asked for" }),
    ended_at: z.iso.datetime().optional(),
    duration_ms: z.number().optional(),
  })
  .meta({ id: "Call" });

type CallView = z.infer<typeof CALL>;

/** A call so far, the decision about it, and which of its questions are open. */
interface Draft {
  readonly view?: CallView;
  readonly decision?: CallView["decision"];
  readonly open: ReadonlySet<string>;
}

/** The call at this position of a run; undefined if the run has not made one there. */
export async function findCall(store: Store, { id, status }: RunRecord, call: string): Promise<CallView | undefined> {
  // A question of a call is named by it, perhaps with more behind it.
  const named = JSON.stringify(call).slice(0, -1);
  let draft: Draft = { open: new Set() };
  let after = 0;
  for (;;) {
    const lines = await store.lines(id, after);
    if (lines.length === 0) break;
    after += lines.length;
    for (const line of lines) if (line.includes(named)) draft = addEvent(draft, parseEvent(line), call);
  }
  const { view, decision } = draft;
  if (view === undefined) return undefined;
  // What an ended run left behind is over too, though nothing was written of its end.
  return { ...view, ...(status === "ended" ? { status } : {}), ...omitUndefined({ decision }) };
}

function addEvent(draft: Draft, event: RunEvent, call: string): Draft {
  if (event.type === "question.answered" || event.type === "question.closed") return addAnswer(draft, event.question);
  if (!("call" in event) || event.call !== call) return draft;
  switch (event.type) {
    case "call.started":
      return { ...draft, view: toStarted(event) };
    case "question.opened": {
      const view = { ...(draft.view ?? toAsked(event, call)), status: "waiting", attempts: 0 } as const;
      return { ...draft, view, open: new Set([...draft.open, event.question]) };
    }
    case "permission.decided": {
      const { decision, reason, args } = event;
      return { ...draft, decision: { decision, ...omitUndefined({ reason, args }) } };
    }
    default:
      return draft.view === undefined ? draft : { ...draft, view: addFact(draft.view, event) };
  }
}

function addFact(view: CallView, event: RunEvent): CallView {
  if (event.type === "call.retried") {
    const { attempt, at, delayMs, error } = event;
    const retry = { attempt, at: toTime(at), delay_ms: delayMs, error: { ...error } };
    return { ...view, attempts: attempt, retries: [...view.retries, retry] };
  }
  if (event.type === "call.ended") {
    const { at, attempts, output, error } = event;
    const times = { ended_at: toTime(at), duration_ms: Math.max(0, at - Date.parse(view.started_at)) };
    const outcome = error === undefined ? { output: output ?? null } : { error: { ...error } };
    return { ...view, ...outcome, ...times, status: "ended", attempts };
  }
  return view;
}

/** The call continues with the last answer, or without one. */
function addAnswer(draft: Draft, question: string): Draft {
  const open = new Set([...draft.open].filter((id) => id !== question));
  if (draft.view === undefined || open.size === draft.open.size || open.size > 0) return { ...draft, open };
  return { ...draft, view: { ...draft.view, status: "running", attempts: 1 }, open };
}

function toStarted(event: Extract<RunEvent, { type: "call.started" }>): CallView {
  const { run, call, agent, tool, effect, args, edited, at } = event;
  const about = { run, call, agent, tool, effect, status: "running", args, ...omitUndefined({ edited }) } as const;
  return { ...about, attempts: 1, retries: [], started_at: toTime(at) };
}

/** A call that waits for its approval has not started. */
function toAsked(event: Extract<RunEvent, { type: "question.opened" }>, call: string): CallView {
  const { run, agent, tool = "", args = null, effect = "read", at } = event;
  const about = { run, call, agent, tool, effect, status: "waiting", args } as const;
  return { ...about, attempts: 0, retries: [], started_at: toTime(at) };
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
