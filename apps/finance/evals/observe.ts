/**
 * Observe: reads from the events of a run what an assistant did with a question.
 */
import type { Json, RunEvent } from "@baton/core";
import { z } from "zod";
import { type CallStatus, FIGURES, type EvaluatedRun, OBSERVED_INTENT, type ObservedCall } from "./observed.ts";

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

const ofType = <Type extends RunEvent["type"]>(events: readonly RunEvent[], type: Type): readonly EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);

const CHART = z.looseObject({ type: z.string() });
const ARGS = z.record(z.string(), z.json());

/** Reads the intent, the calls and the answer from the events of a run. */
export function observe(events: readonly RunEvent[]): EvaluatedRun {
  const ended = ofType(events, "run.ended").at(-1);
  const notes = ofType(events, "note.made");
  const intent = lastOf(notes, "intent", OBSERVED_INTENT);
  const figures = lastOf(notes, "figures", FIGURES);
  const shown = ofType(events, "text.delta").find(({ agent }) => isForUser(agent, events));
  const startedAt = events[0]?.at ?? 0;
  return {
    outcome: ended?.outcome ?? "paused",
    ...(intent === undefined ? {} : { intent }),
    calls: toCalls(events),
    charts: notes.flatMap(({ kind, data }) => (kind === "chart" ? [CHART.parse(data).type] : [])),
    ...(figures === undefined ? {} : { figures }),
    text: ended?.content ?? ended?.text ?? "",
    warnings: ofType(events, "warning.raised").map(({ text }) => text),
    restarts: ofType(events, "step.retried").length,
    ...toUsage(events),
    ...(shown === undefined ? {} : { firstDeltaMs: shown.at - startedAt }),
    doneMs: (events.at(-1)?.at ?? startedAt) - startedAt,
  };
}

function lastOf<T>(notes: readonly EventOf<"note.made">[], kind: string, schema: z.ZodType<T>): T | undefined {
  const note = notes.findLast((one) => one.kind === kind);
  return note === undefined ? undefined : schema.parse(note.data);
}

function isForUser(agent: string, events: readonly RunEvent[]): boolean {
  return ofType(events, "turn.started").some((turn) => turn.agent === agent && turn.audience === undefined);
}

/** Loads of the context are not calls of the answer. */
function toCalls(events: readonly RunEvent[]): readonly ObservedCall[] {
  const ended = new Map(ofType(events, "call.ended").map((event) => [event.call, event]));
  const denied = new Set(
    ofType(events, "permission.decided").flatMap(({ call, decision }) => (decision === "deny" ? [call] : [])),
  );
  return ofType(events, "call.started")
    .filter(({ agent }) => agent !== "context" && agent !== "intent")
    .map(({ call, tool, args }) => ({
      tool,
      args: ARGS.safeParse(args).data ?? {},
      status: denied.has(call) ? "denied" : toStatus(ended.get(call)),
    }));
}

const OUTPUT = z.looseObject({ no_data: z.boolean().optional(), ambiguous: z.boolean().optional() });

function toStatus(ended: EventOf<"call.ended"> | undefined): CallStatus {
  if (ended === undefined || ended.error !== undefined) return "failed";
  const output = OUTPUT.safeParse(ended.output satisfies Json | undefined).data ?? {};
  if (output.no_data === true) return "no_data";
  return output.ambiguous === true ? "ambiguous" : "ok";
}

/** The crew's own programs are not models. */
function toUsage(events: readonly RunEvent[]): Pick<EvaluatedRun, "modelCalls" | "tokens"> {
  const programs = new Set(
    ofType(events, "step.started").flatMap(({ step, model }) => (model.startsWith("code") ? [step] : [])),
  );
  const steps = ofType(events, "step.ended").filter(({ step }) => !programs.has(step));
  const tokens = steps.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  return { modelCalls: steps.length, tokens };
}
