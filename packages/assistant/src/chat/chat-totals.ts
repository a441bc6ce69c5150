/**
 * Chat totals: what the end of an answer sums up, counted event by event.
 */
import type { Json, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import type { DialectContext } from "@baton/server/mount";
import type { DoneData, SourceItem } from "./chat-frame.ts";

/** The totals since the user's message. */
export interface ChatTotals {
  /** When the run began or was resumed. */
  readonly since: number;
  readonly turns: number;
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Calls that found no data: neither succeeded nor failed. */
  readonly noData: number;
  readonly toolMs: number;
  readonly contextTokens: number;
  readonly savedTokens: number;
  readonly usedTokens: number;
  readonly costUsd: number;
  readonly charts: readonly Json[];
  readonly grounding: Json;
  readonly sources: readonly SourceItem[];
  /** When each open call began. */
  readonly open: ReadonlyMap<string, number>;
}

const NO_GROUNDING = { figures: 0, referenced: 0, matched: 0, unverified: [] } as const;

/** Nothing yet. */
export const startTotals = (since: number): ChatTotals => ({
  since,
  turns: 0,
  calls: 0,
  succeeded: 0,
  failed: 0,
  noData: 0,
  toolMs: 0,
  contextTokens: 0,
  savedTokens: 0,
  usedTokens: 0,
  costUsd: 0,
  charts: [],
  grounding: NO_GROUNDING,
  sources: [],
  open: new Map(),
});

/** Begins again after a pause; calls that are still open count from now on: a person took the time before. */
export function continueTotals({ open }: ChatTotals, since: number): ChatTotals {
  return { ...startTotals(since), open: new Map(Array.from(open.keys(), (call) => [call, since])) };
}

/** The totals after an event. */
export function countEvent(totals: ChatTotals, event: RunEvent): ChatTotals {
  switch (event.type) {
    case "step.ended":
      return {
        ...totals,
        usedTokens: totals.usedTokens + event.usage.inputTokens + event.usage.outputTokens,
        costUsd: totals.costUsd + (event.costUsd ?? 0),
      };
    case "call.started":
      return { ...totals, open: new Map(totals.open).set(event.call, event.at) };
    case "call.ended":
      return countCall(totals, event);
    case "note.made":
      return countNote(totals, event);
    default:
      return totals;
  }
}

function countCall(totals: ChatTotals, event: EventBodyOf<"call.ended"> & RunEvent): ChatTotals {
  const isDone = event.error === undefined;
  const hasData = lookInto(event.output ?? null, "no_data") !== true;
  const open = new Map(totals.open);
  open.delete(event.call);
  return {
    ...totals,
    open,
    calls: totals.calls + 1,
    succeeded: totals.succeeded + (isDone && hasData ? 1 : 0),
    noData: totals.noData + (isDone && !hasData ? 1 : 0),
    failed: totals.failed + (isDone ? 0 : 1),
    toolMs: totals.toolMs + callMs(totals, event),
  };
}

/** Returns the duration of a call. */
export function callMs({ open }: ChatTotals, { call, at }: Readonly<{ call: string; at: number }>): number {
  return Math.max(0, at - (open.get(call) ?? at));
}

function countNote(totals: ChatTotals, { kind, data }: EventBodyOf<"note.made">): ChatTotals {
  switch (kind) {
    case "chart":
      return { ...totals, charts: [...totals.charts, data] };
    case "figures":
      return { ...totals, grounding: toGrounding(data) };
    case "context":
      return { ...totals, contextTokens: toNumber(lookInto(data, "tokens")) };
    case "compaction": {
      const saved = toNumber(lookInto(data, "tokens_before")) - toNumber(lookInto(data, "tokens_after"));
      return { ...totals, savedTokens: totals.savedTokens + Math.max(0, saved) };
    }
    default:
      return totals;
  }
}

/** The positions of figures are for the console; the chat sends how they are grounded. */
function toGrounding(data: Json): Json {
  const pick = (name: string, fallback: Json): Json => lookInto(data, name) ?? fallback;
  return {
    figures: pick("figures", 0),
    referenced: pick("referenced", 0),
    matched: pick("matched", 0),
    unverified: pick("unverified", []),
  };
}

function toNumber(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** The data of `done`. */
export function toDoneData(
  totals: ChatTotals,
  context: DialectContext,
  end: Readonly<{ at: number; status: string; disclaimer: string | undefined }>,
): DoneData {
  const session = context.session ?? context.run;
  return {
    flow_id: `v4_${session.slice(0, 8)}_${context.createdAt}`,
    status: end.status,
    total_turns: totals.turns,
    total_tool_calls: totals.calls,
    tools_succeeded: totals.succeeded,
    tools_failed: totals.failed,
    tools_no_data: totals.noData,
    tool_time_ms: totals.toolMs,
    processing_time_ms: Math.max(0, end.at - totals.since),
    context_tokens: totals.contextTokens,
    tokens_saved: totals.savedTokens,
    tokens_used: totals.usedTokens,
    cost_usd: totals.costUsd,
    charts: totals.charts,
    grounding: totals.grounding,
    ...(end.disclaimer === undefined ? {} : { disclaimer: end.disclaimer }),
  };
}
