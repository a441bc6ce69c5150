/**
 * Code lines: the code of a call of `run_code`, and how the calls that each line made are doing at an event.
 */
import type { EventBodyOf, Json } from "@baton/client";
import { type CallSpan, hasBegun, isSpanOpen, type Story } from "../store/story.ts";

/** The calls of one line, by what became of them. */
export interface LineCalls {
  waiting: number;
  running: number;
  done: number;
  failed: number;
}

/** Returns the code of a call; undefined if it is another tool's. */
export function codeOf({ tool, args }: Pick<CallSpan, "tool" | "args">): string | undefined {
  const code = tool === "run_code" ? fieldOf(args, "code") : undefined;
  return typeof code === "string" ? code.trimEnd() : undefined;
}

/** Counts the calls of each line that had begun at an event. */
export function lineCallsAt(call: CallSpan, story: Story, seq: number): ReadonlyMap<number, LineCalls> {
  const lines = new Map<number, LineCalls>();
  for (const inner of call.inner) {
    if (inner.line === undefined || !hasBegun(inner, seq)) continue;
    const counts = lines.get(inner.line) ?? { waiting: 0, running: 0, done: 0, failed: 0 };
    lines.set(inner.line, counts);
    counts[stateOf(inner, story, seq)] += 1;
  }
  return lines;
}

function stateOf(call: CallSpan, { questions }: Story, seq: number): keyof LineCalls {
  if (!isSpanOpen(call, seq)) return call.ended?.error === undefined ? "done" : "failed";
  return questions.some((one) => one.asked.call === call.call && isSpanOpen(one, seq)) ? "waiting" : "running";
}

/** Returns the line of code that a question is about; undefined if it is not about a call of code. */
export function askedLine(
  { within, line }: Pick<EventBodyOf<"question.opened">, "within" | "line">,
  callAt: (position: string) => CallSpan | undefined,
): { readonly line: number; readonly text: string } | undefined {
  const call = within === undefined ? undefined : callAt(within);
  const text = call === undefined || line === undefined ? undefined : codeOf(call)?.split("\n")[line - 1];
  return text === undefined || line === undefined ? undefined : { line, text: text.trim() };
}

function fieldOf(value: Json, name: string): Json | undefined {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
