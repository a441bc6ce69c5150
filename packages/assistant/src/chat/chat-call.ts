/**
 * Chat call: tool calls and what became of them, and the sources that their outputs name.
 */
import type { Json, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import { SAVE_COMPACTION } from "../context/compaction-tools.ts";
import type { ChatFrame, SourceItem, ShownResult } from "./chat-frame.ts";
import { type ChatOptions, type ChatState, type EndedCall, isShown, type ChatUpdate } from "./chat-state.ts";
import { callMs } from "./chat-totals.ts";

const MAX_DATA_BYTES = 64 * 1_024;
const MAX_PREVIEW = 200;

/** The calls that a step asks for. */
export function callFrames(state: ChatState, event: EventBodyOf<"step.ended"> & RunEvent): readonly ChatFrame[] {
  const calls = event.calls.filter(({ tool }) => tool !== SAVE_COMPACTION);
  if (calls.length === 0 || !isShown(state, event)) return [];
  return [{ type: "tool_calls", tools: calls.map(({ id, tool, args }) => ({ id, name: tool, args })) }];
}

/** Shows the result of a call. */
export function showResult(
  state: ChatState,
  event: EventBodyOf<"call.ended"> & RunEvent,
  options: ChatOptions,
): ChatUpdate {
  if (!isShown(state, event)) return [state, []];
  const { call, tool, output } = event;
  const found = output === undefined ? [] : (options.toSources ?? toSources)({ call, tool, output });
  const sources = found.reduce((all, item) => addSource(all, { ...item, call }), state.totals.sources);
  const next = { ...state, totals: { ...state.totals, sources } };
  return [next, [{ type: "tool_results", results: [toResult(state, event)] }]];
}

function toResult({ context, totals }: ChatState, event: EventBodyOf<"call.ended"> & RunEvent): ShownResult {
  const { call, tool, output, error, digest, wholeChars } = event;
  const shown = { id: call, name: tool, success: error === undefined };
  const ms = callMs(totals, event);
  if (error !== undefined) {
    const { kind = error.code, message } = error;
    return { ...shown, data: { error: { kind, message } }, preview: toPreview(message), ms };
  }
  const text = JSON.stringify(output ?? null);
  const preview = toPreview(digest ?? text);
  const isWhole = wholeChars === undefined && new TextEncoder().encode(text).length <= MAX_DATA_BYTES;
  if (isWhole) return { ...shown, data: output ?? null, preview, ms };
  const href = `/api/runs/${encodeURIComponent(context.run)}/calls/${encodeURIComponent(call)}`;
  return { ...shown, preview, ms, truncated: true, href };
}

/** A character is whole or not there. */
function toPreview(text: string): string {
  return Array.from(text.slice(0, 2 * MAX_PREVIEW))
    .slice(0, MAX_PREVIEW)
    .join("");
}

type Found = Omit<SourceItem, "n">;

/** Sources are listed once; only addresses that a browser may open are links. */
function addSource(sources: readonly SourceItem[], { url, ...rest }: Found): readonly SourceItem[] {
  const item = { ...rest, ...(url !== undefined && isLink(url) ? { url } : {}) };
  const key = keyOf(item);
  return sources.some((known) => keyOf(known) === key) ? sources : [...sources, { n: sources.length + 1, ...item }];
}

function keyOf({ title, source, url, as_of, kind }: Found): string {
  return JSON.stringify([title, source, url, as_of, kind]);
}

function isLink(url: string): boolean {
  const { protocol } = URL.parse(url) ?? {};
  return protocol === "https:" || protocol === "http:";
}

/** An output with a `provenance` has one source. */
function toSources({ tool, output }: EndedCall): readonly Omit<SourceItem, "n" | "call">[] {
  const provenance = lookInto(output, "provenance") ?? {};
  const read = (name: string): string | undefined => toText(lookInto(provenance, name));
  const [source, asOf, kind, url] = [read("source"), read("as_of"), read("kind"), read("url")];
  if (source === undefined || asOf === undefined || kind === undefined) return [];
  return [{ title: tool, source, ...(url === undefined ? {} : { url }), as_of: asOf, kind }];
}

function toText(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
