/**
 * Response output: the items of one response as they are added, filled and done.
 *
 * Each function takes the output and gives it as it is afterwards, with the events that say so. Items keep the place
 * they were added at.
 */
import type { ChatToolCall } from "../chat/chat-event.ts";
import {
  type CallItem,
  type ResponseItem,
  type ItemStatus,
  toCallItem,
  toMessageItem,
  toReasoningItem,
} from "./response-item.ts";

/** An item that is not done: its place, and its text or arguments so far. */
interface OpenItem {
  readonly index: number;
  readonly text: string;
}

/** The items of a response. */
export interface ResponseOutput {
  /** Number of items that were added. */
  readonly count: number;
  readonly open: ReadonlyMap<string, OpenItem>;
  readonly done: readonly Readonly<{ index: number; item: ResponseItem }>[];
}

/** A streamed event, without its number. */
export type ResponseEvent = Readonly<{ type: string; [field: string]: unknown }>;

type Shown = readonly [ResponseOutput, readonly ResponseEvent[]];

/** A response that has no items yet. */
export const NO_OUTPUT: ResponseOutput = { count: 0, open: new Map(), done: [] };

/** Adds an item that is not done. */
export function addItem(output: ResponseOutput, item: ResponseItem): Shown {
  const index = output.count;
  const open = new Map(output.open).set(item.id, { index, text: "" });
  return [{ ...output, count: index + 1, open }, [{ type: "response.output_item.added", output_index: index, item }]];
}

/** Text for an item, and the type of the event that adds it. */
interface Added {
  readonly type: string;
  readonly id: string;
  readonly text: string;
}

function fill(output: ResponseOutput, { type, id, text }: Added, more: object = {}): Shown {
  const known = output.open.get(id);
  if (known === undefined) return [output, []];
  const open = new Map(output.open).set(id, { ...known, text: known.text + text });
  return [{ ...output, open }, [{ type, item_id: id, output_index: known.index, ...more, delta: text }]];
}

/** Ends an item with what it is in the end; it must have been added. */
export function finishItem(output: ResponseOutput, item: ResponseItem): Shown {
  const known = output.open.get(item.id);
  if (known === undefined) return [output, []];
  const open = new Map(output.open);
  open.delete(item.id);
  const { index } = known;
  const done = [...output.done, { index, item }];
  return [{ ...output, open, done }, [{ type: "response.output_item.done", output_index: index, item }]];
}

/** Leaves items that are done out of the final response. */
export function dropItems(output: ResponseOutput, ids: readonly string[]): ResponseOutput {
  return { ...output, done: output.done.filter(({ item }) => !ids.includes(item.id)) };
}

/** The items that are done, in their places. */
export function doneItems({ done }: ResponseOutput): readonly ResponseItem[] {
  return done.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}

/** Adds a message and its only content. */
export function openMessage(output: ResponseOutput, id: string): Shown {
  const [added, events] = addItem(output, toMessageItem(id, undefined, "in_progress"));
  const place = { item_id: id, output_index: output.count, content_index: 0 };
  const part = { type: "output_text", text: "", annotations: [] };
  return [added, [...events, { type: "response.content_part.added", ...place, part }]];
}

/** Adds text to a message. */
export function fillMessage(output: ResponseOutput, id: string, text: string): Shown {
  return fill(output, { type: "response.output_text.delta", id, text }, { content_index: 0, logprobs: [] });
}

/** Ends a message. */
export function closeMessage(output: ResponseOutput, id: string, status: ItemStatus): Shown {
  const { index, text } = output.open.get(id) ?? NOTHING;
  const place = { item_id: id, output_index: index, content_index: 0 };
  const [finished, events] = finishItem(output, toMessageItem(id, text, status));
  const part = { type: "output_text", text, annotations: [] };
  return [
    finished,
    [
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part },
      ...events,
    ],
  ];
}

/** Adds text to a reasoning item. */
export function fillReasoning(output: ResponseOutput, id: string, text: string): Shown {
  return fill(output, { type: "response.reasoning_text.delta", id, text }, { content_index: 0 });
}

/** Ends a reasoning item. */
export function closeReasoning(output: ResponseOutput, id: string, status: ItemStatus): Shown {
  const { index, text } = output.open.get(id) ?? NOTHING;
  const [finished, events] = finishItem(output, toReasoningItem(id, text, status));
  const place = { item_id: id, output_index: index, content_index: 0 };
  return [finished, [{ type: "response.reasoning_text.done", ...place, text }, ...events]];
}

/** Adds a call that is under way. */
export function openCall(output: ResponseOutput, call: ChatToolCall, item: CallItem): Shown {
  const [added, events] = addItem(output, toCallItem(call, item));
  return [added, [...events, { type: "response.mcp_call.in_progress", item_id: item.id, output_index: output.count }]];
}

/** Adds to a call's arguments. */
export function fillCall(output: ResponseOutput, id: string, text: string): Shown {
  return fill(output, { type: "response.mcp_call_arguments.delta", id, text });
}

/** Says that a call's arguments are whole. */
export function closeArguments({ open }: ResponseOutput, id: string): readonly ResponseEvent[] {
  const known = open.get(id);
  if (known === undefined) return [];
  const { index, text } = known;
  return [{ type: "response.mcp_call_arguments.done", item_id: id, output_index: index, arguments: text }];
}

/** Ends a call with its result. */
export function closeCall(output: ResponseOutput, call: ChatToolCall, item: CallItem): Shown {
  const { index } = output.open.get(item.id) ?? NOTHING;
  const [finished, events] = finishItem(output, toCallItem(call, item));
  return [finished, [{ type: `response.mcp_call.${item.status}`, item_id: item.id, output_index: index }, ...events]];
}

const NOTHING: OpenItem = { index: 0, text: "" };
