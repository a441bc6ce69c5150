/**
 * Copied end: ends of steps and calls that came from outside, so that a replay takes them as they are.
 */
import type { RunEvent } from "@baton/core";
import { RUN_CODE } from "@baton/core/engine";
import type { EventBodyOf } from "@baton/core/ports";

/** A step that was cancelled or out of time: what its program decided is not known. */
export function isInterrupted(event: RunEvent): boolean {
  return event.type === "step.ended" && event.error !== undefined && event.error.code !== "model";
}

/** A call that was cancelled, alone or with its lane. */
export function isCut(ended: EventBodyOf<"call.ended"> | undefined): boolean {
  return ended?.error !== undefined && (ended.error.code !== "tool" || ended.error.kind === "cancelled");
}

/** A call whose end came from outside: a cancel or, of code, a limit of time or a crash. */
export function isCopied(ended: EventBodyOf<"call.ended"> | undefined): boolean {
  return (
    isCut(ended) || (ended?.tool === RUN_CODE && (ended.error?.kind === "timeout" || ended.error?.kind === "crash"))
  );
}
